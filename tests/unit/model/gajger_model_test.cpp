// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "model/gajger/gajger_model.h"

#include <cmath>
#include <map>

#include <gtest/gtest.h>

#include "model/closed_form/form_list.h"
#include "model_case.h"

namespace forewarp::tests {
namespace {

/// The kernel and the board of Gajger 2017, section 5.2: 26 + 4a instructions, 3 of them memory.
struct ThesisCase : ModelCase {
  explicit ThesisCase(double a) {
    gpu.sms = 13;
    gpu.facts["gajger.gmem_bytes_per_cycle_sm"].value = 13.78;
    gpu.facts["gajger.lambda"].value = 0.703787;
    launch = {1562500, 1, 256, 8, 8, Megahertz(1253), {}, {}};
    demand.count(Count::instructions) = 26 + 4 * a;
    demand.count(Count::memory_instructions) = 3;
    demand.count(Count::global_bytes) = 384;
    demand.count(Count::dual_pairs) = 2 + a;
    latency.cycles = 942 + 24 * a;
  }
};

// Figure 5.24: the kernel time times 8.4 W gives the printed energy to 16 digits.
TEST(GajgerModel, ReproducesTheEnergyPrintToItsLastDigit) {
  const Prediction p = ThesisCase(128).predict(GajgerModel());
  EXPECT_NEAR(p.time_ms, 146.65491871953357, 1e-9);
  EXPECT_NEAR(8.4 * p.time_ms * 1e-3, 1.231901317244082, 1e-12);
}

// CPW = max(32 * 27 / 128, 30 / 4, 384 / 13.78) at a = 1: memory.
TEST(GajgerModel, LowIntensityIsBoundByMemory) {
  const Prediction p = ThesisCase(1).predict(GajgerModel());
  EXPECT_DOUBLE_EQ(p.bound_cycles[0], 32 * 27 / 128.0);
  EXPECT_DOUBLE_EQ(p.bound_cycles[1], 30 / 4.0);
  EXPECT_DOUBLE_EQ(p.bound_cycles[2], 384 / 13.78);
  EXPECT_EQ(p.limiting, 2);
  EXPECT_NEAR(p.time_ms, 30.384798, 1e-6);
}

// At a = 128 the schedulers: max(32 * 535 / 128, 538 / 4, 384 / 13.78), figure 5.23's counts.
TEST(GajgerModel, HighIntensityIsBoundByIssue) {
  const Prediction p = ThesisCase(128).predict(GajgerModel());
  EXPECT_DOUBLE_EQ(p.bound_cycles[0], 133.75);
  EXPECT_DOUBLE_EQ(p.bound_cycles[1], 134.5);
  EXPECT_DOUBLE_EQ(p.bound_cycles[2], 384 / 13.78);
  EXPECT_EQ(p.limiting, 1);
}

// Section 4.4.3: a stride of 4 words moves 512 bytes for each of 3 accesses and issues one of them
// 3 times more.
TEST(GajgerModel, StridesTakeBytesAndIssueSlots) {
  ThesisCase c(1);
  c.gpu.reissue_slots = 1;
  c.demand.count(Count::reissues) = 3;
  c.demand.count(Count::global_bytes) = 1536;
  const Prediction p = c.predict(GajgerModel());
  EXPECT_DOUBLE_EQ(p.bound_cycles[1], (30 + 3) / 4.0);
  EXPECT_DOUBLE_EQ(p.bound_cycles[2], 1536 / 13.78);
}

/// The thesis's kernel with work on units that its model leaves out: cycles per warp and SM.
struct FurtherTerms : ThesisCase {
  FurtherTerms() : ThesisCase(1) {
    resources = {{"xu", "special function units"},
                 {"fp64", "FP64 units"},
                 {"shared", "shared memory"},
                 {"fma", "FMA pipe"},
                 {"alu", "ALU pipe"}};
    demand = Demand(resources.size());
    demand.count(Count::instructions) = 30;
    demand.count(Count::memory_instructions) = 3;
    demand.count(Count::global_bytes) = 384;
    demand.count(Count::read_bytes) = 64;
    demand.count(Count::write_bytes) = 32;
    const double cycles[] = {40, 50, 60, 5, 4};
    for (std::size_t i = 0; i < resources.size(); ++i) demand.cycles(i) = cycles[i];
  }
  [[nodiscard]] Prediction with(const char* option, const char* value) const {
    return predict(GajgerModel(), {{std::string("gajger.") + option, value}});
  }
};

TEST(GajgerModel, EveryFurtherTermIsSwitchedByItself) {
  const FurtherTerms c;
  EXPECT_DOUBLE_EQ(c.predict(GajgerModel()).bound_cycles[0], 32 * 27 / 128.0);
  EXPECT_DOUBLE_EQ(c.with("sfu", "on").bound_cycles[0], 40);
  EXPECT_DOUBLE_EQ(c.with("fp64", "on").bound_cycles[0], 50);
  EXPECT_DOUBLE_EQ(c.with("shared", "on").bound_cycles[0], 60);
  EXPECT_DOUBLE_EQ(c.with("paths", "on").bound_cycles[0], 5);  // of fma and alu, not their sum
  EXPECT_DOUBLE_EQ(c.with("cache", "on").bound_cycles[2], 96 / 13.78);
  EXPECT_DOUBLE_EQ(c.with("cache", "on").bound_cycles[0], 32 * 27 / 128.0);
}

TEST(GajgerModel, LaunchesAddTheirTime) {
  const FurtherTerms c;
  EXPECT_NEAR(c.with("launch", "250").time_ms - c.predict(GajgerModel()).time_ms, 0.25, 1e-12);
}

// l = 64 / 966 and t = 13.78 / 384 warps per cycle; at k = 2 they meet at (l^-2 + t^-2)^-0.5.
TEST(GajgerModel, SaturationRoundsTheCorner) {
  const ThesisCase c(1);
  const double l = 64 / 966.0, t = 13.78 / 384;
  EXPECT_NEAR(c.predict(GajgerModel(), {{"gajger.saturation", "2"}}).warp_throughput,
              1 / std::sqrt(1 / (l * l) + 1 / (t * t)), 1e-12);
  EXPECT_NEAR(c.predict(GajgerModel(), {{"gajger.saturation", "200"}}).warp_throughput, t, 1e-6);
  EXPECT_NEAR(c.predict(GajgerModel(), {{"gajger.saturation", "1000"}}).warp_throughput, t, 1e-9);
  EXPECT_EQ(c.predict(GajgerModel(), {{"gajger.saturation", "2"}}).limiting, 2);
}

// Counts: 26 + 4a simulated, less 3 pairs once (text), less 2 + a pairs (strict).
TEST(GajgerModel, CountsOfIssuedInstructionsFollowTheVariant) {
  ThesisCase c(128);
  ModelInput input = c.input();
  input.static_dual_pairs = 3;
  const GajgerModel model;
  const auto issue = [&](const char* counts) {
    return 4 *
           model.predict(input, *model.parse_options({{"gajger.counts", counts}})).bound_cycles[1];
  };
  EXPECT_DOUBLE_EQ(issue("simulated"), 26 + 4 * 128);
  EXPECT_DOUBLE_EQ(issue("text"), 23 + 4 * 128);
  EXPECT_DOUBLE_EQ(issue("strict"), 24 + 3 * 128);
}

// Below the knee the time is warps * latency / (occupancy * SMs * lambda).
TEST(GajgerModel, SmallOccupancyIsLatencyBound) {
  const Prediction p = ThesisCase(128).predict(GajgerModel(), {{"gajger.occupancy", "2"}});
  EXPECT_NEAR(p.time_ms, 2188.374884, 1e-6);
  EXPECT_EQ(p.limiting, Prediction::latency_limit);
}

TEST(GajgerModel, LambdaDividesTheTime) {
  const Prediction scaled = ThesisCase(128).predict(GajgerModel());
  const Prediction plain = ThesisCase(128).predict(GajgerModel(), {{"gajger.lambda", "1"}});
  EXPECT_NEAR(plain.time_ms / scaled.time_ms, 0.703787, 1e-12);
}

// Gajger 2017, 5.8.2: knee occupancy = (942 + 24 a) / max(27.8665, 6.5 + a); memory and issue take
// as long at a = 21.3665.
TEST(GajgerModel, KneeOccupancyAndIntensity) {
  const std::map<double, double> printed{{32, 44.4},  {64, 35.1},  {96, 31.7}, {100, 31.4},
                                         {128, 29.8}, {256, 27.0}, {512, 25.5}};
  for (const auto& [intensity, warps] : printed) {
    const auto knee = evaluate_closed_form("knee", {{"latency", 942},
                                                    {"latency_step", 24},
                                                    {"memory", 384 / 13.78},
                                                    {"issue", 6.5},
                                                    {"issue_step", 1},
                                                    {"intensity", intensity}});
    ASSERT_TRUE(knee);
    EXPECT_NEAR((*knee)[0].second, warps, 0.05) << intensity;
    EXPECT_NEAR((*knee)[1].second, 384 / 13.78 - 6.5, 1e-9);
  }
  const auto below = evaluate_closed_form("knee", {{"latency", 942},
                                                   {"latency_step", 24},
                                                   {"memory", 27.8665},
                                                   {"issue", 6.5},
                                                   {"issue_step", 1},
                                                   {"intensity", 1}});
  EXPECT_NEAR((*below)[0].second, 966 / 27.8665, 1e-9) << "memory limits below the knee";
}

// Gajger 2017, 5.8.3: every block of up to 32 threads is a whole warp, 33 are two, 100 four.
TEST(GajgerModel, BlocksOfLessThanAWarpTakeAWholeOne) {
  const std::map<double, double> printed{{1, 4692.957399},  {2, 2346.478700},  {4, 1173.239350},
                                         {8, 586.619675},   {16, 293.309837},  {32, 146.654919},
                                         {33, 284.421681},  {96, 146.654930},  {100, 187.718296},
                                         {256, 146.654919}, {1024, 146.654919}};
  for (const auto& [threads, ms] : printed) {
    ThesisCase c(128);
    c.launch.blocks = std::ceil(400e6 / threads);
    c.launch.threads_per_block = threads;
    c.launch.warps_per_block = std::ceil(threads / 32);
    const Prediction p = c.predict(GajgerModel(), {{"gajger.occupancy", "64"}});
    EXPECT_NEAR(p.time_ms, ms, 1e-6 * ms) << threads;
  }
}

}  // namespace
}  // namespace forewarp::tests
