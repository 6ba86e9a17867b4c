// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "comparison/advice/changes.h"

#include <gtest/gtest.h>

namespace forewarp::tests {
namespace {

/// Blocks of 8 warps, of which an SM of 82 takes 6, with 100 requests of 31.8 sectors.
Result launched(std::uint32_t blocks) {
  Result result;
  result.gpu.sms = 82;
  result.launch.grid = {blocks, 1, 1};
  result.occupancy.blocks_per_sm = 6;
  result.occupancy.warps_per_sm = 48;
  result.profile.shared_wavefronts = 8'400'000;
  Result::Execution::Access access;
  access.space = "global";
  access.requests = 100;
  access.sectors = 3180;
  result.execution.accesses = {access};
  Result::Bound bound;
  bound.resource = "lsu";
  bound.label = "L1 data stage";
  bound.time_ms = 3;
  result.bounds = {bound};
  return result;
}

TEST(Changes, OfSectorsPerRequest) {
  Result then = launched(1024);
  then.execution.accesses.front().sectors = 1600;
  EXPECT_EQ(changes(launched(1024), then), "16 sectors per request instead of 31.8");
  EXPECT_EQ(changes(then, launched(1024)), "");  // more sectors are no reason for a gain
  then.execution.accesses.front().space = "shared";
  then.execution.accesses.push_back(launched(1).execution.accesses.front());
  EXPECT_EQ(changes(launched(1024), then), "");
}

// 32 blocks leave 50 of 82 SMs idle; of 64 blocks with half the warps an SM has one at a time too.
TEST(Changes, OfSmsInUse) {
  Result then = launched(64);
  then.occupancy.blocks_per_sm = 12;
  EXPECT_EQ(changes(launched(32), then), "64 of 82 SMs in use instead of 32");
}

// 100 blocks are two for some SMs: one after the other where only one fits (100 / 82 waves).
TEST(Changes, OfWarpsAtATime) {
  Result now = launched(100);
  now.occupancy.blocks_per_sm = 1;
  now.occupancy.warps_per_sm = 8;
  EXPECT_EQ(changes(now, launched(100)),
            "16 warps at a time on an SM instead of 8, 1 waves instead of 1.22");
}

TEST(Changes, TheLargestThreeComeFirst) {
  Result now = launched(1024), then = now;
  now.profile.warp_instructions = 3'000'000;
  then.profile.warp_instructions = 2'000'000;  // 1.5 times
  then.profile.shared_wavefronts = 2'100'000;  // 4 times
  now.profile.dram_read_bytes = 2000;
  then.profile.dram_write_bytes = 1000;  // 2 times
  now.profile.local_sectors = 110;
  then.profile.local_sectors = 100;
  EXPECT_EQ(changes(now, then),
            "2.1 M passes through the banks of shared memory instead of 8.4 M, 1 kB to and from "
            "device memory instead of 2 kB, 2 M warp instructions instead of 3 M");
}

TEST(Changes, WithoutOneTheLimitSaysSo) {
  Result then = launched(1024);
  then.profile.shared_wavefronts *= 0.99;  // within what may differ
  then.bounds.front().time_ms = 1.5;
  EXPECT_EQ(changes(launched(1024), then), "1.5 ms of L1 data stage instead of 3");
}

}  // namespace
}  // namespace forewarp::tests
