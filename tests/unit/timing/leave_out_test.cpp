// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "timing/leave_out.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "sm_builder.h"

namespace forewarp::tests {
namespace {

TimedAccess from_memory() {
  TimedAccess access = first_level(2, 9, 15);
  access.is_memory = true;
  access.l1 = access.l2 = 0;  // none of them has the data
  access.data = ticks(4);
  access.extra_memory = ticks(300);
  access.l2_port = ticks(20);
  access.memory_bytes = 128;
  return access;
}

/// Two loads and what waits for both: 0, 1, then both are there.
SmBuilder two_loads() {
  SmBuilder sm;
  sm.warp({{.stall = 1, .write = 0, .access = from_memory()},
           {.stall = 2, .write = 1, .access = from_memory()},
           {.latency = 30, .wait = 3, .to = {0}},
           {.from = {0}}});
  return sm;
}

double end_of(const LeftOut& what) {
  SmBuilder sm = two_loads();
  leave_out(what, sm.machine, sm.kernel);
  return sm.issues(0)[2];
}

// The second leaves at 11, has data at 13, passes the port at 29 (9 + 20), is there 315 later.
TEST(LeaveOut, NothingChangesNothing) {
  EXPECT_EQ(end_of({}), 29 + 15 + 300);
}

TEST(LeaveOut, RatesOfMemoryAreItsPorts) {
  EXPECT_EQ(end_of({.memory_rates = true}), 13 + 15 + 300);
}

// Without a collector and a data stage the port sees them 9 cycles after their issue: at 9, and at
// 29 behind the first; without the port, too, the second's data are on their way from 10 on.
TEST(LeaveOut, TheMemoryUnitIsItsQueueAndStages) {
  EXPECT_EQ(end_of({.memory_unit = true}), 29 + 15 + 300);
  EXPECT_EQ(end_of({.memory_rates = true, .memory_unit = true}), 10 + 15 + 300);
}

// The way out and back takes nothing; stages and the port still do.
TEST(LeaveOut, LatencyOfMemoryIsTheWayThereAndBack) {
  EXPECT_EQ(end_of({.memory_latency = true}), 22)
      << "issues at 0; collected at 2; the port till 22";
}

TEST(LeaveOut, WithoutAnyTheWarpIssuesOnceAfterTheOther) {
  SmBuilder sm = two_loads();
  leave_out({true, true, true, true, true, true}, sm.machine, sm.kernel);
  EXPECT_LT(sm.issues(0).back(), 1);
}

TEST(LeaveOut, BarriersLetEveryWarpGoOn) {
  const auto last = [](bool barriers) {
    SmBuilder sm;
    sm.machine.schedulers = 2;
    sm.warp({{.stall = 100}, {.is_barrier = true}, {}});
    sm.warp({{.stall = 1}, {.is_barrier = true}, {}});
    LeftOut what;
    what.barriers = barriers;
    leave_out(what, sm.machine, sm.kernel);
    return sm.issues(1).back();
  };
  EXPECT_GT(last(false), 100);
  EXPECT_EQ(last(true), 2);
}

// A scheduler issues two warps' first instructions apart, and a pipe takes 8 cycles for each.
TEST(LeaveOut, PipesAreUnitsAndIssueSlots) {
  const auto last = [](bool pipes) {
    SmBuilder sm;
    const std::uint8_t pipe = sm.unit();
    sm.warp({{.unit = pipe, .taken = 8}, {.unit = pipe, .taken = 8}}).again();
    LeftOut what;
    what.pipes = pipes;
    leave_out(what, sm.machine, sm.kernel);
    return std::max(sm.issues(0).back(), sm.issues(1).back());
  };
  EXPECT_EQ(last(false), 24) << "four times 8 cycles, one behind the other";
  EXPECT_LE(last(true), 2);
}

}  // namespace
}  // namespace forewarp::tests
