// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Numbers from synthetic samples of known numbers; the formula stands with each.
#include <cmath>

#include <gtest/gtest.h>

#include "characterise/estimators/estimator.h"
#include "sample_maker.h"

namespace forewarp::tests {
namespace {

std::optional<double> known(std::string_view path) {
  if (path == "sm.count") return 10;
  if (path == "limits.warp_lanes") return 32;
  if (path == "clock.boost_mhz") return 1000;
  if (path == "memory.theory_gbs") return 400;
  return {};
}

NumberRow row_of(const std::string& how, const std::string& unit, std::vector<std::string> tests) {
  NumberRow row;
  row.fact = "fact";
  row.how = how;
  row.unit = unit;
  row.tests = std::move(tests);
  return row;
}

Expected<Estimate> estimated(const NumberRow& row, const std::vector<Record>& records) {
  const Registry<Estimator> all = estimators();
  const auto estimator = all.find(row.how);
  if (!estimator) return estimator.error();
  return (*estimator)->estimate(row, Evidence(records, known));
}

std::string refusal(const NumberRow& row, const std::vector<Record>& records) {
  const auto value = estimated(row, records);
  return value ? "accepted" : value.error().line();
}

std::string passes(int blocks, int threads, int count) {
  return "blocks=" + std::to_string(blocks) + ",threads=" + std::to_string(threads) +
         ",passes=" + std::to_string(count);
}

TEST(Estimators, AreListedOnce) {
  EXPECT_EQ(estimators().names(),
            "latency, rate, per_cycle, plateau, size, line, slope, bandwidth, window, pipelining, "
            "direct, load, clock, difference");
  EXPECT_EQ(refusal(row_of("guess", "1", {"t"}), {}),
            "estimator: no estimator is named 'guess'; expected latency, rate, per_cycle, plateau, "
            "size, line, slope, bandwidth, window, pipelining, direct, load, clock, difference");
}

TEST(LatencyEstimator, SlopeTimesClockOverWork) {
  // 3 us of launch + passes x 50 operations x 6 cycles at 1500 MHz.
  std::vector<Record> records;
  for (const int p : {10, 20, 40}) {
    records.push_back(time_of("chain", passes(1, 32, p), 3 + p * 50 * 6 / 1500.0, 1500));
  }
  NumberRow row = row_of("latency", "cycles", {"chain"});
  row.work = 50;
  const auto found = estimated(row, records);
  ASSERT_TRUE(found) << found.error().line();
  EXPECT_NEAR(found->value, 6, 1e-9);
  EXPECT_NEAR(found->deviation.value_or(9), 0, 1e-9);
  ASSERT_EQ(found->points.size(), 1U);
  EXPECT_EQ(found->points.front().config, "blocks=1,threads=32");
  row.less = 2;  // of which the memory unit adds two
  EXPECT_NEAR(estimated(row, records)->value, 4, 1e-9);
}

TEST(LatencyEstimator, TakesTheLeastLoadedAndTheDeviceClock) {
  std::vector<Record> records;
  for (const int p : {10, 20}) {
    records.push_back(time_of("chain", passes(1, 32, p), p * 6e-3, 0));
    records.push_back(time_of("chain", passes(1, 64, p), p * 7e-3, 0));
  }
  for (Record& record : records) record.clock_mhz = {};  // 1000 MHz of the device
  const auto found = estimated(row_of("latency", "cycles", {"chain"}), records);
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->value, 6, 1e-9);
  EXPECT_EQ(found->note, "at blocks=1,threads=32, the least of 2 configurations");
  NumberRow wide = row_of("latency", "cycles", {"chain"});
  wide.where = {{"threads", "64"}};
  EXPECT_NEAR(estimated(wide, records)->value, 7, 1e-9);
}

TEST(LatencyEstimator, DeviationOfTwoNoisyPoints) {
  // Repeats 1 and 3, 11 and 13 us: means' deviations are sqrt(2) / sqrt(2) = 1 each, 10 passes
  // apart.
  const std::vector<Record> records = {
      record_of("chain", passes(1, 32, 10), "time", {{1, 1}, {3, 1}}, 1000),
      record_of("chain", passes(1, 32, 20), "time", {{11, 1}, {13, 1}}, 1000)};
  const auto found = estimated(row_of("latency", "cycles", {"chain"}), records);
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->value, 1000, 1e-9);
  EXPECT_NEAR(found->deviation.value_or(0), 1000 * std::sqrt(2) / 10, 1e-9);
}

