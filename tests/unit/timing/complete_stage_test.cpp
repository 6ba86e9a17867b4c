// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "sm_builder.h"
#include "stage_bench.h"
#include "timing/stages/complete.h"

namespace forewarp::tests {
namespace {

// Issued at 3 with a latency of 4: its register is there at 7.
TEST(CompleteStage, FixedLatencyIsCountedFromIssue) {
  StageBench bench;
  TimedInstruction& one = bench.add();
  one.latency = 4 * cycle;
  one.write_count = 1;
  bench.kernel.slots = {0};
  bench.kernel.slot_count = 1;
  SmState& sm = bench.start();
  complete(sm, 0, 0, bench.kernel.instructions[0], 3 * cycle);
  const auto& ready = sm.cores[0].warps[0].state.ready[0];
  EXPECT_EQ(ready.at, 7 * cycle);
  EXPECT_EQ(ready.origin, Cause::dependence);
}

// Its unit is taken until 8 and then for 8: it begins at 8, its sources are read 2 later, its
// result is there 6 later.
TEST(CompleteStage, VariableOnesAreLateByTheWaitInFrontOfTheirUnit) {
  StageBench bench;
  TimedInstruction& one = bench.add();
  one.variable = true;
  one.latency = 6 * cycle;
  one.read_release = 2 * cycle;
  one.taken[0] = 8 * cycle;
  one.units[0] = bench.add_pipe({});
  one.write_barrier = 0;
  one.read_barrier = 1;
  SmState& sm = bench.start();
  SubCore& core = sm.cores[0];
  core.units[0] = 8 * cycle;
  take_units(sm, core, bench.kernel.instructions[0], cycle);
  EXPECT_EQ(core.units[0], 16 * cycle);
  complete(sm, 0, 0, bench.kernel.instructions[0], cycle);
  const auto& release = core.warps[0].state.release;
  EXPECT_EQ(release[0].at, 14 * cycle);
  EXPECT_EQ(release[0].origin, Cause::math);
  EXPECT_EQ(release[1].at, 10 * cycle);
}

TEST(CompleteStage, AUnitOfTheSmIsTakenFromAllSchedulers) {
  StageBench bench;
  bench.machine.schedulers = 2;
  TimedInstruction& one = bench.add();
  one.taken[0] = 8 * cycle;
  one.units[0] = bench.add_pipe({true, 0});
  SmState& sm = bench.start();
  take_units(sm, sm.cores[1], bench.kernel.instructions[0], cycle);
  EXPECT_EQ(sm.common_units[0], 9 * cycle);
}

// An access leaves its queue at 1 + 3, which frees its sources, and is back 20 later.
TEST(CompleteStage, AccessesTakeTheWayToMemory) {
  StageBench bench;
  bench.kernel.accesses.push_back(first_level(2, 3, 20));
  TimedInstruction& one = bench.add();
  one.variable = true;
  one.access = 0;
  one.write_barrier = 0;
  one.read_barrier = 1;
  SmState& sm = bench.start();
  complete(sm, 0, 0, bench.kernel.instructions[0], cycle);
  const auto& release = sm.cores[0].warps[0].state.release;
  EXPECT_EQ(release[0].at, 24 * cycle);
  EXPECT_EQ(release[0].origin, Cause::shared);
  EXPECT_EQ(release[1].at, 4 * cycle);
}

}  // namespace
}  // namespace forewarp::tests
