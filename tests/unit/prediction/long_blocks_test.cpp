// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Blocks that are too long to be executed: which of them stands for all, and how long it is.
#include "prediction/long_blocks.h"

#include <gtest/gtest.h>

namespace forewarp::tests {
namespace {

using prediction::LongBlocks;

WarpTrace begun(std::uint64_t instructions) {
  WarpTrace trace;
  trace.instructions = instructions;
  return trace;
}

TEST(LongBlocks, ThoseApartAreOnesThatThePlanFound) {
  ExecutedProfile executed;
  executed.plan.apart = {30, 7, 9, 0.75, {}};
  const LongBlocks longest = prediction::longest_blocks(executed, {});
  EXPECT_TRUE(longest.apart);
  EXPECT_EQ(longest.blocks, 30);
  EXPECT_EQ(longest.block, 7U);
  EXPECT_EQ(longest.last, 9U);
  EXPECT_EQ(longest.mean_share, 0.75);
}

// Two warps that began with 30 and 20 instructions, of 300 and 100 in all.
TEST(LongBlocks, AreLongerThanTheirBeginning) {
  LongBlocks longest;
  longest.warps = {begun(30), begun(20)};
  longest.work = {400, 300, true};
  EXPECT_EQ(longest.beyond_longest(), 10);
  EXPECT_EQ(longest.beyond_all(), 8);
  longest.work = {};  // nothing was counted: at least what was executed
  EXPECT_EQ(longest.beyond_longest(), 1);
  EXPECT_EQ(longest.beyond_all(), 1);
}

}  // namespace
}  // namespace forewarp::tests
