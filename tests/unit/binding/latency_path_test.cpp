// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "binding/latency_path.h"

#include <algorithm>
#include <utility>

#include <gtest/gtest.h>

namespace forewarp::tests {
namespace {

/// A straight program of made-up instructions over numbered slots.
class Program {
 public:
  explicit Program(std::size_t slots) {
    timing.slots.resize(slots);
    timing.rules = &rules;
  }

  BoundInstruction& add(std::vector<std::uint16_t> reads, std::vector<std::uint16_t> writes,
                        double latency, double spacing) {
    BoundInstruction instruction;
    instruction.reads = std::move(reads);
    instruction.writes = std::move(writes);
    instruction.latency = latency;
    instruction.spacing = instruction.spacing_taken = spacing;
    timing.instructions.push_back(instruction);
    return timing.instructions.back();
  }

  [[nodiscard]] WarpPath straight() const {
    WarpPath path;
    path.steps.push_back(run(0, static_cast<std::uint32_t>(timing.instructions.size())));
    return path;
  }

  static PathStep run(std::uint32_t first, std::uint32_t last, bool jumps = false) {
    PathStep step;
    step.first = first;
    step.last = last;
    step.jumps = jumps;
    return step;
  }

  BoundTiming timing;
  LatencyRules rules;
};

std::vector<double> cycles(const LatencyPath& path) {
  std::vector<double> list;
  for (const IssueEvent& event : path.events) list.push_back(event.cycle);
  return list;
}

// Volkov 2016, Listing 3.1: LD 301, LDS 24, FADD 9, MUFU 9 in a chain.
TEST(LatencyPath, ChainAddsItsLatencies) {
  Program p(4);
  p.add({}, {0}, 301, 3);
  p.add({0}, {1}, 24, 3);
  p.add({1}, {2}, 9, 3);
  p.add({2}, {3}, 9, 3);
  p.add({3}, {}, 0, 3).is_store = true;
  EXPECT_EQ(cycles(latency_path(p.timing, p.straight())),
            (std::vector<double>{0, 301, 301 + 24, 301 + 24 + 9, 301 + 24 + 9 + 9}));
}

// Volkov 2016, Listing 3.2: independent instructions go out one ILP latency apart; stores 34 apart.
TEST(LatencyPath, IndependentInstructionsKeepTheirSpacing) {
  Program adds(0);
  for (int i = 0; i < 4; ++i) adds.add({}, {}, 18, 6);
  EXPECT_EQ(cycles(latency_path(adds.timing, adds.straight())),
            (std::vector<double>{0, 6, 12, 18}));
  Program stores(0);
  stores.timing.store_spacing = 34;
  for (int i = 0; i < 4; ++i) stores.add({}, {}, 0, 6).is_store = true;
  EXPECT_EQ(cycles(latency_path(stores.timing, stores.straight())),
            (std::vector<double>{0, 34, 68, 102}));
}

TEST(LatencyPath, ConsumerIsBlockedOneCycleBeforeAndReadyAtTheLatency) {
  for (const double spacing : {8.0, 9.0, 10.0}) {
    Program p(1);
    p.add({}, {0}, 9, spacing);
    p.add({0}, {}, 9, spacing);
    EXPECT_DOUBLE_EQ(latency_path(p.timing, p.straight()).events[1].cycle, std::max(9.0, spacing));
  }
}

TEST(LatencyPath, ReplacementIsAddedOnceAndTheLastExitTakesNoTime) {
  Program p(0);
  p.timing.replacement = 201;
  p.add({}, {}, 9, 3);
  p.add({}, {}, 0, 3).is_exit = true;
  EXPECT_DOUBLE_EQ(latency_path(p.timing, p.straight()).cycles, 0 + 201);
  p.timing.exit_takes_time = true;
  EXPECT_DOUBLE_EQ(latency_path(p.timing, p.straight()).cycles, 3 + 201);
}

/// prologue (5) ; loop { add 6 -> compare 6 -> jump 12 } ; epilogue
struct Counted {
  Program p{2};
  WarpPath path;

