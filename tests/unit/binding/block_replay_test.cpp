// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "binding/block_replay.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace forewarp::tests {
namespace {

constexpr std::uint16_t issue = 0, pipe = 1, interface = 2;

/// A straight program and an SM in round numbers: one issue a cycle and scheduler, a pipe of two
/// cycles for each scheduler, a memory interface of two cycles for all.
class Sm {
 public:
  explicit Sm(std::uint32_t schedulers) {
    machine.schedulers = schedulers;
    machine.resources = resources;
    machine.issue = issue;
    machine.interface = interface;
    machine.memory_queue = 1;
    machine.unit_queue = 2;
    timing.rules = &rules;
  }

  BoundInstruction& add(double spacing, std::uint16_t unit = issue) {
    BoundInstruction bound;
    bound.latency = 4;
    bound.spacing = bound.spacing_taken = spacing;
    timing.instructions.push_back(bound);
    ReplayInstruction& replayed = instructions.emplace_back();
    replayed.uses.push_back({issue, 1});
    if (unit != issue) replayed.uses.push_back({unit, 2});
    replayed.memory = unit == interface;
    return timing.instructions.back();
  }

  /// A load whose value the next instruction waits for.
  void add_load_and_use(double latency, const LoadPlaces& places = {}) {
    add(1, interface).write_barrier = 0;
    timing.instructions.back().latency = latency;
    instructions.back().places = places;
    add(1).wait_mask = 1;
  }

  [[nodiscard]] WarpPath straight(std::uint32_t first = 0) const {
    PathStep run;
    run.first = first;
    run.last = static_cast<std::uint32_t>(timing.instructions.size());
    WarpPath path;
    path.steps.push_back(run);
    return path;
  }

  [[nodiscard]] double cycles(std::uint32_t warps) const {
    return replay_block(timing, instructions, machine, {straight()}, warps).cycles;
  }

