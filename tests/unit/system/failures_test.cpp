// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "system/engine/failures.h"

#include <cmath>

#include <gtest/gtest.h>

namespace forewarp::tests {
namespace {

System one_unit(double per_hour) {
  System system;
  system.components.resize(1);
  system.components[0].failures_per_hour = per_hour;
  return system;
}

TEST(FailuresTest, LifetimesAreExponential) {  // mean 1 / rate; longer than that with 1 / e
  constexpr int draws = 20'000;
  double sum = 0;
  int longer = 0;
  for (int i = 0; i < draws; ++i) {
    const double life = lifetime_s(7, 0, static_cast<std::uint64_t>(i), 0.25);
    sum += life;
    longer += life > 4 ? 1 : 0;
  }
  EXPECT_NEAR(sum / draws, 4, 0.1);
  EXPECT_NEAR(static_cast<double>(longer) / draws, std::exp(-1), 0.015);
}

TEST(FailuresTest, ALifetimeIsOfItsSeedAttemptAndPart) {
  const double life = lifetime_s(7, 1, 2, 1);
  EXPECT_EQ(life, lifetime_s(7, 1, 2, 1));
  EXPECT_NE(life, lifetime_s(8, 1, 2, 1));
  EXPECT_NE(life, lifetime_s(7, 2, 2, 1));
  EXPECT_NE(life, lifetime_s(7, 1, 3, 1));
}

TEST(FailuresTest, NothingIsDrawnWithoutASeed) {
  System system = one_unit(1);
  EXPECT_TRUE(failures_of(system, {}).empty());
  system.failures.seed = 1;
  ASSERT_EQ(failures_of(system, {}).size(), 1U);
  EXPECT_DOUBLE_EQ(failures_of(system, {})[0].at_s, lifetime_s(1, 0, 0, 1.0 / 3600));
}

TEST(FailuresTest, OutagesGoOnInALaterAttempt) {  // begun at 5 s: over, in progress, to come
  System system = one_unit(0);
  system.components[0].outages = {{1, 2}, {4, 2}, {8, 3}, {20}};
  const auto events = failures_of(system, {1, 5});
  ASSERT_EQ(events.size(), 5U);
  EXPECT_DOUBLE_EQ(events[0].at_s, 0);
  EXPECT_TRUE(events[0].fails);
  EXPECT_DOUBLE_EQ(events[1].at_s, 1);
  EXPECT_FALSE(events[1].fails);
  EXPECT_DOUBLE_EQ(events[2].at_s, 3);
  EXPECT_DOUBLE_EQ(events[3].at_s, 6);
  EXPECT_DOUBLE_EQ(events[4].at_s, 15);
}

}  // namespace
}  // namespace forewarp::tests