  explicit Counted(double trips) {
    p.add({}, {0}, 6, 5);
    p.add({0}, {0}, 6, 3);
    p.add({0}, {1}, 6, 3);
    BoundInstruction& branch = p.add({1}, {}, 0, 10);
    branch.spacing_taken = 12;
    p.add({}, {}, 6, 3);
    PathStep loop;
    loop.loop = 0;
    loop.body.push_back(Program::run(1, 4, true));
    path.steps = {Program::run(0, 1), loop, Program::run(4, 5)};
    path.loops.push_back({0, 0, trips, "a", 1, false});
  }
};

// First pass ends at 6 + 6 + 6 = 18, each further one takes 6 + 6 + 12 = 24; the epilogue follows
// the last branch by 12.
TEST(LatencyPath, LoopIsClosedAsAFormulaThatHoldsForAnyTripCount) {
  for (const double trips : {1.0, 2.0, 3.0, 128.0, 1e9}) {
    Counted c(trips);
    const LatencyPath result = latency_path(c.p.timing, c.path);
    EXPECT_DOUBLE_EQ(result.cycles, 18 + 24 * (trips - 1) + 12) << trips;
    ASSERT_TRUE(result.formula_valid);
    EXPECT_DOUBLE_EQ(result.formula.coefficient(0), 18 - 24 + 12);
    EXPECT_DOUBLE_EQ(result.formula.coefficient(1), 24);
  }
}

// The same loop left by not taking its branch: 10 instead of 12 cycles to the epilogue.
TEST(LatencyPath, LastPassFallsThroughItsBranch) {
  for (const double trips : {1.0, 7.0}) {
    Counted c(trips);
    c.path.steps[1].leaves_at_end = true;
    EXPECT_DOUBLE_EQ(latency_path(c.p.timing, c.path).cycles, 18 + 24 * (trips - 1) + 10) << trips;
  }
}

TEST(LatencyPath, RepeatedCountingAddsOnePassMore) {
  Counted c(128);
  const LatencyPath strict = latency_path(c.p.timing, c.path, LoopCounting::strict);
  const LatencyPath repeated = latency_path(c.p.timing, c.path, LoopCounting::repeated);
  EXPECT_DOUBLE_EQ(repeated.cycles, strict.cycles + 24);
  EXPECT_DOUBLE_EQ(repeated.formula.coefficient(0), strict.formula.coefficient(0) + 24);
}

TEST(LatencyPath, NestedLoopsMultiply) {
  Counted inner(5);
  // The whole inner loop, prologue and epilogue included, stands in an outer loop of 7 passes.
  PathStep outer;
  outer.loop = 1;
  outer.body = inner.path.steps;
  WarpPath path;
  path.steps = {outer};
  path.loops = {inner.path.loops[0], {0, 0, 7, "b", 1, false}};
  const LatencyPath result = latency_path(inner.p.timing, path);
  // By brute force: the same instructions unrolled.
  WarpPath unrolled;
  for (int o = 0; o < 7; ++o) {
    unrolled.steps.push_back(Program::run(0, 1));
    for (int i = 0; i < 5; ++i) unrolled.steps.push_back(Program::run(1, 4, true));
    unrolled.steps.push_back(Program::run(4, 5));
  }
  EXPECT_DOUBLE_EQ(result.cycles, latency_path(inner.p.timing, unrolled).cycles);
  ASSERT_TRUE(result.formula_valid);
  const std::vector<double> trips{5, 7};
  EXPECT_NEAR(result.formula.evaluate(trips), result.cycles, 1e-9);
  EXPECT_DOUBLE_EQ(result.formula.coefficient(3), 24);
}

TEST(LatencyPath, AValueFromBeforeTheLoopHoldsOnlyTheFirstPass) {
  Program p(2);
  p.add({}, {0}, 350, 3);    // load
  p.add({0, 1}, {1}, 6, 3);  // accumulate it
  WarpPath path;
  PathStep loop;
  loop.loop = 0;
  loop.body.push_back(Program::run(1, 2));
  path.steps = {Program::run(0, 1), loop};
  path.loops.push_back({0, 0, 10, "a", 1, false});
  EXPECT_DOUBLE_EQ(latency_path(p.timing, path).cycles, 350 + 9 * 6);
}

TEST(LatencyPath, BarrierWaitMaskHoldsUntilTheProducerReturns) {
  Program p(0);
  BoundInstruction& load = p.add({}, {}, 32, 2);
  load.write_barrier = 3;
  p.add({}, {}, 4, 1).wait_mask = 1U << 3;
  EXPECT_EQ(cycles(latency_path(p.timing, p.straight())), (std::vector<double>{0, 32}));
  p.timing.instructions[1].wait_mask = 1U << 2;
  EXPECT_EQ(cycles(latency_path(p.timing, p.straight())), (std::vector<double>{0, 2}));
}

// Volkov 2016, Listing 3.3 (Fermi): one warp loads before the barrier (513, branch not taken 28),
// the other jumps to it (taken 32); both go on 34 after the later arrival.
TEST(LatencyPath, WarpsOfABlockMeetAtTheBarrier) {
  Program p(1);
  p.rules.barrier = 34;
  BoundInstruction& branch = p.add({}, {}, 0, 28);
  branch.spacing_taken = 32;
  p.add({}, {0}, 513, 6);
  p.add({0}, {}, 18, 6);
  p.add({}, {}, 0, 6).is_barrier = true;
  p.timing.instructions[3].barrier_latency = 34;
  p.add({}, {}, 18, 6);
  WarpPath loads = p.straight();
  WarpPath jumps;
  jumps.steps = {Program::run(0, 1, true), Program::run(3, 5)};
  const std::vector<LatencyPath> warps = latency_paths(p.timing, {loads, jumps});
  EXPECT_EQ(cycles(warps[0]), (std::vector<double>{0, 28, 28 + 513, 547, 547 + 34}));
  EXPECT_EQ(cycles(warps[1]), (std::vector<double>{0, 32, 547 + 34}));
  EXPECT_EQ(warps[0].events[4].cause, IssueCause::barrier);
  EXPECT_EQ(warps[1].events[2].cause, IssueCause::barrier);
}

// One is at the barrier at 6, the other jumps past it and ends at 32 + 28.
TEST(LatencyPath, WhoPassesTheBarrierByIsWaitedForUntilItEnds) {
  Program p(0);
  p.rules.barrier = 34;
  p.add({}, {}, 0, 6).spacing_taken = 32;
  p.add({}, {}, 0, 6).is_barrier = true;
  p.add({}, {}, 18, 28);
  p.add({}, {}, 18, 6);
  WarpPath past;
  past.steps = {Program::run(0, 1, true), Program::run(2, 4)};
  const std::vector<LatencyPath> warps = latency_paths(p.timing, {p.straight(), past});
  EXPECT_EQ(cycles(warps[1]), (std::vector<double>{0, 32, 60}));
  EXPECT_DOUBLE_EQ(warps[0].events[2].cycle, 60 + 34);
}

// The barrier holds the warp for 34 cycles; where the spacing is longer it is no cause.
TEST(LatencyPath, ABarrierIsTheCauseWhereItHoldsTheWarp) {
  for (const double spacing : {6.0, 40.0}) {
    Program p(0);
    BoundInstruction& barrier = p.add({}, {}, 0, spacing);
    barrier.is_barrier = true;
    barrier.barrier_latency = 34;
    p.add({}, {}, 18, 6);
    p.add({}, {}, 18, 6);
    const LatencyPath path = latency_path(p.timing, p.straight());
    EXPECT_EQ(cycles(path),
              (std::vector<double>{0, std::max(34.0, spacing), std::max(34.0, spacing) + 6}));
    EXPECT_EQ(path.events[1].cause, spacing < 34 ? IssueCause::barrier : IssueCause::order);
    EXPECT_EQ(path.events[1].after, 0);
    EXPECT_EQ(path.events[2].cause, IssueCause::order);
  }
}

TEST(LatencyPath, CriticalEventsLeadFromTheStartToTheEnd) {
  Counted c(3);
  const LatencyPath result = latency_path(c.p.timing, c.path);
  ASSERT_FALSE(result.critical.empty());
  EXPECT_EQ(result.events[result.critical.front()].after, -1);
  for (std::size_t i = 1; i < result.critical.size(); ++i) {
    EXPECT_EQ(result.events[result.critical[i]].after,
              static_cast<std::int32_t>(result.critical[i - 1]));
  }
}

}  // namespace
}  // namespace forewarp::tests
