// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "timing/sm_group.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace forewarp::tests {
namespace {

GridRun::Part part(double end, std::uint64_t blocks) {
  return {ticks(end), blocks};
}

GridRun run_of(std::vector<GridRun::Part> parts) {
  GridRun run;
  for (const auto& one : parts) run.end = std::max(run.end, one.end);
  run.parts = std::move(parts);
  return run;
}

// 10 blocks of 100 instructions are 1000: all 4 SMs are followed.
TEST(SmGroup, IsAllWhereTheyAreNotTooMuch) {
  const SmGroup group = group_of(10, 4, 100, 1000);
  EXPECT_EQ(group.sms, 4U);
  EXPECT_EQ(group.blocks, 10U);
  EXPECT_DOUBLE_EQ(group.share, 0.25);
  EXPECT_DOUBLE_EQ(group.late, 0);
}

// An SM executes 250 in the mean, so 550 are two, with 5 blocks, half of all: half of the device's
// rate for half of its traffic, 10 / (5 * 4) of the time at one SM's quarter of it. The third block
// of an SM starts as the 10th of 10, after one of four SMs; in the group as the 5th, after none of
// two.
TEST(SmGroup, TakesItsPartOfBlocksAndRates) {
  const SmGroup group = group_of(10, 4, 100, 550);
  EXPECT_EQ(group.sms, 2U);
  EXPECT_EQ(group.blocks, 5U);
  EXPECT_DOUBLE_EQ(group.share, 0.5);
  EXPECT_DOUBLE_EQ(group.late, 0.25);
}

// One SM has 3 of the 2.5 blocks of the mean; the other SMs ask for less: 10 / (3 * 4).
TEST(SmGroup, IsOneSmAtLeast) {
  const SmGroup group = group_of(10, 4, 100, 10);
  EXPECT_EQ(group.sms, 1U);
  EXPECT_EQ(group.blocks, 3U);
  EXPECT_DOUBLE_EQ(group.share, 10 / 12.0);
}

// 4 SMs with room for 3 blocks each start 12 at once.
TEST(SmGroup, SharesOutTheBlocksOfALastRoundThatIsNotFull) {
  EXPECT_FALSE(shares_out(11, 4, 3));
  EXPECT_FALSE(shares_out(12, 4, 3));
  EXPECT_TRUE(shares_out(13, 4, 3));
  EXPECT_FALSE(shares_out(24, 4, 3));
  EXPECT_TRUE(shares_out(95, 4, 3));
  EXPECT_FALSE(shares_out(97, 4, 3));  // a block more or less of so many rounds
}

// Of 2, 3 and 6 draws: the normal quantiles of 1.625/2.25, 2.625/3.25 and 5.625/6.25.
TEST(SmGroup, ExpectsTheLargestOfSomeDraws) {
  EXPECT_EQ(expected_largest(1), 0);
  EXPECT_NEAR(expected_largest(2), 0.5895, 1e-3);
  EXPECT_NEAR(expected_largest(3), 0.8694, 1e-3);
  EXPECT_NEAR(expected_largest(6), 1.2816, 1e-3);
}

// Ends of 100, 110, 120 with two blocks each and 60 with one: 10 of deviation (200 over 2 degrees
// of freedom). 7 of 14 blocks: 6 such SMs are to be expected, so 120 + 10 * (1.2816 - 0.8694), and
// 110 + 10 * 1.2816.
TEST(SmGroup, ForeseesTheLastOfAll) {
  const GridRun run = run_of({part(100, 2), part(120, 2), part(60, 1), part(110, 2)});
  EXPECT_NEAR(last_of_all(run, 14), (124.122 + 122.816) / 2, 0.02);
}

// SMs with few blocks of which there will be many: 4 of 118 and 122 beside 2 of 120.
TEST(SmGroup, TheLastMayBeOneWithFewBlocks) {
  const GridRun run =
      run_of({part(118, 1), part(122, 1), part(118, 1), part(122, 1), part(100, 2), part(100, 2)});
  const double deviation = 2;  // 16 over 4 degrees of freedom
  const double from_last = 122 + deviation * (expected_largest(4) - expected_largest(2));
  const double from_mean = 120 + deviation * expected_largest(8);
  EXPECT_NEAR(last_of_all(run, 16), (from_last + from_mean) / 2, 1e-6);
}

TEST(SmGroup, WhatWasFollowedWholeIsNotForeseen) {
  EXPECT_EQ(last_of_all(run_of({part(100, 1), part(110, 1), part(120, 1)}), 3), 120);
}

// Two SMs say nothing of a spread.
TEST(SmGroup, FewSmsForeseeTheirOwnLast) {
  EXPECT_EQ(last_of_all(run_of({part(100, 1), part(120, 1)}), 20), 120);
}

}  // namespace
}  // namespace forewarp::tests
