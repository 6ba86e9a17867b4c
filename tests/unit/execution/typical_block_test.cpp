// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "execution/grid/typical_block.h"

#include <gtest/gtest.h>

namespace forewarp::tests {
namespace {

TEST(TypicalBlock, OfNone) {
  EXPECT_EQ(typical_block({}, {}), 0U);
}

// Blocks at the grid's edge have a warp that leaves early: the others are more.
TEST(TypicalBlock, IsNotAtTheEdge) {
  EXPECT_EQ(typical_block({{0, {398, 100}}, {1, {400, 100}}, {2, {400, 100}}, {3, {398, 99}}}, {}),
            1U);
}

// 60 of 64 blocks leave at once; of the work half is in blocks of no more than 800.
TEST(TypicalBlock, IsInTheMiddleOfTheWork) {
  std::map<std::uint64_t, BlockTotal> totals;
  for (std::uint64_t i = 0; i < 60; ++i) totals[i] = {4, 1};
  totals[60] = {500, 125};
  totals[61] = {800, 200};
  totals[62] = {800, 200};
  totals[63] = {100, 25};
  EXPECT_EQ(typical_block(totals, {}), 61U);
}

// A block with one long warp, where most of the work is in blocks of long warps.
TEST(TypicalBlock, CountsAllWarpsOfABlock) {
  EXPECT_EQ(typical_block({{0, {1070, 1000}}, {1, {8000, 1000}}, {2, {1070, 1000}}}, {}), 1U);
}

// The third block stands for a hundred.
TEST(TypicalBlock, OfASampleWeighs) {
  EXPECT_EQ(typical_block({{0, {400, 100}}, {1, {400, 100}}, {2, {40, 10}}}, {{2, 100}}), 2U);
  EXPECT_EQ(typical_block({{0, {400, 100}}, {1, {400, 100}}, {2, {40, 10}}}, {{2, 2}}), 0U);
}

}  // namespace
}  // namespace forewarp::tests
