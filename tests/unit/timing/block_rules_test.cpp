// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <gtest/gtest.h>

#include "sm_builder.h"

namespace forewarp::tests {
namespace {

const Op barrier{.latency = 20, .is_barrier = true};

TEST(BlockRules, BarrierWaitsForTheLastWarp) {
  SmBuilder sm;
  sm.warp({{.stall = 10}, barrier, {}}).warp({barrier, {}});
  // Warp 1 arrives at 0, warp 0 at 11: both go on at 11 + 20, the one that issued last first.
  EXPECT_EQ(sm.issues(0), (Cycles{1, 11, 31}));
  EXPECT_EQ(sm.issues(1), (Cycles{0, 32}));
}

TEST(BlockRules, BarrierOfALoneWarp) {
  SmBuilder sm;
  sm.warp({barrier, barrier, {}});
  EXPECT_EQ(sm.issues(0), (Cycles{0, 20, 40}));
}

TEST(BlockRules, BarrierIsTheBlocks) {
  SmBuilder sm;
  sm.resident = 2;
  sm.blocks = 2;
  sm.machine.block_start = ticks(50);
  sm.warp({barrier, {}});
  EXPECT_EQ(sm.issues(0, 0), (Cycles{0, 20}));
  EXPECT_EQ(sm.issues(0, 1), (Cycles{50, 70}));
}

TEST(BlockRules, BarrierDoesNotWaitForWarpsThatLeft) {
  SmBuilder sm;
  sm.warp({{.stall = 30}, {}}).warp({barrier, {}});
  // Warp 0 leaves at 31; warp 1 was to go on at 20 and is let go then.
  EXPECT_EQ(sm.issues(0), (Cycles{1, 31}));
  EXPECT_EQ(sm.issues(1), (Cycles{0, 32}));
}

TEST(BlockRules, NextBlockTakesThePlace) {
  SmBuilder sm;
  sm.blocks = 3;
  sm.machine.refill = ticks(100);
  sm.machine.start = ticks(20);
  sm.warp({{}, {}});
  // The last instruction's slot ends at 2; the next block issues at 2 + 100 + 20.
  EXPECT_EQ(sm.issues(0, 0), (Cycles{0, 1}));
  EXPECT_EQ(sm.issues(0, 1), (Cycles{122, 123}));
  EXPECT_EQ(sm.issues(0, 2), (Cycles{244, 245}));
}

TEST(BlockRules, PlaceIsFreeWhenTheLastWarpHasLeft) {
  SmBuilder sm;
  sm.blocks = 2;
  sm.machine.refill = ticks(10);
  sm.warp({{.stall = 30}, {}}).warp({{}});
  // Warp 0 issues at 1 and 31 and leaves at 32.
  EXPECT_EQ(std::min(sm.issues(0, 1).front(), sm.issues(1, 1).front()), 42);
}

TEST(BlockRules, FirstBlocksAndWarpsStartApart) {
  SmBuilder sm;
  sm.resident = 2;
  sm.blocks = 2;
  sm.machine.block_start = ticks(7);
  sm.machine.warp_start = ticks(3);
  sm.warp({{}}).again();
  EXPECT_EQ(sm.issues(0, 0), (Cycles{0}));
  EXPECT_EQ(sm.issues(1, 0), (Cycles{3}));
  EXPECT_EQ(sm.issues(0, 1), (Cycles{7}));
  EXPECT_EQ(sm.issues(1, 1), (Cycles{10}));
}

TEST(BlockRules, WarpsOfABlockGoRound) {
  SmBuilder sm;
  sm.machine.schedulers = 4;
  sm.warp({{}});
  for (int w = 1; w < 6; ++w) sm.again();
  for (std::uint32_t w = 0; w < 6; ++w) EXPECT_EQ(sm.scheduler(w), w % 4) << w;
}

TEST(BlockRules, NextBlockBeginsAtTheEmptiest) {
  SmBuilder sm;
  sm.machine.schedulers = 2;
  sm.resident = 2;
  sm.blocks = 2;
  sm.warp({{}}).again().again();
  // Three warps: two and one; the next block's first goes to the second scheduler.
  EXPECT_EQ(sm.scheduler(0, 0), 0U);
  EXPECT_EQ(sm.scheduler(1, 0), 1U);
  EXPECT_EQ(sm.scheduler(2, 0), 0U);
  EXPECT_EQ(sm.scheduler(0, 1), 1U);
  EXPECT_EQ(sm.scheduler(1, 1), 0U);
  EXPECT_EQ(sm.scheduler(2, 1), 1U);
}

TEST(BlockRules, EmptiestCountsTheWarpsThatAreLeft) {
  SmBuilder sm;
  sm.machine.schedulers = 2;
  sm.resident = 2;
  sm.blocks = 3;
  sm.warp({{.stall = 100}, {}}).warp({{}});
  // Long warps on scheduler 0, short ones on 1. When the first block ends, a long one is left:
  // the third block begins at scheduler 1, though it is scheduler 0's turn.
  EXPECT_EQ(sm.scheduler(0, 0), 0U);
  EXPECT_EQ(sm.scheduler(0, 1), 0U);
  EXPECT_EQ(sm.scheduler(0, 2), 1U);
  EXPECT_EQ(sm.scheduler(1, 2), 0U);
}

}  // namespace
}  // namespace forewarp::tests
