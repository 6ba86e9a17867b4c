// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <array>

#include <gtest/gtest.h>

#include "sm_builder.h"

namespace forewarp::tests {
namespace {

constexpr std::uint64_t all = std::uint64_t{1} << 32;

/// Sources read after 9 cycles, two cycles of the collector, the result 15 later.
TimedAccess access() {
  return first_level(2, 9, 15);
}

Op load(const TimedAccess& access, double stall = 2, std::uint8_t write = 0,
        std::uint8_t read = 7) {
  return {.stall = stall, .write = write, .read = read, .access = access};
}

Op waits(std::uint8_t barrier) {
  return {.wait = static_cast<std::uint8_t>(1U << barrier)};
}

/// When the sources of the last of these accesses, one a cycle, have been read.
double last_read(SmBuilder sm, std::vector<TimedAccess> accesses) {
  std::vector<Op> ops;
  for (const TimedAccess& one : accesses) ops.push_back(load(one, 1));
  ops.back().stall = 2;
  ops.back().read = 1;
  ops.push_back(waits(1));
  sm.warp(ops);
  return sm.issues(0).back();
}

TEST(MemoryRules, ReaderWaitsForTheWayThereAndBack) {
  SmBuilder sm;
  sm.warp({load(access(), 2, 0, 1), waits(1), waits(0)});
  EXPECT_EQ(sm.issues(0), (Cycles{0, 9, 24}));
}

TEST(MemoryRules, QueueHoldsSoMany) {
  const auto at = [](std::uint32_t queue) {
    SmBuilder sm;
    sm.machine.memory_queue = queue;
    sm.warp(std::vector<Op>(6, load(first_level(4, 11, 21), 1)));
    return sm.issues(0);
  };
  // They leave at 11, 15, 19, ..
  EXPECT_EQ(at(0), (Cycles{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(at(3), (Cycles{0, 1, 2, 11, 15, 19}));
  EXPECT_EQ(at(5), (Cycles{0, 1, 2, 3, 4, 11}));
}

TEST(MemoryRules, QueueIsTheSubCores) {
  SmBuilder sm;
  sm.machine.memory_queue = 1;
  const Op one = load(access(), 1);
  sm.warp({one, {}}).warp({one, {}});
  // Of one sub-core: the second waits until the first has left; other instructions pass.
  EXPECT_EQ(sm.issues(1), (Cycles{0, 1}));
  EXPECT_EQ(sm.issues(0), (Cycles{9, 10}));
  SmBuilder two;
  two.machine.memory_queue = 1;
  two.machine.schedulers = 2;
  two.warp({one, {}}).warp({one, {}});
  EXPECT_EQ(two.issues(1), (Cycles{0, 1}));
  EXPECT_EQ(two.issues(0), (Cycles{0, 1}));
}

TEST(MemoryRules, CollectorReadsOneAfterTheOther) {
  EXPECT_EQ(last_read({}, {access(), access()}), 11) << "max(1 + 9, 9 + 2)";
  EXPECT_EQ(last_read({}, {access(), first_level(6, 9, 15)}), 15) << "9 + 6";
  EXPECT_EQ(last_read({}, {access(), first_level(1, 9, 15)}), 10) << "1 + 9";
}

TEST(MemoryRules, SubCoresShareTheInterface) {
  const auto both = [](double interface) {
    SmBuilder sm;
    sm.machine.schedulers = 2;
    sm.warp({load(first_level(2, 9, 15, interface)), waits(0)}).again().run();
    return Cycles{sm.issues(0).back(), sm.issues(1).back()};
  };
  EXPECT_EQ(both(0), (Cycles{24, 24}));
  EXPECT_EQ(both(2), (Cycles{24, 26}));
}

TEST(MemoryRules, DataStageTakesOneAfterTheOther) {
  SmBuilder sm;
  TimedAccess slow = access();
  slow.data = ticks(4);
  // They leave at 9 and 11; data at 9 and 13.
  sm.warp({load(slow, 1, 0), load(slow, 2, 1, 2), waits(2), waits(0), waits(1)});
  EXPECT_EQ(sm.issues(0), (Cycles{0, 1, 11, 24, 28}));
}

TEST(MemoryRules, FurtherPassesDelayTheResult) {
  TimedAccess conflict = access();
  conflict.data = ticks(4);
  conflict.more_passes = ticks(3);
  SmBuilder sm;
  sm.warp({load(conflict), waits(0)});
  EXPECT_EQ(sm.issues(0), (Cycles{0, 27}));
}

TEST(MemoryRules, WhatAsksForNothingTakesNoData) {
  TimedAccess off = access(), slow = access();
  slow.data = ticks(40);
  off.data = ticks(40);
  off.none = all;
  off.more_passes = ticks(3);
  SmBuilder sm;
  sm.warp({load(slow, 1, 0), load(off, 2, 1), waits(1)});
  EXPECT_EQ(sm.issues(0), (Cycles{0, 1, 26})) << "11 + 15";
}

TEST(MemoryRules, SoManyRequestsInsideTheSm) {
  const auto at = [](std::uint32_t requests) {
    SmBuilder sm;
    sm.machine.sm_requests = requests;
    TimedAccess slow = access();
    slow.data = ticks(10);
    return last_read(sm, {slow, slow, slow});
  };
  // Without a limit they leave at 9, 11, 13. Inside until 19, 29, 39.
  EXPECT_EQ(at(0), 13);
  EXPECT_EQ(at(3), 13);
  EXPECT_EQ(at(2), 19);
  EXPECT_EQ(at(1), 29) << "the second leaves at 19 and is inside till 29";
}

TimedAccess store(double port) {
  TimedAccess out = access();
  out.is_store = out.is_memory = true;
  out.l1 = 0;  // to L2, each of them
  out.l2_port = ticks(port);
  return out;
}

TEST(MemoryRules, StoresWaitForTheBacklog) {
  const auto at = [](double backlog) {
    SmBuilder sm;
    sm.machine.store_backlog = ticks(backlog);
    return last_read(sm, {store(50), store(50), store(50)});
  };
  // The port is taken from 9 to 59 to 109; the third would leave at 13.
  EXPECT_EQ(at(100), 13);
  EXPECT_EQ(at(96), 13);
  EXPECT_EQ(at(95), 14);
  EXPECT_EQ(at(60), 49);
}

TEST(MemoryRules, LoadsDoNotWaitForTheBacklog) {
  SmBuilder sm;
  sm.machine.store_backlog = ticks(10);
  EXPECT_EQ(last_read(sm, {store(50), access()}), 11);
}

// The busiest slice of L2 has one after the other, for 100 cycles each; a reader waits
// until its own begins.
TEST(MemoryRules, AtomicsStandInLineBeforeTheirSlice) {
  TimedAccess reduction = store(0);
  reduction.slice = ticks(100);
  SmBuilder sm;
  sm.machine.store_backlog = ticks(1000);
  sm.warp({load(reduction), load(reduction), {}});
  EXPECT_EQ(sm.drained(), 209) << "9 + 100 + 100";
  TimedAccess atomic = reduction;
  atomic.is_store = false;
  atomic.after = ticks(15);
  SmBuilder other;
  other.warp({load(atomic, 2, 0), load(atomic, 2, 1), waits(1)});
  EXPECT_EQ(other.issues(0).back(), 124) << "9 + 100 + 15: the second waits for the first";
}

// Each takes L2 100 cycles of this SM's share: 0 to 100, to 200, to 300.
TEST(MemoryRules, StoresEndWhenL2HasTakenThemIn) {
  TimedAccess one = store(1);
  one.written = ticks(100);
  SmBuilder sm;
  sm.machine.store_backlog = ticks(1000);
  sm.warp({load(one), load(one), load(one), {}});
  EXPECT_EQ(sm.drained(), 300);
  SmBuilder full;
  full.machine.store_backlog = ticks(150);
  EXPECT_EQ(last_read(full, {one, one, one, one}), 150) << "300 - 150";
}

TEST(MemoryRules, PostedStoresEndTheKernel) {
  SmBuilder sm;
  sm.machine.store_backlog = ticks(1000);
  sm.warp({load(store(50)), load(store(50)), {}});
  EXPECT_EQ(sm.drained(), 109) << "9 + 50 + 50";
}

/// A load of which nothing is in L1; `l2`: of 2^32.
TimedAccess beyond(std::uint64_t l2) {
  TimedAccess out = access();
  out.is_memory = true;
  out.l1 = 0;
  out.l2 = l2;
  out.l2_port = ticks(5);
  out.memory = ticks(20);
  out.extra_l2 = ticks(200);
  out.extra_memory = ticks(500);
  return out;
}

TEST(MemoryRules, StoresAndLoadsGoToL2OnDifferentWays) {
  const auto loaded = [](const TimedAccess& before) {
    SmBuilder sm;
    sm.warp({load(before, 2, 1), load(beyond(all), 2, 0), waits(0)});
    return sm.issues(0)[2];
  };
  // The load leaves at 11 and is read 15 + 200 later; behind a load its port is free at 9 + 50.
  EXPECT_EQ(loaded(store(50)), 11 + 15 + 200);
  TimedAccess slow = beyond(all);
  slow.l2_port = ticks(50);
  EXPECT_EQ(loaded(slow), 59 + 15 + 200);
}

TEST(MemoryRules, LevelsAddTheirLatency) {
  const auto both = [](std::uint64_t l2) {
    SmBuilder sm;
    sm.warp({load(beyond(l2), 1, 0), load(beyond(l2), 2, 1), waits(0), waits(1)});
    const Cycles at = sm.issues(0);
    return Cycles{at[2], at[3]};
  };
  // They leave at 9 and 11. L2: 9 + 15 + 200; its port takes the second at 14.
  EXPECT_EQ(both(all), (Cycles{224, 229}));
  // Memory: 9 + 15 + 500; the second is at its port at 14, served at 29.
  EXPECT_EQ(both(0), (Cycles{524, 544}));
}

TEST(MemoryRules, DrawDecidesTheLevel) {
  const auto level = [](std::uint64_t draw) {
    SmMachine machine;
    DevicePath device;
    MemoryUnit unit(machine, &device);
    TimedAccess access = beyond(300);
    access.none = 100;
    access.l1 = 200;
    access.data = ticks(8);
    unit.take(access, 0, 0, 99);  // nothing asked: the data stage stays free
    const AccessTimes times = unit.take(access, 0, 0, draw);
    return std::pair(cycles_of(times.done), times.level);
  };
  EXPECT_EQ(level(99), std::pair(26.0, Cause::l1));
  EXPECT_EQ(level(199), std::pair(26.0, Cause::l1));
  EXPECT_EQ(level(200), std::pair(226.0, Cause::l2));
  EXPECT_EQ(level(299), std::pair(226.0, Cause::l2));
  EXPECT_EQ(level(300), std::pair(526.0, Cause::memory));
}

// One sub-core's collector takes 4 cycles for each of its three accesses, which leave at 9, 13
// and 17. What other sub-cores issue at 2 passes the SM's interface and its data stage in between.
TEST(MemoryRules, SubCoresUseTheGapsThatOthersLeave) {
  SmMachine machine;
  machine.schedulers = 4;
  DevicePath device;
  MemoryUnit unit(machine, &device);
  TimedAccess access;
  access.collect = ticks(4);
  access.leave = ticks(9);
  access.interface = access.data = ticks(1);
  access.after = ticks(15);
  for (int i = 0; i < 3; ++i) {
    const AccessTimes times = unit.take(access, 0, ticks(i), all);
    EXPECT_EQ(cycles_of(times.left), 9 + 4 * i);
    EXPECT_EQ(cycles_of(times.done), 9 + 4 * i + 15);
  }
  const std::array<double, 3> left{11, 12, 14};  // 13 is taken
  for (std::uint32_t other = 1; other < 4; ++other) {
    const AccessTimes times = unit.take(access, other, ticks(2), all);
    EXPECT_EQ(cycles_of(times.left), left[other - 1]) << other;
    EXPECT_EQ(cycles_of(times.done), left[other - 1] + 15) << other;
  }
}

TEST(MemoryRules, DrawsFollowTheShares) {
  for (const double share : {0.0, 0.25, 0.5, 0.9, 1.0}) {
    TimedAccess some = beyond(all);
    some.l1 = static_cast<std::uint64_t>((1 - share) * static_cast<double>(all));
    std::vector<Op> ops;
    for (int i = 0; i < 100; ++i) {
      ops.push_back(load(some));
      ops.push_back(waits(0));
    }
    SmBuilder sm;
    sm.warp(ops);
    const Cycles at = sm.issues(0);
    int far = 0;
    for (std::size_t i = 0; i < at.size(); i += 2) far += at[i + 1] - at[i] > 200 ? 1 : 0;
    EXPECT_NEAR(far, 100 * share, 1.5) << share;
  }
}

TEST(MemoryRules, LoadsOfOnePieceComeFromOneLevel) {
  // Nobody waits between the two: the same piece of data, the same level.
  TimedAccess some = beyond(all);
  some.l1 = all / 2;
  std::vector<Op> ops;
  for (int i = 0; i < 20; ++i) {
    ops.push_back(load(some, 1, 0));
    ops.push_back(load(some, 2, 1));
    ops.push_back(waits(0));
    ops.push_back(waits(1));
  }
  SmBuilder sm;
  sm.warp(ops);
  const Cycles at = sm.issues(0);
  for (std::size_t i = 0; i < at.size(); i += 4) EXPECT_LE(at[i + 3] - at[i + 2], 5) << i;
}

}  // namespace
}  // namespace forewarp::tests