TEST(LatencyEstimator, NoiseStaysWithinItsDeviation) {
  std::vector<Record> records;
  unsigned seed = 11;
  for (const int p : {100, 200, 300, 400, 500}) {
    records.push_back(time_of("chain", passes(1, 32, p), 3 + p * 0.4, 1000, 0.002, seed++));
  }
  const auto found = estimated(row_of("latency", "cycles", {"chain"}), records);
  ASSERT_TRUE(found && found->deviation);
  EXPECT_GT(*found->deviation, 0.05);
  EXPECT_NEAR(found->value, 400, 3 * *found->deviation);
}

TEST(LatencyEstimator, Refusals) {
  EXPECT_EQ(refusal(row_of("latency", "cycles", {"chain", "other"}), {}),
            "fact: no samples of time from chain, other; run forewarp-bench with these tests");
  EXPECT_EQ(refusal(row_of("latency", "cycles", {"chain"}),
                    {time_of("chain", passes(1, 32, 10), 1, 1000)}),
            "chain blocks=1,threads=32: a line through 1 points; expected at least two different "
            "values; sweep it in the list of tests");
}

TEST(RateEstimator, CyclesOfAnInstructionAndInstructionsOfACycle) {
  // 20 blocks of 512 threads on 10 SMs: 32 warps an SM; 64 instructions a pass, 0.5 cycles each.
  std::vector<Record> records;
  for (const int p : {4, 8}) {
    records.push_back(time_of("rate", passes(20, 512, p), 2 + p * 64 * 32 * 0.5 / 1200, 1200));
    records.push_back(time_of("rate", passes(10, 512, p), 2 + p * 64 * 16 * 0.8 / 1200, 1200));
  }
  NumberRow row = row_of("rate", "cycles", {"rate"});
  row.work = 64;
  const auto cycles = estimated(row, records);
  ASSERT_TRUE(cycles) << cycles.error().line();
  EXPECT_NEAR(cycles->value, 0.5, 1e-9);
  row.unit = "1/cycle";
  row.factor = 32;
  const auto rate = estimated(row, records);
  ASSERT_TRUE(rate);
  EXPECT_NEAR(rate->value, 64, 1e-6);  // results a cycle and SM
  EXPECT_NEAR(rate->points.back().value, 40, 1e-6);
}

TEST(RateEstimator, Refusals) {
  const std::vector<Record> flat = {time_of("rate", passes(10, 32, 4), 5, 1000),
                                    time_of("rate", passes(10, 32, 8), 5, 1000)};
  EXPECT_EQ(refusal(row_of("rate", "cycles", {"rate"}), flat),
            "fact: the time of rate does not grow with its work; expected longer times for more of "
            "it; measure more passes");
  const std::vector<Record> bare = {time_of("rate", "passes=4", 5, 1000),
                                    time_of("rate", "passes=8", 6, 1000)};
  EXPECT_EQ(refusal(row_of("rate", "cycles", {"rate"}), bare),
            "rate: work of an SM needs blocks, threads, SMs and lanes of a warp; expected blocks "
            "and threads in the configuration, sm.count of the device");
}

