// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "stage_bench.h"
#include "timing/stages/ready.h"

namespace forewarp::tests {
namespace {

// Barrier 0 falls at 20: the warp, which could follow at 3, waits for a result of a unit.
TEST(ReadyStage, WaitsForItsBarrier) {
  StageBench bench;
  bench.add().wait_mask = 1;
  SmState& sm = bench.start();
  Warp& warp = sm.cores[0].warps[0];
  warp.state.next = {3 * cycle, Cause::dependence};
  warp.state.release[0] = {20 * cycle, Cause::math};
  EXPECT_EQ(own_ready(sm, warp), 20 * cycle);
  EXPECT_EQ(warp.wait, Cause::math);
  warp.state.release[0].at = 2 * cycle;
  EXPECT_EQ(own_ready(sm, warp), 3 * cycle);
  EXPECT_EQ(warp.wait, Cause::dependence);
}

// The next instruction goes with this one, a cycle later: its register, there at 9, holds it to 8.
TEST(ReadyStage, WaitsForWhatGoesWithIt) {
  StageBench bench;
  bench.add().with_next = true;
  TimedInstruction& second = bench.add();
  bench.kernel.slots = {1};
  bench.kernel.slot_count = 2;
  second.read_count = 1;
  SmState& sm = bench.start();
  Warp& warp = sm.cores[0].warps[0];
  warp.state.ready[1] = {9 * cycle, Cause::dependence};
  EXPECT_EQ(own_ready(sm, warp), 8 * cycle);
}

// Loads since the last wait asked for their data: after a wait others belong to another piece.
TEST(ReadyStage, DrawsAnewAfterAWait) {
  StageBench bench;
  bench.add().wait_mask = 1;
  SmState& sm = bench.start();
  Warp& warp = sm.cores[0].warps[0];
  const std::uint32_t draw = warp.draw;
  warp.state.drawn = true;
  EXPECT_EQ(own_ready(sm, warp), 0);
  EXPECT_EQ(warp.draw, draw);
  warp.state.release[0] = {20 * cycle, Cause::memory};
  EXPECT_EQ(own_ready(sm, warp), 20 * cycle);
  EXPECT_EQ(warp.draw, draw + even_step);
}

// The slot that set barrier 0 ended at 1, so it began at 0: seen from 2 on, where it falls at 20.
TEST(ReadyStage, SeesABarrierTwoCyclesLater) {
  StageBench bench;
  bench.add().wait_mask = 1;
  SmState& sm = bench.start();
  SubCore& core = sm.cores[0];
  Warp& warp = core.warps[0];
  warp.issued = cycle;
  warp.state.fresh = warp.state.unseen = 1;
  warp.state.release[0] = {20 * cycle, Cause::math};
  EXPECT_FALSE(sees_fresh(sm, core, 0, cycle));
  EXPECT_TRUE(sees_fresh(sm, core, 0, 2 * cycle));
  EXPECT_EQ(core.ready[0], 20 * cycle);
  EXPECT_EQ(warp.state.unseen, 0);
}

}  // namespace
}  // namespace forewarp::tests
