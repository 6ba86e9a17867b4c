// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Blocks that share SMs, by hand.
#include "model/uneven_blocks.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace forewarp::tests {
namespace {

constexpr BlockCost cost(double busy, double alone) {
  return {Cycles(busy), Cycles(alone)};
}

// Two blocks beside each other: with p = 1 each waits for itself and for both, with a large p the
// SM is busy for both while each is alone.
TEST(UnevenBlocks, EqualBlocksShareAnSm) {
  EXPECT_NEAR(time_of_equal_blocks(2, cost(10, 30), {1, 2}, 1).value(), 30 + 2 * 10, 1e-6);
  EXPECT_NEAR(time_of_equal_blocks(2, cost(10, 30), {1, 2}, most_power).value(), 30, 0.5);
  EXPECT_NEAR(time_of_equal_blocks(5, cost(10, 30), {1, 2}, 1).value(), 2 * 50 + 40, 1e-6);
}

TEST(UnevenBlocks, BlocksThatAreAlikeTakeWhatEqualOnesDo) {
  const BlockCost each = cost(10, 30);
  for (const double power : {1.0, 1.5, 3.0}) {
    EXPECT_NEAR(time_of_blocks(std::vector<BlockCost>(528, each), {132, 8}, power).value(),
                time_of_equal_blocks(528, each, {132, 8}, power).value(), 1e-3);
  }
}

// The short one needs half of its work per 10 cycles beside the other: gone after 20. The long one
// has done 20 of its 100 by then, at half the rate, and needs 90 more alone.
TEST(UnevenBlocks, ALongBlockGoesOnAloneAtItsOwnPace) {
  const auto time = time_of_blocks({cost(10, 1), cost(100, 1)}, {1, 2}, most_power);
  EXPECT_NEAR(time.value(), 20 + 90, 0.5);
}

TEST(UnevenBlocks, ABlockStartsWhereOneEnds) {
  const auto time =
      time_of_blocks({cost(10, 10), cost(50, 50), cost(10, 10), cost(10, 10)}, {2, 1}, most_power);
  EXPECT_NEAR(time.value(), 50 * std::pow(2, 1 / most_power), 1e-6);
}

// 512 blocks of 1 to 32 passes on 132 SMs: 3.9 blocks of 16.5 on average. An H200's fullest quarter
// of an SM counted 1.74 times the mean's instructions.
TEST(UnevenBlocks, TheFullestSmHasFarMoreThanTheMean) {
  std::vector<BlockCost> blocks;
  for (int b = 0; b < 512; ++b) blocks.push_back(cost(b % 32 + 1, 0));
  const double mean = 512 * 16.5 / 132;
  EXPECT_NEAR(time_of_blocks(blocks, {132, 8}, 2).value() / mean, 1.74, 0.1);
}

TEST(UnevenBlocks, ThePowerIsThatOfTheTime) {
  for (const double power : {1.2, 2.0, 5.0}) {
    const Cycles time = time_of_equal_blocks(500, cost(10, 30), {132, 8}, power);
    EXPECT_NEAR(power_of(time, 500, cost(10, 30), {132, 8}), power, 1e-3);
  }
  EXPECT_NEAR(power_of(Cycles(1e9), 500, cost(10, 30), {132, 8}), least_power, 1e-3);
}

}  // namespace
}  // namespace forewarp::tests