TEST(LineEstimator, InterceptAndSlope) {
  std::vector<Record> records;  // 2.5 us + 3 ns a block
  for (const int blocks : {100, 200, 400}) {
    records.push_back(
        time_of("empty", "threads=32,blocks=" + std::to_string(blocks), 2.5 + 3e-3 * blocks, 1000));
  }
  NumberRow row = row_of("line", "us", {"empty"});
  row.over = "blocks";
  EXPECT_NEAR(estimated(row, records)->value, 2.5, 1e-9);
  row.part = "slope";
  EXPECT_NEAR(estimated(row, records)->value, 3e-3, 1e-12);
  row.part = "r2";
  EXPECT_NEAR(estimated(row, records)->value, 1, 1e-12);
  row.part = "peak";
  EXPECT_EQ(refusal(row, records),
            "fact: 'line' has no part 'peak'; expected intercept, slope, r2");
  row = row_of("slope", "cycles", {"empty"});
  row.over = "blocks";
  EXPECT_NEAR(estimated(row, records)->value, 3, 1e-9);  // at 1000 MHz
}

TEST(BandwidthEstimator, OfTheDeviceAndOfAnSm) {
  std::vector<Record> records;  // 5 us + bytes at 300 GB/s
  for (const double bytes : {1e8, 2e8}) {
    records.push_back(time_of("copy", "blocks=100,threads=256,bytes=" + significant(bytes, 9),
                              5 + bytes / 300e3, 1500));
  }
  NumberRow row = row_of("bandwidth", "GB/s", {"copy"});
  EXPECT_NEAR(estimated(row, records)->value, 300, 1e-6);
  row.work = 2;  // read and written
  EXPECT_NEAR(estimated(row, records)->value, 600, 1e-6);
  row.unit = "1";
  row.divide = "memory.theory_gbs";
  row.work = 1;
  EXPECT_NEAR(estimated(row, records)->value, 0.75, 1e-9);
  row.unit = "B/cycle";
  row.divide = "";
  EXPECT_NEAR(estimated(row, records)->value, 300e3 / 1500 / 10, 1e-6);
  row.divide = "memory.pins";
  EXPECT_EQ(refusal(row, records),
            "fact: is to be divided by memory.pins, which is not known; expected a fact of the "
            "device, or a row before this one");
  records.pop_back();  // one size: its whole time
  row = row_of("bandwidth", "GB/s", {"copy"});
  EXPECT_NEAR(estimated(row, records)->value, 1e8 / (5 + 1e8 / 300e3) / 1e3, 1e-6);
}

/// A chase of 100 accesses: L1 30 up to 32 KB, a line up to L2 200 from 64 KB on, memory 500 from
/// 2 MB on.
std::vector<Record> chase() {
  std::vector<Record> records;
  for (double kb = 8; kb <= 8192; kb *= 1.25992105) {  // three sizes an octave
    const double bytes = std::floor(kb * 1024);
    const double share = std::clamp((bytes - 32768) / 32768, 0.0, 1.0);
    const double cycles = bytes > 2097152 ? 500 : 30 + 170 * share;
    records.push_back(time_of("chase", "blocks=1,threads=1,bytes=" + significant(bytes, 12),
                              100 * cycles / 1000, 1000));
  }
  return records;
}

TEST(PlateauEstimator, LevelsOfAChase) {
  NumberRow row = row_of("plateau", "cycles", {"chase"});
  row.work = 100;
  const double levels[] = {30, 200, 500};
  for (std::size_t level = 1; level <= 3; ++level) {
    row.level = level;
    const auto found = estimated(row, chase());
    ASSERT_TRUE(found) << found.error().line();
    EXPECT_NEAR(found->value, levels[level - 1], 1e-6);
  }
  row.level = 4;
  EXPECT_EQ(refusal(row, chase()),
            "fact: level 4 of 3 flat parts of the curve; expected as many levels; sweep more "
            "sizes, at least two in each level");
}

