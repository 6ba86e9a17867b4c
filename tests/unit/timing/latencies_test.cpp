// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "timing/recorders/latencies.h"

#include <cmath>

#include <gtest/gtest.h>

#include "sm_builder.h"
#include "timing/account.h"

namespace forewarp::tests {
namespace {

constexpr std::uint64_t all = std::uint64_t{1} << 32;

TEST(AccessLatencies, CountsInBinsOfACycle) {
  AccessLatencies seen;
  for (const double cycles : {30.0, 30.5, 33.0, 40.0}) seen.add(ticks(cycles), Cause::l1);
  seen.add(ticks(200), Cause::memory);
  EXPECT_EQ(seen.count(), 5U);
  EXPECT_DOUBLE_EQ(seen.mean(), 333.5 / 5);
  double squares = 0;
  for (const double cycles : {30.0, 30.5, 33.0, 40.0, 200.0}) squares += std::pow(cycles - 66.7, 2);
  EXPECT_NEAR(seen.deviation(), std::sqrt(squares / 5), 1e-9);
  EXPECT_EQ(seen.width(), cycle);
  ASSERT_EQ(seen.bins().size(), 201U);
  EXPECT_EQ(seen.bins()[30], 2U);
  EXPECT_EQ(seen.bins()[200], 1U);
  EXPECT_EQ(seen.least(), ticks(30));
  EXPECT_EQ(seen.most(), ticks(200));
  EXPECT_EQ(seen.from(Cause::l1), 4U);
  EXPECT_EQ(seen.from(Cause::memory), 1U);
}

// 511 still fits into 512 bins of a cycle; 2047 asks for bins of 4 cycles.
TEST(AccessLatencies, BinsGrowInsteadOfTheirNumber) {
  AccessLatencies seen;
  seen.add(ticks(511), Cause::l2);
  EXPECT_EQ(seen.width(), cycle);
  seen.add(ticks(3), Cause::l2);
  seen.add(ticks(2047), Cause::l2);
  EXPECT_EQ(seen.width(), 4 * cycle);
  ASSERT_EQ(seen.bins().size(), 512U);
  EXPECT_EQ(seen.bins()[0], 1U);
  EXPECT_EQ(seen.bins()[127], 1U) << "511 / 4";
  EXPECT_EQ(seen.bins()[511], 1U);
  EXPECT_DOUBLE_EQ(seen.mean(), 2561.0 / 3);
}

// Two loads leave at 9 and 11, data at 9 and 13 (a stage of 4 cycles), the result 15 later: they
// take 24 and 27 cycles; a store is none of them.
TEST(AccessLatencies, AreThoseOfTheSimulatedLoads) {
  TimedAccess slow = first_level(2, 9, 15);
  slow.data = ticks(4);
  TimedAccess store = first_level(2, 9, 15);
  store.is_store = true;
  SmBuilder sm;
  sm.warp({{.stall = 1, .write = 0, .access = slow},
           {.stall = 2, .write = 1, .access = slow},
           {.access = store},
           {.wait = 3}});
  sm.run();
  SimulatedTime time;
  account(sm.recorder(), {ticks(100), 1, cycle}, time);
  ASSERT_EQ(time.detail.latencies.size(), 2U);
  EXPECT_EQ(time.detail.latencies[0].mean, 24);
  EXPECT_EQ(time.detail.latencies[1].mean, 27);
  EXPECT_EQ(time.detail.latencies[1].bins.size(), 28U);
  EXPECT_EQ(time.detail.latencies[1].bins.back(), 1);
  ASSERT_EQ(time.detail.latencies[0].levels.size(), 1U);
  EXPECT_EQ(time.detail.latencies[0].levels[0], (std::pair<std::string_view, double>{"shared", 1}));
}

// Every second load goes to device memory, 300 cycles farther away.
TEST(AccessLatencies, NameWhereTheDataWere) {
  TimedAccess global = first_level(2, 9, 15);
  global.is_memory = true;
  global.l1 = global.l2 = all / 2;
  global.extra_memory = ticks(300);
  SmBuilder sm;
  sm.machine.schedulers = 1;
  sm.blocks = 400;
  sm.resident = 4;
  sm.warp({{.write = 0, .access = global}, {.wait = 1}});
  sm.run();
  SimulatedTime time;
  account(sm.recorder(), {ticks(1000), 1, cycle}, time);
  ASSERT_EQ(time.detail.latencies.size(), 1U);
  const SimulatedDetail::Latency& seen = time.detail.latencies[0];
  EXPECT_EQ(seen.count, 400);
  ASSERT_EQ(seen.levels.size(), 2U);
  EXPECT_EQ(seen.levels[0].first, "l1");
  EXPECT_EQ(seen.levels[1].first, "memory");
  EXPECT_NEAR(seen.levels[1].second, 0.5, 0.05);
  EXPECT_NEAR(seen.mean, 24 + 300 * seen.levels[1].second, 3);
  EXPECT_NEAR(seen.deviation, 150, 5);
}

}  // namespace
}  // namespace forewarp::tests