  std::vector<ResourceInfo> resources{
      {"issue", "", ResourceScope::scheduler}, {"pipe", "", ResourceScope::scheduler}, {"lsu", ""}};
  ReplayMachine machine;
  LatencyRules rules;
  BoundTiming timing;
  std::vector<ReplayInstruction> instructions;
};

TEST(BlockReplay, ALoneWarpKeepsItsSpacingAndWaits) {
  Sm sm(4);
  sm.add(3);
  sm.add_load_and_use(100);
  EXPECT_DOUBLE_EQ(sm.cycles(1), 3 + 100);
}

// Four instructions of two cycles for each of two warps: the eighth issues at 7 * 2.
TEST(BlockReplay, WarpsOfOneSchedulerShareItsPipe) {
  for (const auto& [schedulers, expected] : {std::pair{1U, 14.0}, {2U, 6.0}}) {
    Sm sm(schedulers);
    for (int i = 0; i < 4; ++i) sm.add(1, pipe);
    EXPECT_DOUBLE_EQ(sm.cycles(2), expected) << schedulers;
  }
}

// Interface free at 0, 2, 4, 6; one instruction may wait before it: issues at 0, 1, 2, 4.
TEST(BlockReplay, AFullMemoryQueueHoldsTheWarp) {
  Sm sm(4);
  for (int i = 0; i < 4; ++i) sm.add(1, interface);
  EXPECT_DOUBLE_EQ(sm.cycles(1), 4);
  sm.machine.memory_queue = 8;
  EXPECT_DOUBLE_EQ(sm.cycles(1), 3);
}

// The interface belongs to all: with four warps on four schedulers the fourth load starts at 6.
TEST(BlockReplay, WaitingForAUnitDelaysTheValue) {
  Sm sm(4);
  sm.add_load_and_use(100);
  sm.machine.memory_queue = 8;
  EXPECT_DOUBLE_EQ(sm.cycles(4), 6 + 100);
}

TEST(BlockReplay, EveryWarpWaitsForTheLastAtTheBarrier) {
  Sm sm(2);
  sm.add_load_and_use(100);  // issues at 0 and 100
  sm.add(1).is_barrier = true;
  sm.timing.instructions.back().barrier_latency = 22;
  sm.add(1);
  WarpPath late = sm.straight(), early = sm.straight(2);
  late.share = early.share = 0.5;
  const BlockReplay block = replay_block(sm.timing, sm.instructions, sm.machine, {late, early}, 2);
  EXPECT_DOUBLE_EQ(block.cycles, 101 + 22);
}

// One is at the barrier at 0, the other leaves at 100 without having been there.
TEST(BlockReplay, WhoLeavesIsWaitedForUntilThen) {
  Sm sm(2);
  sm.add(1).is_barrier = true;
  sm.add(1);
  sm.add(100);
  sm.add(1);
  WarpPath meets, leaves;
  meets.steps = sm.straight().steps;
  meets.steps.front().last = 2;
  leaves.steps = sm.straight(2).steps;
  meets.share = leaves.share = 0.5;
  const BlockReplay block =
      replay_block(sm.timing, sm.instructions, sm.machine, {meets, leaves}, 2);
  EXPECT_DOUBLE_EQ(block.cycles, 100);
}

// Two pairs: issues at 0, 0, 1, 1. The compiler vouches for the units, so that they do not wait.
TEST(BlockReplay, APairGoesInOneSlot) {
  for (const std::uint16_t unit : {issue, pipe}) {
    Sm sm(1);
    for (const bool first : {true, false, true, false}) {
      sm.add(first ? 0 : 1, first ? issue : unit).dual_with_next = first;
    }
    EXPECT_DOUBLE_EQ(sm.cycles(1), 1) << unit;
  }
}

// The first draw is 0.5, the next one 0.5 + 0.618 - 1 = 0.118.
TEST(BlockReplay, ALoadFindsItsValueInOnePlace) {
  LoadPlaces places;
  places.l1 = 30;
  places.l2 = 200;
  places.memory = 500;
  places.share_l1 = places.share_l2 = 0.4;
  EXPECT_DOUBLE_EQ(places.mean(), 0.4 * 30 + 0.4 * 200 + 0.2 * 500);
  Sm sm(1);
  sm.add_load_and_use(0, places);
  EXPECT_DOUBLE_EQ(sm.cycles(1), 200);
  sm.add_load_and_use(0, places);
  EXPECT_DOUBLE_EQ(sm.cycles(1), 200 + 1 + 30);
}

TEST(BlockReplay, WhereNoLaneAsksThereIsNothingToWaitFor) {
  LoadPlaces places;
  places.memory = 500;
  places.share_none = 1;
  Sm sm(1);
  sm.add_load_and_use(500, places);
  EXPECT_DOUBLE_EQ(sm.cycles(1), 1);
}

// 1000 passes of 4 cycles, 100 and 50 of them gone through: issues at 0, 4 .. 396 and .. 196, on
// along that line: 396 + (396 - 196) / 50 * 900.
TEST(BlockReplay, LongLoopsGoOnAlongTheLine) {
  Sm sm(1);
  sm.add(4);
  PathStep loop;
  loop.loop = 0;
  loop.body = sm.straight().steps;
  WarpPath path;
  path.loops.emplace_back().trips = 1000;
  path.steps.push_back(loop);
  const BlockReplay whole = replay_block(sm.timing, sm.instructions, sm.machine, {path}, 1);
  EXPECT_DOUBLE_EQ(whole.cycles, 999 * 4);
  EXPECT_DOUBLE_EQ(whole.replayed, 1);
  const BlockReplay part = replay_block(sm.timing, sm.instructions, sm.machine, {path}, 1, 100);
  EXPECT_DOUBLE_EQ(part.cycles, 396 + 200.0 / 50 * 900);
  EXPECT_DOUBLE_EQ(part.replayed, 0.1);
}

}  // namespace
}  // namespace forewarp::tests