TEST(SizeEstimator, EndsOfALevel) {
  NumberRow row = row_of("size", "bytes", {"chase"});
  row.work = 100;
  EXPECT_NEAR(estimated(row, chase())->value, 32768, 1);
  row.part = "to";
  EXPECT_NEAR(estimated(row, chase())->value, 65536, 1);
  row.level = 2;
  row.part = "";
  const auto second = estimated(row, chase());  // a step: the largest size before it
  ASSERT_TRUE(second);
  EXPECT_NEAR(second->value, 2097152, 2);
  row.level = 3;
  EXPECT_EQ(refusal(row, chase()),
            "fact: level 3 is the last one; expected a level after it; sweep larger sizes");
}

TEST(SizeEstimator, WhatOneMissBringsAlong) {  // 32 bytes: from there on each load misses
  std::vector<Record> records;
  const std::pair<int, double> times[] = {{8, 30}, {16, 52}, {32, 100}, {64, 101}, {128, 100}};
  NumberRow row = row_of("size", "bytes", {});
  for (const auto& [stride, us] : times) {
    row.tests.push_back("chase_stride_" + std::to_string(stride));
    records.push_back(time_of(row.tests.back(), "blocks=1,threads=1,tours=1", us, 1000));
  }
  EXPECT_EQ(estimated(row, records)->value, 32);
  row.tests.back() = "chase";
  records.back().test = "chase";
  EXPECT_EQ(refusal(row, records), "fact: the test 'chase' ends in no number");
}

// 512 instructions still take as long as 64, of 16 bytes each.
TEST(SizeEstimator, CodeThatACacheHolds) {
  NumberRow row = row_of("size", "bytes", {"code_64", "code_512", "code_1024"});
  row.part = "from";
  row.factor = 16;
  std::vector<Record> records = {time_of("code_64", "blocks=1", 100, 1000),
                                 time_of("code_512", "blocks=1", 102, 1000),
                                 time_of("code_1024", "blocks=1", 104, 1000)};
  EXPECT_EQ(estimated(row, records)->value, 8192);
  records.back() = time_of("code_1024", "blocks=1", 102.5, 1000);
  EXPECT_EQ(refusal(row, records),
            "fact: takes no longer up to 1024; expected a larger one that does");
}

/// 100 operations that take 79 cycles longer, each launch at its own clock.
TEST(DifferenceEstimator, InCyclesOfAnOperation) {
  const std::vector<Record> records = {
      time_of("far", "blocks=1,threads=32", 5 + 100 * 83 / 1400.0, 1400),
      time_of("near", "blocks=1,threads=32", 5 + 100 * 4 / 1400.0, 1400)};
  NumberRow row = row_of("difference", "cycles", {"far", "near"});
  row.work = 100;
  EXPECT_NEAR(estimated(row, records)->value, 79, 1e-9);
}

TEST(DifferenceEstimator, OfTheSameLaunch) {
  const std::vector<Record> records = {time_of("event", "blocks=1,threads=32", 6.5, 1000),
                                       time_of("empty", "blocks=8,threads=32", 9, 1000),
                                       time_of("empty", "blocks=1,threads=32", 2.25, 1000)};
  EXPECT_NEAR(estimated(row_of("difference", "us", {"event", "empty"}), records)->value, 4.25,
              1e-12);
  EXPECT_EQ(refusal(row_of("difference", "us", {"event"}), records),
            "fact: a difference of 1 tests; expected two");
  EXPECT_EQ(refusal(row_of("difference", "us", {"event", "empty"}), {records[0], records[1]}),
            "fact: no launch of event was measured as empty, too; expected the same blocks and "
            "threads");
}

TEST(BandwidthEstimator, OfThreadsThatMoveBytesInEachPass) {
  // 100 x 256 threads of 128 bytes a pass at 200 of 400 GB/s: 16.384 us a pass.
  std::vector<Record> records;
  for (const int p : {8, 16}) {
    records.push_back(time_of("read", passes(100, 256, p), 3 + p * 100 * 256 * 128 / 200e3, 1000));
  }
  NumberRow row = row_of("bandwidth", "1", {"read"});
  row.work = 128;
  EXPECT_NEAR(estimated(row, records)->value, 0.5, 1e-9);
}

