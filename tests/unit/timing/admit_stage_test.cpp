// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "sm_builder.h"
#include "stage_bench.h"
#include "timing/stages/admit.h"

namespace forewarp::tests {
namespace {

void expect(const Admission& admission, double at, Cause cause) {
  EXPECT_EQ(admission.at, ticks(at));
  EXPECT_EQ(admission.cause, cause);
}

TEST(AdmitStage, LetsGoWhatNothingHolds) {
  StageBench bench;
  bench.add();
  expect(admit(bench.start(), 0, 0, 4 * cycle), 4, Cause::issue);
}

// A pipe that is free at 5 takes nothing in the cycle of 4; one that is free at 4.5 does.
TEST(AdmitStage, WaitsForItsPipe) {
  StageBench bench;
  bench.add().units[0] = bench.add_pipe({});
  SmState& sm = bench.start();
  sm.cores[0].units[0] = 5 * cycle;
  expect(admit(sm, 0, 0, 4 * cycle), 5, Cause::pipe);
  expect(admit(sm, 0, 0, 5 * cycle), 5, Cause::issue);
  sm.cores[0].units[0] = 9 * cycle / 2;
  expect(admit(sm, 0, 0, 4 * cycle), 4, Cause::issue);
}

TEST(AdmitStage, TheSecondOfAPairAsksNoPipe) {
  StageBench bench;
  bench.add().units[0] = bench.add_pipe({});
  SmState& sm = bench.start();
  sm.cores[0].units[0] = 5 * cycle;
  expect(admit(sm, 0, 0, 4 * cycle, true), 4, Cause::issue);
}

// Two may wait in front of the SM's unit, for 3 cycles each: of 10 cycles that is 4.
TEST(AdmitStage, SomeMayWaitInFrontOfAUnitOfVariableLatency) {
  StageBench bench;
  TimedInstruction& one = bench.add();
  one.variable = true;
  one.taken[0] = 3 * cycle;
  one.units[0] = bench.add_pipe({true, 2});
  SmState& sm = bench.start();
  sm.common_units[0] = 10 * cycle;
  expect(admit(sm, 0, 0, 3 * cycle), 4, Cause::pipe);
  expect(admit(sm, 0, 0, 4 * cycle), 4, Cause::issue);
}

// The queue has one entry, which leaves at 7.
TEST(AdmitStage, WaitsForRoomInTheMemoryQueue) {
  StageBench bench;
  bench.machine.memory_queue = 1;
  bench.kernel.accesses.push_back(first_level(2, 7, 20));
  bench.add().access = 0;
  SmState& sm = bench.start();
  sm.memory.take(bench.kernel.accesses[0], 0, 0, 0);
  expect(admit(sm, 0, 0, 6 * cycle), 7, Cause::queue);
  expect(admit(sm, 0, 0, 7 * cycle), 7, Cause::issue);
}

// A miss takes 30 cycles; the warp that was to go on holds the scheduler for 4 of them.
TEST(AdmitStage, WaitsForAConstant) {
  StageBench bench;
  bench.machine.constant_lines = 1;
  bench.machine.constant_miss = 30 * cycle;
  bench.machine.constant_hold = 4 * cycle;
  bench.add().constant_line = 5;
  SmState& sm = bench.start();
  expect(admit(sm, 0, 0, cycle), 31, Cause::constant);
  EXPECT_EQ(sm.cores[0].port, 5 * cycle);
  EXPECT_EQ(admit(sm, 0, 0, 31 * cycle).at, 31 * cycle);
}

// Two lines of code, one of which fits, 10 cycles each.
TEST(AdmitStage, WaitsForItsCode) {
  StageBench bench;
  bench.machine.code_cache_lines = 1;
  bench.machine.code_line_time = 10 * cycle;
  bench.kernel.code_lines = 2;
  bench.add();
  SmState& sm = bench.start();
  expect(admit(sm, 0, 0, cycle), 11, Cause::fetch);
  expect(admit(sm, 0, 0, 11 * cycle), 11, Cause::issue);
}

}  // namespace
}  // namespace forewarp::tests
