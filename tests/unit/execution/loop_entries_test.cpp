// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "execution/grid/loop_entries.h"

#include <gtest/gtest.h>

namespace forewarp::tests {
namespace {

TEST(LaneCounters, CountEachLaneByItself) {
  LaneCounters counters;
  for (int i = 0; i < 1000; ++i) counters.increment(0x1);
  for (int i = 0; i < 5; ++i) counters.increment(0x6);
  EXPECT_EQ(counters.most(0x1), 1000U);
  EXPECT_EQ(counters.most(0x2), 5U);
  EXPECT_EQ(counters.most(0x7), 1000U);
  EXPECT_EQ(counters.most(0x8), 0U);
  EXPECT_EQ(counters.most(0), 0U);
  counters.clear(0x1);
  EXPECT_EQ(counters.most(0x7), 5U);
}

struct Recorded {
  std::vector<std::uint64_t> passes;
  auto closed() {
    return [this](std::uint64_t count) { passes.push_back(count); };
  }
};

/// Lanes that leave early let the slower ones go on; those count.
TEST(LoopEntries, TakeTheSlowestLane) {
  LoopEntries entries;
  Recorded recorded;
  entries.pass(0xff, 0xff, recorded.closed());
  entries.pass(0x0f, 0, recorded.closed());
  entries.pass(0x03, 0, recorded.closed());
  entries.close(recorded.closed());
  EXPECT_EQ(recorded.passes, std::vector<std::uint64_t>{3});
}

/// Two halves pass one after the other, four header runs in all, but no lane passes thrice.
TEST(LoopEntries, LanesThatTakeTurnsAreOneEntry) {
  LoopEntries entries;
  Recorded recorded;
  entries.pass(0xff, 0xff, recorded.closed());
  entries.pass(0x0f, 0, recorded.closed());
  entries.pass(0xf0, 0, recorded.closed());
  entries.close(recorded.closed());
  EXPECT_EQ(recorded.passes, std::vector<std::uint64_t>{2});
}

/// A nested loop is entered again: first by some lanes while others are still in it.
TEST(LoopEntries, LanesThatComeAgainMakeANewEntry) {
  LoopEntries entries;
  Recorded recorded;
  for (const LaneMask entering : {0xffU, 0U, 0U}) entries.pass(0xff, entering, recorded.closed());
  entries.pass(0x0f, 0x0f, recorded.closed());
  EXPECT_TRUE(recorded.passes.empty());
  entries.pass(0xf0, 0xf0, recorded.closed());
  EXPECT_EQ(recorded.passes, std::vector<std::uint64_t>{3});
  entries.close(recorded.closed());
  EXPECT_EQ(recorded.passes, (std::vector<std::uint64_t>{3, 1, 1}));
  entries.close(recorded.closed());
  EXPECT_EQ(recorded.passes.size(), 3U);
}

}  // namespace
}  // namespace forewarp::tests