TEST(LatencyEstimator, TakesToursWherePassesAreNone) {
  const std::vector<Record> records = {time_of("chase", "blocks=1,threads=1,tours=2", 2, 1000),
                                       time_of("chase", "blocks=1,threads=1,tours=4", 3, 1000)};
  EXPECT_NEAR(estimated(row_of("latency", "cycles", {"chase"}), records)->value, 500, 1e-9);
}

TEST(DirectEstimator, MeanOfMedians) {
  const std::vector<Record> records = {record_of("c", "", "count/misses", {{4, 3}, {100, 1}}),
                                       record_of("c", "", "count/misses", {{8, 1}})};
  NumberRow row = row_of("direct", "1", {"c"});
  row.quantity = "count/misses";
  row.work = 2;
  const auto found = estimated(row, records);
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->value, 3, 1e-12);
  EXPECT_NEAR(found->deviation.value_or(0), std::sqrt(2), 1e-12);
}

TEST(LoadEstimator, ReturnsABC) {  // latency(T) = 400 + 20 T / (150 - T)
  std::vector<Record> records;
  for (const double gbs : {10., 40., 70., 100., 120., 135., 145.}) {
    records.push_back(record_of("loaded", "gbs=" + significant(gbs, 9), "window",
                                {{400 + 20 * gbs / (150 - gbs), 1}}));
  }
  NumberRow row = row_of("load", "cycles", {"loaded"});
  EXPECT_NEAR(estimated(row, records)->value, 400, 0.5);
  row.part = "b";
  EXPECT_NEAR(estimated(row, records)->value, 20, 0.2);
  row.part = "c";
  EXPECT_NEAR(estimated(row, records)->value, 150, 0.2);
  row.over = "load";
  EXPECT_EQ(refusal(row, records),
            "fact: loaded has no load in its configuration; expected load=GB/s");
}

TEST(ClockEstimator, MeanOfTheRecords) {
  const std::vector<Record> records = {time_of("a", "x=1", 1, 1300), time_of("a", "x=2", 1, 1320)};
  EXPECT_NEAR(estimated(row_of("clock", "MHz", {"a"}), records)->value, 1310, 1e-9);
  NumberRow row = row_of("clock", "W", {"a"});
  row.part = "power";
  EXPECT_EQ(refusal(row, records),
            "fact: a ran without a record of it; expected power_w; measure where the driver tells "
            "it");
}

TEST(WindowEstimator, RefusesLanesThatAreNone) {
  const std::vector<Record> records = {record_of("add", "blocks=1", "window", {{55, 32}}),
                                       record_of("add", "blocks=1", "empty", {{38, 32}})};
  const NumberRow row = row_of("window", "cycles", {"add"});
  for (const double lanes : {0.0, 0.5, -32.0, 2048.0}) {
    const Evidence told(records, [&](std::string_view) { return lanes; });
    const auto value = (*estimators().find("window"))->estimate(row, told);
    ASSERT_FALSE(value);
    EXPECT_EQ(value.error().line(),
              "add blocks=1: limits.warp_lanes is " + significant(lanes, 12) +
                  "; expected a whole number from 1 to 1024; see device.json");
  }
}

