// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "stage_bench.h"
#include "timing/stages/dispatch.h"

namespace forewarp::tests {
namespace {

// Three warps on two schedulers, in turn, 5 cycles apart.
TEST(DispatchStage, WarpsGoToTheEmptiestScheduler) {
  StageBench bench;
  bench.machine.schedulers = 2;
  bench.machine.warp_start = 5 * cycle;
  bench.warps = 3;
  bench.add();
  SmState& sm = bench.start();
  EXPECT_EQ(sm.cores[0].resident, 2U);
  EXPECT_EQ(sm.cores[1].resident, 1U);
  EXPECT_EQ(sm.cores[0].ready[0], 0);
  EXPECT_EQ(sm.cores[1].ready[0], 5 * cycle);
  EXPECT_EQ(sm.cores[0].ready[1], 10 * cycle);
  EXPECT_EQ(sm.next[1], 5 * cycle);
}

TEST(DispatchStage, StartsNoBlockWithoutAPlaceOrWithoutABlock) {
  StageBench bench;
  bench.blocks = 2;
  bench.add();
  SmState& one_place = bench.start();
  EXPECT_FALSE(start_block(one_place, 0));
  bench.resident = 3;
  SmState& three = bench.start();
  EXPECT_TRUE(start_block(three, 0));
  EXPECT_FALSE(start_block(three, 0));
}

// The block's last warp leaves at 20: its place is taken again after 7 + 2 cycles.
TEST(DispatchStage, TheLastWarpOfABlockMakesRoom) {
  StageBench bench;
  bench.machine.refill = 7 * cycle;
  bench.machine.start = 2 * cycle;
  bench.warps = 2;
  bench.blocks = 2;
  bench.add();
  SmState& sm = bench.start();
  SubCore& core = sm.cores[0];
  leave(sm, core, 0, 10 * cycle);
  EXPECT_EQ(sm.finished, 0U);
  EXPECT_EQ(core.resident, 1U);
  leave(sm, core, 1, 20 * cycle);
  EXPECT_EQ(sm.finished, 1U);
  EXPECT_EQ(core.resident, 2U);
  EXPECT_EQ(core.ready[0], 29 * cycle);
  EXPECT_EQ(sm.blocks[0].number, 1U);
  EXPECT_EQ(sm.marks[0].at, 20 * cycle);
}

}  // namespace
}  // namespace forewarp::tests
