// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "stage_bench.h"
#include "timing/stages/asynchronous.h"

namespace forewarp::tests {
namespace {

using Kind = AsyncEvent::Kind;

// Two arrivals at 5 and 9 and 64 bytes at 30: the phase ends at 30; the next begins anew.
TEST(AsynchronousStage, APhaseEndsWithItsLast) {
  PhaseBarrier barrier;
  barrier.expected = barrier.missing = 2;
  EXPECT_FALSE(barrier.contribute(1, 64, 5));
  EXPECT_FALSE(barrier.contribute(1, 0, 9));
  EXPECT_TRUE(barrier.contribute(0, -64, 30));
  EXPECT_FALSE(barrier.contribute(1, 0, 40));
  EXPECT_TRUE(barrier.contribute(1, 0, 41));
  ASSERT_EQ(barrier.ends.size(), 2U);
  EXPECT_EQ(barrier.ends[0], 30);
  EXPECT_EQ(barrier.ends[1], 41);
}

struct Events {
  StageBench bench;
  std::vector<AsyncEvent> waiter, arriver;

  SmState& start() {
    bench.machine.phase_wake = 20 * cycle;
    bench.warps = 2;
    for (int i = 0; i < 2; ++i) {
      bench.add().has_events = true;
      bench.kernel.instructions.back().latency = 4 * cycle;
    }
    SmState& sm = bench.start();
    sm.cores[0].warps[0].events = &waiter;
    sm.cores[0].warps[1].events = &arriver;
    sm.blocks[0].phases.of(8) = PhaseBarrier{8, 1, 1, 0, 0, {}};
    return sm;
  }
};

// One warp asks at 10 and sleeps; the other arrives at 50, which counts at 54: it wakes 20 later.
TEST(AsynchronousStage, AWaitSleepsUntilThePhaseEnds) {
  Events events;
  events.waiter = {{Kind::wait, 0, 8, 1, 0, false}};
  events.arriver = {{Kind::arrive, 0, 8, 1, 0, false}};
  SmState& sm = events.start();
  SubCore& core = sm.cores[0];
  const TimedInstruction& instruction = sm.kernel->instructions[0];
  EXPECT_TRUE(follow_events(sm, core, 0, instruction, 10 * cycle));
  core.ready.set(0, never);
  EXPECT_FALSE(follow_events(sm, core, 1, instruction, 50 * cycle));
  EXPECT_EQ(core.ready[0], 74 * cycle);
  EXPECT_FALSE(core.warps[0].at_phase);
}

// A phase that has ended holds nobody beyond its end; phase 0 is none.
TEST(AsynchronousStage, APastPhaseHoldsNobody) {
  Events events;
  events.waiter = {{Kind::wait, 0, 8, 0, 0, false}, {Kind::wait, 1, 8, 1, 0, false}};
  SmState& sm = events.start();
  SubCore& core = sm.cores[0];
  sm.blocks[0].phases.of(8).ends = {7 * cycle};
  EXPECT_FALSE(follow_events(sm, core, 0, sm.kernel->instructions[0], 60 * cycle));
  core.warps[0].cursor.advance();
  EXPECT_FALSE(follow_events(sm, core, 0, sm.kernel->instructions[1], 61 * cycle));
}

TEST(AsynchronousStage, WhoWaitsInVainGoesOn) {
  Events events;
  events.waiter = {{Kind::wait, 0, 8, 5, 0, false}};
  SmState& sm = events.start();
  SubCore& core = sm.cores[0];
  EXPECT_FALSE(wake_stuck(sm));
  EXPECT_TRUE(follow_events(sm, core, 0, sm.kernel->instructions[0], 10 * cycle));
  core.ready.set(0, never);
  sm.end = 90 * cycle;
  EXPECT_TRUE(wake_stuck(sm));
  EXPECT_EQ(core.ready[0], 90 * cycle);
}

// Two products of 64 cycles one behind the other, 18 more to the sums: over at 82 and 146. Their
// matrices take 48 cycles of shared memory each, which they have.
TEST(AsynchronousStage, ProductsTakeTurns) {
  StageBench bench;
  const std::uint8_t tensor = bench.add_pipe({});
  TimedInstruction& product = bench.add();
  product.units[0] = tensor;
  product.taken[0] = 64 * cycle;
  product.latency = 82 * cycle;
  product.operands = 48 * cycle;
  product.is_product = product.ends_group = true;
  bench.add().groups_left = 1;
  SmState& sm = bench.start();
  SubCore& core = sm.cores[0];
  start_product(sm, core, 0, sm.kernel->instructions[0], 0);
  start_product(sm, core, 0, sm.kernel->instructions[0], 4 * cycle);
  const Warp& warp = core.warps[0];
  ASSERT_EQ(warp.groups.size(), 2U);
  EXPECT_EQ(warp.groups[0], 82 * cycle);
  EXPECT_EQ(warp.groups[1], 146 * cycle);
  wait_for_products(core, 0, sm.kernel->instructions[1]);  // one may be left: the first is awaited
  EXPECT_EQ(core.warps[0].state.next.at, 82 * cycle);
}

// Matrices of 100 cycles of shared memory feed a product of 64: it takes 100.
TEST(AsynchronousStage, SharedMemoryMayHoldAProduct) {
  StageBench bench;
  const std::uint8_t tensor = bench.add_pipe({});
  TimedInstruction& product = bench.add();
  product.units[0] = tensor;
  product.taken[0] = product.latency = 64 * cycle;
  product.operands = 100 * cycle;
  product.is_product = product.ends_group = true;
  SmState& sm = bench.start();
  start_product(sm, sm.cores[0], 0, sm.kernel->instructions[0], 0);
  EXPECT_EQ(sm.cores[0].warps[0].groups[0], 100 * cycle);
}

// A copy takes 16 cycles of the engine, 64 of the way to L2, 105 and 260 to come; shared memory has
// 32 of them; the second begins 64 later.
TEST(AsynchronousStage, CopiesQueueAtTheWayToL2) {
  SmMachine machine;
  machine.schedulers = 1;
  DevicePath device;
  MemoryUnit memory(machine, &device);
  TimedAccess copy;
  copy.is_copy = copy.is_memory = true;
  copy.engine = 16 * cycle;
  copy.l2_port = 64 * cycle;
  copy.after = 105 * cycle;
  copy.extra_l2 = 260 * cycle;
  copy.data = 32 * cycle;
  copy.l2 = std::uint64_t{1} << 32;
  EXPECT_EQ(memory.copy(copy, 0, 0), (64 + 105 + 260) * cycle);
  EXPECT_EQ(memory.copy(copy, 0, 0), (128 + 105 + 260) * cycle);
}

// What a copy brings is written beside what is read: matrices of 48 cycles are fed at once,
// although a copy of 128 cycles comes to an end; one that goes out is read before them.
TEST(AsynchronousStage, OnlyOutwardCopiesTakeTurnsOfWhatIsRead) {
  SmMachine machine;
  machine.schedulers = 1;
  DevicePath device;
  TimedAccess copy;
  copy.is_copy = copy.is_memory = true;
  copy.data = 128 * cycle;
  copy.l2 = std::uint64_t{1} << 32;
  MemoryUnit inward(machine, &device);
  inward.copy(copy, 0, 0);
  EXPECT_EQ(inward.feed(0, 0, 48 * cycle), 0);
  copy.is_store = true;
  MemoryUnit outward(machine, &device);
  outward.copy(copy, 0, 0);
  EXPECT_EQ(outward.feed(0, 0, 48 * cycle), 128 * cycle);
}

// An access without data, as of a move to the uniform registers, passes matrices that are fed.
TEST(AsynchronousStage, WhatHasNoDataWaitsForNoTurn) {
  SmMachine machine;
  machine.schedulers = 1;
  DevicePath device;
  MemoryUnit memory(machine, &device);
  memory.feed(0, 0, 480 * cycle);
  TimedAccess move;
  move.leave = 9 * cycle;
  move.after = 3 * cycle;
  EXPECT_EQ(memory.take(move, 0, 0, 0).done, 12 * cycle);
}

}  // namespace
}  // namespace forewarp::tests