TEST(WindowEstimator, PartsOfASingleConfiguration) {
  // X {17: 3/4, 25: 1/4}, Y {38: 1/2, 40: 1/2}: Z {55: 3, 57: 3, 63: 1, 65: 1} of 8, 32 lanes each.
  const std::vector<Record> records = {
      record_of("add", "blocks=1,threads=32", "window", {{55, 96}, {57, 96}, {63, 32}, {65, 32}}),
      record_of("add", "blocks=1,threads=32", "empty", {{38, 32}, {40, 32}})};
  NumberRow row = row_of("window", "cycles", {"add"});
  const auto mean = estimated(row, records);
  ASSERT_TRUE(mean) << mean.error().line();
  EXPECT_NEAR(mean->value, 19, 1e-12);
  EXPECT_NEAR(mean->deviation.value_or(0), std::sqrt(64.0 * 3 / 16), 1e-12);  // Var Z - Var Y
  row.part = "mode";
  EXPECT_EQ(estimated(row, records)->value, 17);
  row.part = "exact";
  EXPECT_NEAR(estimated(row, records)->value, 19, 1e-9);
  EXPECT_NEAR(estimated(row, records)->deviation.value_or(0), std::sqrt(12), 1e-9);
  row.part = "l3";
  EXPECT_EQ(refusal(row, records),
            "fact: 'window' has no part 'l3'; expected mean, mode, exact, l1, l2, memory, "
            "memory_slope, memory_shift, memory_r2, l1_share, l2_share, memory_share");
  row.part = "l2";
  EXPECT_EQ(refusal(row, records),
            "fact: levels need a bound for the mean of what stays in L2; expected mean_below");
  row.part = "";
  EXPECT_EQ(
      refusal(row, {records.front(), record_of("add", "blocks=2,threads=32", "empty", {{38, 32}})}),
      "add blocks=1,threads=32: windows without the empty ones; expected both of one "
      "configuration; run forewarp-bench again with --resume");
}

// As above, with three moved registers in the window, of 9 cycles each.
TEST(WindowEstimator, MovedRegistersAreTakenOff) {
  const std::vector<Record> records = {
      record_of("load", "blocks=1,threads=32", "window", {{82, 96}, {90, 32}}),
      record_of("load", "blocks=1,threads=32", "empty", {{38, 128}})};
  NumberRow row = row_of("window", "cycles", {"load"});
  EXPECT_NEAR(estimated(row, records)->value, 46, 1e-12);
  row.moved = 3;
  row.move = "figure.move";
  const auto told = [&](std::string_view path) -> std::optional<double> {
    return path == "figure.move" ? 9 : known(path);
  };
  const auto found = (*estimators().find("window"))->estimate(row, Evidence(records, told));
  ASSERT_TRUE(found) << found.error().line();
  EXPECT_NEAR(found->value, 19, 1e-12);
  EXPECT_NEAR(found->points.front().value, 19, 1e-12);
  EXPECT_NEAR(found->deviation.value_or(0), std::sqrt(12), 1e-12);
  EXPECT_NE(found->note.find("less 3 moved registers of 9 cycles"), std::string::npos);
  EXPECT_EQ(refusal(row, records),
            "fact: moves registers for figure.move, which is not known; expected a fact of the "
            "device, or a row before this one");
}

// Means of 300 both, below 350; 30 misses less the empty kernel's 15 are below 20, 30 less 5 are
// not: only the first configuration stays in L2.
TEST(WindowEstimator, MissesOfTheEmptyKernelAreNotThoseOfTheLoads) {
  std::vector<Record> records;
  const auto add = [&](const std::string& config, double cycles, double idle) {
    records.push_back(record_of("load", config, "window", {{cycles, 32}}));
    records.push_back(record_of("load", config, "empty", {{40, 32}}));
    records.push_back(record_of("load", config, "count/l2_read_sector_misses", {{30, 1}}));
    records.push_back(record_of("load", config, "empty/l2_read_sector_misses", {{idle, 1}}));
  };
  add("blocks=1,threads=32", 340, 15);
  add("blocks=2,threads=32", 341, 5);
  NumberRow row = row_of("window", "cycles", {"load"});
  row.part = "l2";
  row.mean_below = 350;
  row.misses_below = 20;
  const auto found = estimated(row, records);
  ASSERT_TRUE(found) << found.error().line();
  ASSERT_EQ(found->points.size(), 1U);  // 301 cycles are beyond the boundary of 300
  EXPECT_NEAR(found->value, 300, 1e-9);
}

}  // namespace
}  // namespace forewarp::tests
