// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "result/profiler_metrics.h"

#include <algorithm>
#include <set>
#include <string_view>

#include <gtest/gtest.h>

namespace forewarp::tests {
namespace {

double metric(const Result& result, std::string_view name) {
  for (const ProfilerMetric& one : profiler_metrics(result))
    if (one.name == name) return one.value;
  return -1;
}

/// 2 ms at 1,000 MHz are 2,000,000 cycles.
Result launched() {
  Result r;
  r.time_ms = 2;
  r.gpu.clock_mhz = 1000;
  r.gpu.sms = 10;
  r.launch.grid = {4, 3, 1};
  r.launch.block = {32, 8, 1};
  r.kernel.registers = 40;
  r.occupancy.warps_per_sm = 16;
  r.occupancy.max_warps_per_sm = 64;
  r.profile.warp_instructions = 5e6;
  r.profile.thread_instructions = 8e7;
  r.profile.global_load_requests = 1000;
  r.profile.global_load_sectors = 4500;
  r.profile.dram_read_bytes = 3e6;
  r.profile.dram_write_bytes = 1e6;
  r.profile.l1_hit_rate = 0.25;
  return r;
}

TEST(ProfilerMetrics, CountsKeepTheirFigures) {
  const Result r = launched();
  EXPECT_EQ(metric(r, "launch__grid_size"), 12);
  EXPECT_EQ(metric(r, "launch__block_size"), 256);
  EXPECT_EQ(metric(r, "launch__registers_per_thread"), 40);
  EXPECT_EQ(metric(r, "smsp__inst_executed.sum"), 5e6);
  EXPECT_EQ(metric(r, "smsp__thread_inst_executed_pred_on.sum"), 8e7);
  EXPECT_EQ(metric(r, "dram__bytes_read.sum"), 3e6);
  EXPECT_EQ(metric(r, "dram__bytes_write.sum"), 1e6);
}

TEST(ProfilerMetrics, RatesAreOfThePredictedTime) {
  const Result r = launched();
  EXPECT_EQ(metric(r, "gpu__time_duration.sum"), 2e6);  // ns
  EXPECT_EQ(metric(r, "sm__cycles_elapsed.max"), 2e6);
  // 5e6 instructions / (10 SMs * 2e6 cycles)
  EXPECT_DOUBLE_EQ(metric(r, "sm__inst_executed.avg.per_cycle_elapsed"), 0.25);
  // 4e6 bytes / 0.002 s
  EXPECT_DOUBLE_EQ(metric(r, "dram__bytes.sum.per_second"), 2e9);
  EXPECT_EQ(metric(r, "sm__maximum_warps_per_active_cycle_pct"), 25);
  EXPECT_EQ(metric(r, "l1tex__t_sector_hit_rate.pct"), 25);
  EXPECT_EQ(metric(r, "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio"), 4.5);
  EXPECT_EQ(metric(r, "smsp__thread_inst_executed_per_inst_executed.pred_on_ratio"), 16);
}

TEST(ProfilerMetrics, CopiesAreNoTimeOfTheDevice) {
  Result r = launched();
  r.copies.resize(1);
  r.device_ms = 0.5;
  EXPECT_EQ(metric(r, "gpu__time_duration.sum"), 5e5);
}

TEST(ProfilerMetrics, SharesOfBoundsArePercentOfPeak) {
  Result r = launched();
  EXPECT_EQ(metric(r, "sm__pipe_fma_cycles_active.avg.pct_of_peak_sustained_elapsed"), -1);
  r.bounds = {{"dram", "device memory", 4, 1.6, 0.8, ""},
              {"fma", "FMA pipe", 2, 0.8, 0.4, ""},
              {"nobody's", "no unit of the profiler", 2, 0.8, 0.4, ""}};
  EXPECT_EQ(metric(r, "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed"), 80);
  EXPECT_EQ(metric(r, "sm__pipe_fma_cycles_active.avg.pct_of_peak_sustained_elapsed"), 40);
}

// Two instructions of 30 and 10 issues: (30 * 2 + 10 * 6 + 10 * 4) / 40 cycles for data from L2 and
// beyond, which the profiler calls one name.
TEST(ProfilerMetrics, WaitsAreCyclesPerIssue) {
  Result r = launched();
  r.simulation.instructions = {{0, 30, {{"l2", 2}, {"issue", 1}}},
                               {16, 10, {{"l2", 6}, {"memory", 4}, {"barrier", 8}}}};
  EXPECT_EQ(metric(r, "smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio"),
            4);
  EXPECT_EQ(metric(r, "smsp__average_warps_issue_stalled_barrier_per_issue_active.ratio"), 2);
  EXPECT_EQ(metric(r, "smsp__average_warps_issue_stalled_wait_per_issue_active.ratio"), -1);
}

TEST(ProfilerMetrics, GroupsFollowEachOtherAndNamesAreUnique) {
  Result r = launched();
  r.bounds = {{"issue", "warp schedulers", 2, 0.8, 0.4, ""}};
  const auto metrics = profiler_metrics(r);
  EXPECT_TRUE(std::ranges::is_sorted(metrics, {}, &ProfilerMetric::group));
  std::set<std::string_view> names;
  for (const ProfilerMetric& one : metrics) EXPECT_TRUE(names.insert(one.name).second) << one.name;
}

}  // namespace
}  // namespace forewarp::tests
