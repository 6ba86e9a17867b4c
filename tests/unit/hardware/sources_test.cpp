// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Numbers that the theses print, as the data files give them to a model.
#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include <gtest/gtest.h>

#include "hardware/database.h"
#include "test_paths.h"

namespace forewarp::tests {
namespace {

Gpu load(const std::string& name) {
  auto gpu = HardwareDatabase{FOREWARP_DATA_DIR}.load(name);
  EXPECT_TRUE(gpu) << (gpu ? "" : gpu.error().line());
  return gpu ? std::move(gpu).value() : Gpu{};
}

double latency(const Gpu& gpu, const char* rules, const char* key) {
  const LatencyRules* set = gpu.rules_named(rules);
  if (set == nullptr) return -1;
  const auto found = set->latency.find(key);
  return found == set->latency.end() ? -1 : found->second;
}

// Gajger 2017, eq. 4.7: clock x width / 8 x rate / (SMs x SM clock).
TEST(Gajger, MemoryBytesPerCycleAndSm) {
  EXPECT_NEAR(memory_bytes_per_cycle(load("gtx970@gajger")), 1753.0 * 32 * 4 / (13 * 1253), 1e-12);
  EXPECT_NEAR(memory_bytes_per_cycle(load("gtx970@gajger")), 13.7752, 5e-5);
  EXPECT_NEAR(memory_bytes_per_cycle(load("titanx@gajger")), 13.0335, 5e-5);
  EXPECT_DOUBLE_EQ(load("gtx970@gajger").number("gajger.gmem_bytes_per_cycle_sm"), 13.78);
  EXPECT_DOUBLE_EQ(load("titanx@gajger").number("gajger.gmem_bytes_per_cycle_sm"), 13.03);
  EXPECT_DOUBLE_EQ(load("titanx@gajger").number("gajger.lambda"), 0.703787);
  EXPECT_DOUBLE_EQ(load("titanx@gajger").clock_sustained_mhz, 1076);
  // Two transfers a clock of GDDR3, four of GDDR5: 1107 MHz x 64 bytes x 2 over all 30 SMs.
  const Gpu tesla = load("gtx280");
  EXPECT_NEAR(memory_bytes_per_cycle(tesla) * 30 * tesla.clock_sustained_mhz, 1107.0 * 512 / 8 * 2,
              0.005 * 141696);
}

// Gajger 2017, Tables 4.1 and 4.2.
TEST(Gajger, LatencyRules) {
  const Gpu maxwell = load("gtx970");
  for (const char* key : {"fp32", "integer", "integer_compare", "move", "integer_multiply"}) {
    EXPECT_EQ(latency(maxwell, "gajger", key), 6) << key;
  }
  EXPECT_EQ(latency(maxwell, "gajger", "global"), 350);
  EXPECT_EQ(latency(maxwell, "gajger", "shared"), 28);
  EXPECT_EQ(latency(maxwell, "gajger", "load_global"), -1) << "memory goes by its space";
  EXPECT_EQ(latency(maxwell, "gajger", "other"), -1) << "stands for the classes it is spread over";
  const LatencyRules* rules = maxwell.rules_named("gajger");
  ASSERT_NE(rules, nullptr);
  EXPECT_EQ(rules->ilp, 3);
  EXPECT_EQ(rules->branch_taken, 12);
  EXPECT_EQ(rules->branch_not_taken, 10);
  EXPECT_EQ(rules->guarded_exit, 3);
  EXPECT_EQ(rules->replacement, 150);
  EXPECT_FALSE(rules->use_control_words);

  const Gpu kepler = load("gtx680");
  EXPECT_EQ(latency(kepler, "gajger", "fp32"), 9);
  EXPECT_EQ(latency(kepler, "gajger", "global"), 300);
  ASSERT_NE(kepler.rules_named("gajger"), nullptr);
  EXPECT_EQ(kepler.rules_named("gajger")->replacement, 201);
  const Gpu fermi = load("gtx480");
  EXPECT_EQ(latency(fermi, "gajger", "shift"), 18);
  EXPECT_EQ(latency(fermi, "gajger", "integer_multiply"), 22);
  EXPECT_EQ(latency(fermi, "gajger", "global"), 685);
  const std::map<std::string, std::map<std::string, double>> further = {
      {"gtx480", {{"fp32", 16}, {"integer", 16}, {"shared", 50}, {"local", 45}}},
      {"gtx680", {{"shared", 33}, {"local", 30}}},
      {"gtx280", {{"fp32", 24}, {"integer_multiply", 120}, {"global", 440}, {"shared", 38}}}};
  for (const auto& [board, cycles] : further) {
    for (const auto& [key, wanted] : cycles) {
      EXPECT_EQ(latency(load(board), "gajger", key.c_str()), wanted) << board << ' ' << key;
    }
  }
  EXPECT_EQ(fermi.rules_named("gajger")->branch_taken, 32);
  EXPECT_EQ(fermi.rules_named("gajger")->branch_not_taken, 28);
  EXPECT_EQ(kepler.rules_named("gajger")->ilp, 3);
}

// Numbers that the thesis itself takes over from another generation are assumed; two of a sort are
// both kept.
TEST(Gajger, WhatIsAssumedSaysSo) {
  const Gpu maxwell = load("gtx970");
  const auto trusted = [&](const char* path) { return maxwell.facts.at(path).confidence; };
  EXPECT_EQ(trusted("rules.gajger.ilp"), Confidence::assumed);
  EXPECT_EQ(trusted("rules.gajger.branch_taken"), Confidence::assumed);
  EXPECT_EQ(trusted("rules.gajger.replacement"), Confidence::published);
  EXPECT_EQ(trusted("rules.gajger.guarded_exit"), Confidence::derived);
  const std::map<std::string, double> others = {{"gtx970", 13}, {"gtx480", 20}, {"gtx280", 96}};
  for (const auto& [board, other] : others) {
    const auto kept = load(board).facts.at("rules.gajger.latency.integer_multiply").alternatives;
    ASSERT_EQ(kept.size(), 1U) << board;
    EXPECT_EQ(kept[0].first, other) << board;
  }
}

struct VolkovCard {
  const char* id;
  double sms, schedulers, interval, cores, sfus, clock_mhz, pin_gbs;  // Tables 2.6 to 2.8
  double add, sfu, shared, stream;                                    // Table 6.2
  double a, b, c, peak_gbs;                                           // Tables 6.5 and 6.4
};

constexpr VolkovCard cards[] = {
    {"8800gtx", 16, 1, 2, 8, 2, 1350, 86.4, 20, 32, 38, 444, 453, 61, 81, 74},
    {"gtx280", 30, 1, 2, 8, 2, 1296, 141.7, 24, 34, 40, 434, 438, 17, 140, 138},
    {"gtx480", 15, 2, 2, 32, 4, 1400, 177.4, 18, 22, 26, 513, 501, 41, 170, 161},
    {"gtx680", 8, 4, 1, 192, 32, 1124, 192.3, 9, 9, 24, 301, 300, 32, 170, 154},
    {"gtx980", 16, 4, 1, 128, 32, 1266, 224, 6, 13, 24, 368, 372, 22, 221, 211},
};

TEST(Volkov, CardsAsInHisTables) {
  for (const VolkovCard& card : cards) {
    const Gpu gpu = load(std::string(card.id) + "@volkov");
    EXPECT_EQ(gpu.parameter_set, "volkov");
    EXPECT_EQ(gpu.sms, card.sms) << card.id;
    EXPECT_EQ(gpu.schedulers, card.schedulers) << card.id;
    EXPECT_EQ(gpu.issue_interval, card.interval) << card.id;
    EXPECT_EQ(gpu.core_lanes, card.cores) << card.id;
    EXPECT_EQ(gpu.sfu_lanes, card.sfus) << card.id;
    EXPECT_EQ(gpu.clock_sustained_mhz, card.clock_mhz) << card.id;
    EXPECT_EQ(gpu.memory.theory_gbs, card.pin_gbs) << card.id;
    EXPECT_EQ(gpu.memory.latency, card.stream) << card.id;
    EXPECT_EQ(gpu.memory.latency_mhz, card.clock_mhz) << card.id;
    EXPECT_NEAR(gpu.memory.read_share * gpu.memory.theory_gbs, card.peak_gbs, 1e-3) << card.id;
    EXPECT_NEAR(gpu.memory.contention_read_share * gpu.memory.theory_gbs, card.c, 1e-3) << card.id;
    EXPECT_EQ(gpu.memory.contention_read, card.b) << card.id;
    EXPECT_EQ(gpu.number("volkov.a"), card.a) << card.id;
    EXPECT_EQ(gpu.number("volkov.b"), card.b) << card.id;
    EXPECT_EQ(gpu.number("volkov.c"), card.c) << card.id;
    EXPECT_EQ(gpu.number("volkov.peak_gbs"), card.peak_gbs) << card.id;
    EXPECT_EQ(latency(gpu, "volkov", "fp32"), card.add) << card.id;
    EXPECT_EQ(latency(gpu, "volkov", "sfu"), card.sfu) << card.id;
    EXPECT_EQ(latency(gpu, "volkov", "shared"), card.shared) << card.id;
    EXPECT_EQ(latency(gpu, "volkov", "global"), card.stream) << card.id;
  }
}

// Tables 6.1, 6.2 and 6.7: what no pipe of a board's file gives.
TEST(Volkov, StridesAndRandomPlacesAsInHisTables) {
  constexpr std::pair<const char*, std::array<double, std::size(cards)>> columns[] = {
      {"volkov.rate.smem2", {3, 4, 4, 4, 4}},
      {"volkov.rate.stream", {0.86, 0.89, 0.97, 1.07, 0.65}},
      {"volkov.rate.random", {0.027, 0.016, 0.029, 0.034, 0.023}},
      {"volkov.latency.smem2", {54, 56, 58, 56, 26}},
      {"volkov.latency.random", {644, 662, 1571, 1213, 534}},
      {"volkov.divergence_cycles", {6.7, 7.6, 34, 33, 5.9}},
  };
  for (std::size_t i = 0; i < std::size(cards); ++i) {
    const Gpu gpu = load(std::string(cards[i].id) + "@volkov");
    for (const auto& [path, printed] : columns)
      EXPECT_EQ(gpu.number(path), printed[i]) << cards[i].id << " " << path;
  }
}

// Table 6.1: instructions per cycle and SM = rate / 32 x schedulers; a pipe allows 1 / cycles.
TEST(Volkov, PeakRatesFollowFromThePipes) {
  for (const VolkovCard& card : cards) {
    const Gpu gpu = load(std::string(card.id) + "@volkov");
    const double lanes = gpu.limits.warp_lanes;
    const double adds =
        std::min(1 / gpu.classes.at("fp32").cycles, gpu.schedulers / gpu.issue_interval);
    EXPECT_NEAR(adds * lanes / gpu.schedulers, gpu.number("volkov.rate.add"), 1e-6) << card.id;
    EXPECT_NEAR(lanes / gpu.classes.at("sfu").cycles / gpu.schedulers,
                gpu.number("volkov.rate.sfu"), 1e-6)
        << card.id;
    const double halves = gpu.limits.warp_lanes / gpu.shared_banks;
    const double shared = std::max(gpu.shared_cycles_minimum, halves * gpu.shared_cycles_per_pass);
    EXPECT_NEAR(lanes / shared / gpu.schedulers, gpu.number("volkov.rate.smem"), 1e-3) << card.id;
  }
}

// Section 3.7 and 3.8.
TEST(Volkov, IssueRules) {
  const Gpu kepler = load("gtx680");
  ASSERT_NE(kepler.rules_named("volkov"), nullptr);
  EXPECT_EQ(kepler.rules_named("volkov")->ilp, 3);
  EXPECT_EQ(kepler.rules_named("volkov")->replacement, 201);
  const Gpu card = load("gtx480");
  const LatencyRules* fermi = card.rules_named("volkov");
  ASSERT_NE(fermi, nullptr);
  EXPECT_EQ(fermi->ilp, 6);
  EXPECT_EQ(fermi->store_ilp, 34);
  EXPECT_EQ(fermi->branch_taken, 32);
  EXPECT_EQ(fermi->branch_not_taken, 28);
  EXPECT_EQ(fermi->barrier, 34);
  EXPECT_EQ(fermi->load_gaps, (std::vector<double>{6, 6, 26, 6, 482, 8}));  // Listing 3.2
}

TEST(Segments, SlowPartOfTheMemory) {
  const Gpu gpu = load("gtx970");
  ASSERT_EQ(gpu.memory.segments.size(), 2U);
  EXPECT_EQ(gpu.memory.segments[0].first, 3.5 * 1073741824);
  EXPECT_NEAR(gpu.memory.segments[0].second, 0.85 * 196.3, 1e-9);
  EXPECT_EQ(gpu.memory.segments[1].first, 0.5 * 1073741824);
  EXPECT_NEAR(gpu.memory.segments[1].second, 0.70 * 28, 1e-9);
}

// What the error-correction rule makes of a board whose memory class was measured without it.
TEST(Rules, ErrorCorrectionTakesBandwidth) {
  EXPECT_NEAR(load("k40").memory.read_share, 0.80 * 0.875, 1e-12);
  EXPECT_NEAR(load("k40").memory.mixed_share, 0.668, 1e-12) << "measured with it";
  EXPECT_NEAR(load("t4").memory.mixed_share, 0.75, 1e-12) << "measured with it";
}

// A board's own number stands before what a lattice-Boltzmann code reached on it, that before what
// its kind of memory reaches elsewhere.
TEST(Rules, MemoryOfTheBoardBeforeItsClass) {
  const Gpu own = load("p100-pcie-16");
  EXPECT_EQ(own.memory.mixed_share, 0.75);
  EXPECT_EQ(own.memory.contention_mixed_share, 0.75) << "the queue's pole goes with it";
  const Gpu lattice = load("h100-sxm-80");
  EXPECT_NEAR(lattice.memory.mixed_share, 1.06 * 0.804, 1e-12);
  EXPECT_EQ(lattice.facts.at("memory.mixed_share").alternatives.front().first, 0.85);
  EXPECT_NEAR(load("gtx680").memory.mixed_share, 1.11 * 0.624, 1e-12);
  EXPECT_EQ(load("rtx3060l").memory.mixed_share, 0.945) << "nobody measured it: as GDDR6";
  EXPECT_EQ(load("l40").memory.mixed_share, 0.705);
  EXPECT_EQ(load("l40@no-ecc").memory.mixed_share, 0.94);
}

TEST(Rules, FasterBinsHaveLessAboveTheirBoost) {
  EXPECT_NEAR(load("rtx2070").clock_sustained_mhz, 1815, 1e-9);
  EXPECT_NEAR(load("rtx2080s").clock_sustained_mhz, 1950, 1e-9) << "not 1.14 x 1815";
}

// Boards for games have a quarter of the FP64 rate on 2.0 and half the tensor rate from 7.5 on.
TEST(Rules, BoardsForGamesAreCut) {
  EXPECT_EQ(load("c2075").classes.at("fp64").cycles, 2);
  EXPECT_EQ(load("gtx480").classes.at("fp64").cycles, 8);
  EXPECT_EQ(load("a40").tensor.wide_sum_share, 1);
  EXPECT_EQ(load("rtx3090").tensor.wide_sum_share, 0.5);
}

TEST(Rules, AlternativesAreKept) {
  const Gpu gpu = load("rtx2080ti");
  const Fact& fact = gpu.facts.at("l2.latency_cycles");
  ASSERT_EQ(fact.alternatives.size(), 2U);
  EXPECT_EQ(fact.alternatives[0].first, 176);
  EXPECT_FALSE(fact.alternatives[0].second.empty());
}

// Shared data stage and memory interface: accuracy of shared-memory kernels hangs on these.
TEST(Sm, SharedPathPerGeneration) {
  const auto stage = [](const Gpu& gpu, double passes) {
    return std::max(gpu.shared_cycles_minimum, passes * gpu.shared_cycles_per_pass);
  };
  EXPECT_EQ(stage(load("rtx2080ti"), 1), 2);
  EXPECT_EQ(stage(load("rtx2080ti"), 2), 4);
  EXPECT_EQ(stage(load("rtxa4000"), 1), 2);
  EXPECT_EQ(stage(load("rtxa4000"), 2), 2);
  EXPECT_EQ(stage(load("a100-sxm-80"), 2), 2);
  EXPECT_EQ(load("rtx2080ti").lsu_cycles, 2);
  EXPECT_EQ(load("rtx5090").lsu_cycles, 2);
  EXPECT_EQ(load("v100-pcie-16").lsu_cycles, 1);
  EXPECT_EQ(load("h100-sxm-80").lsu_cycles, 1);
}

TEST(Sm, IntegerMultiplyTakesOneHalfOfTheFmaPipe) {
  const Gpu gpu = load("a40");
  const ClassTiming& multiply = gpu.classes.at("integer_multiply");
  EXPECT_EQ(multiply.pipe, "fma_heavy");
  EXPECT_EQ(multiply.cycles, 0.5);
  ASSERT_EQ(multiply.also.size(), 1U);
  EXPECT_EQ(multiply.also[0], (std::pair<std::string, double>("fma", 0.25)));
  EXPECT_EQ(gpu.classes.at("fp32").cycles, 0.25);
}

// Volkov 2016, Table 6.6: quantiles of a latency over its mean, 303 cycles at 3.8 GB/s and 501 at
// 144 GB/s, as four digits give them.
TEST(Volkov, QuantilesOfLatency) {
  const Gpu kepler = load("gtx680");
  constexpr const char* quantiles[] = {"q05", "q25", "q50", "q75", "q95"};
  constexpr double low[] = {292, 296, 300, 304, 324}, high[] = {340, 416, 488, 572, 708};
  const auto fact = [&](const char* load, const char* quantile) {
    return kepler.number(std::string("model.mwp-cwp-probabilistic.") + load + "." + quantile);
  };
  for (std::size_t i = 0; i < std::size(quantiles); ++i) {
    EXPECT_NEAR(303 * fact("low", quantiles[i]), low[i], 0.1) << quantiles[i];
    EXPECT_NEAR(501 * fact("high", quantiles[i]), high[i], 0.1) << quantiles[i];
  }
}

// Sanchez 2017, Tables 5 and 10 to 12, eq. 7.1 and Figs. 29 and 43.
TEST(Sanchez, CardAsInHisTables) {
  const Gpu card = load("k40@sanchez");
  const std::map<std::string, double> printed = {
      {"add", 17},
      {"sub", 17},
      {"mul", 17},
      {"mad", 17},
      {"div", 960},
      {"l1", 51},
      {"l1_two_blocks", 64},
      {"l2", 365},
      {"boundary", 683},
      {"memory_slope", 0.466},
      {"memory_shift", 1911.2},
      {"memory_r2", 0.879918},
      {"copy_gbs", 183.5},
      {"host_to_device_gbs", 10.2829},
      {"device_to_host_gbs", 10.2917},
      {"device_to_device_gbs", 182.8163},
      {"parra.add", 12},
      {"parra.sub", 12},
      {"parra.mul", 12},
      {"parra.mad", 12},
      {"parra.div", 206},
      {"parra.l1", 29},
      {"parra.l2", 215.5},
      {"parra.memory", 400},
  };
  for (const auto& [name, number] : printed)
    EXPECT_EQ(card.number("sanchez." + name), number) << name;
  using Totals = std::vector<double>;
  const auto totals = [&](const std::string& operation) {
    return card.facts.at("sanchez.independent." + operation).values;
  };
  for (const char* operation : {"add", "sub", "mul"})
    EXPECT_EQ(totals(operation), (Totals{17, 6, 28, 28, 33, 40, 42, 40})) << operation;
  EXPECT_EQ(totals("div"), (Totals{960, 1609, 2262, 2926, 3666, 4572, 5803, 6791}));
  EXPECT_EQ(totals("mad"), (Totals{17, 6, 24, 31, 31, 40, 25, 89}));
}

}  // namespace
}  // namespace forewarp::tests
