// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "timing/units/ready_times.h"

#include <gtest/gtest.h>

namespace forewarp::tests {
namespace {

using timing::cycle;
using timing::never;
using timing::ReadyTimes;

TEST(ReadyTimes, NobodyIsReadyAtFirst) {
  ReadyTimes ready;
  EXPECT_EQ(ready.at(5 * cycle), 0U);
  EXPECT_EQ(ready.next(5 * cycle), never);
}

// Places in different rows of 16; the times are 4, 5 and one tick after 5.
TEST(ReadyTimes, WhoseTimeHasComeIsABit) {
  ReadyTimes ready;
  ready.set(0, 4 * cycle);
  ready.set(17, 5 * cycle);
  ready.set(63, 5 * cycle + 1);
  EXPECT_EQ(ready.at(4 * cycle), 1U);
  EXPECT_EQ(ready.at(5 * cycle), 1U | 1ULL << 17);
  EXPECT_EQ(ready.at(6 * cycle), 1U | 1ULL << 17 | 1ULL << 63);
  EXPECT_EQ(ready.next(2 * cycle), 4 * cycle);
  EXPECT_EQ(ready.next(9 * cycle), 9 * cycle);
  ready.set(0, never);
  EXPECT_EQ(ready.next(2 * cycle), 5 * cycle);
}

// 2^40 ticks do not fit in 32 bits: such a wait is found by the times themselves.
TEST(ReadyTimes, LongWaitsAreExact) {
  constexpr timing::Ticks later = timing::Ticks{1} << 40;
  ReadyTimes ready;
  ready.set(1, later + 3);
  ready.set(2, later + 2);
  EXPECT_EQ(ready.at(cycle), 0U);
  EXPECT_EQ(ready.next(cycle), later + 2);
  EXPECT_EQ(ready.at(later + 2), 4U);
  EXPECT_EQ(ready.at(later + 3), 6U);
  EXPECT_EQ(ready.at(later + 1), 0U) << "back before the base";
  EXPECT_EQ(ready.next(cycle), later + 2);
}

}  // namespace
}  // namespace forewarp::tests
