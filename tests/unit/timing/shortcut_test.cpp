// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "sm_builder.h"
#include "timing/block_work.h"
#include "timing/units/device_path.h"
#include "timing/whole_grid.h"

namespace forewarp::tests {
namespace {

WarpPath straight(std::uint32_t first, std::uint32_t last, double share) {
  WarpPath path;
  PathStep run;
  run.first = first;
  run.last = last;
  path.steps.push_back(run);
  path.share = share;
  return path;
}

// One warp a block, a quarter of the warps long: every fourth block has the long one.
TEST(BlockWork, BlocksTakeTurnsWhereSharesAreFractions) {
  const std::vector<WarpPath> paths{straight(0, 4, 0.75), straight(0, 40, 0.25)};
  const BlockWork work(paths, 1, 1, 1);
  int longer = 0;
  for (const BlockPlan* plan : work.kinds()) {
    ASSERT_EQ(plan->size(), 1U);
    longer += plan->front()->instructions > 4 ? 1 : 0;
  }
  EXPECT_EQ(longer * 4, static_cast<int>(work.kinds().size()));
  EXPECT_DOUBLE_EQ(work.instructions, 0.75 * 4 + 0.25 * 40);
}

TEST(BlockWork, MoreKindsThanWarpsLoseNone) {
  const std::vector<WarpPath> paths{straight(0, 1, 0.25), straight(0, 2, 0.25),
                                    straight(0, 3, 0.25), straight(0, 4, 0.25)};
  EXPECT_DOUBLE_EQ(BlockWork(paths, 2, 1, 1).instructions, 2 * (1 + 2 + 3 + 4) / 4.0);
}

TEST(DevicePath, ServesInOrder) {
  DevicePath path;
  EXPECT_EQ(path.wait(0, 10 * cycle), 0);
  EXPECT_EQ(path.wait(4 * cycle, cycle), 6 * cycle);
}

// An SM that ran ahead asks at 20, then another asks at 5: it does not stand behind the first.
TEST(DevicePath, AnEarlyRequestDoesNotStandBehindALateOne) {
  DevicePath path({}, false);
  EXPECT_EQ(path.wait(20 * cycle, 4 * cycle), 0);
  EXPECT_EQ(path.wait(5 * cycle, 4 * cycle), 0);
}

// 40 cycles of work asked for at once in a piece of 32: what comes next waits for the next piece.
TEST(DevicePath, AFullPieceSendsOnToTheNext) {
  DevicePath path({}, false);
  EXPECT_EQ(path.wait(0, 40 * cycle), 0);
  EXPECT_EQ(path.wait(0, cycle), 40 * cycle);
}

// Two SMs ask the busiest slice of L2, the first with a queue of its own in front: what comes at 40
// neither waits for 500 nor is the time between lost, 28 + 4 cycles of which fill a piece.
TEST(DevicePath, ASliceServesEarlyRequestsBeforeLateOnes) {
  DevicePath path({}, false);
  EXPECT_EQ(path.slice.take(500 * cycle, 4 * cycle), 500 * cycle);
  EXPECT_EQ(path.slice.take(40 * cycle, 28 * cycle), 40 * cycle);
  EXPECT_EQ(path.slice.take(40 * cycle, 4 * cycle), 40 * cycle);
  EXPECT_EQ(path.slice.take(40 * cycle, 4 * cycle), 64 * cycle);
  EXPECT_EQ(path.slice.free(), 504 * cycle);
}

// One SM's requests are served in order.
TEST(DevicePath, ASliceOfOneSmServesInOrder) {
  DevicePath path;
  EXPECT_EQ(path.slice.take(500 * cycle, 4 * cycle), 500 * cycle);
  EXPECT_EQ(path.slice.take(40 * cycle, 4 * cycle), 504 * cycle);
}

// An SM alone sends as it likes what it has not used of its share, 2048 cycles of it at most.
TEST(DevicePath, L2TakesInBursts) {
  DevicePath path;
  const Ticks at = 10'000 * cycle, quarter = DevicePath::window / 4;
  for (int i = 0; i < 5; ++i) EXPECT_EQ(path.writes.take(at, quarter), at) << i;
  EXPECT_EQ(path.writes.take(at, quarter), at + quarter);
  EXPECT_EQ(path.writes.take(at, quarter), at + 2 * quarter);
}

// Several SMs share it as they come.
TEST(DevicePath, L2TakesInWhatSeveralSmsSendInTurn) {
  DevicePath path({}, false);
  EXPECT_EQ(path.writes.take(10'000 * cycle, 32 * cycle), 10'000 * cycle);
  EXPECT_GE(path.writes.take(10'000 * cycle, 32 * cycle), 10'016 * cycle);
}

// Half of the window's time was asked for: the delay at half load, of a table 0, 100, 200.
TEST(DevicePath, AnswersLaterUnderLoad) {
  DevicePath path({0, 100 * cycle, 200 * cycle});
  EXPECT_EQ(path.wait(0, DevicePath::window / 2), 0);
  EXPECT_EQ(path.wait(DevicePath::window * 3 / 4, cycle), 100 * cycle);
}

TEST(BlockSupply, EndsWhereItIsToldButNeitherBeforeNorBehindItself) {
  const BlockPlan plan;
  for (const auto& [asked, blocks] :
       std::vector<std::pair<std::uint64_t, std::uint64_t>>{{5, 5}, {2, 3}, {3, 3}, {100, 10}}) {
    BlockSupply supply({&plan}, 10);
    for (int taken = 0; taken < 3; ++taken) supply.take(0);
    EXPECT_EQ(supply.taken(), 3U);
    supply.end_at(asked);
    while (!supply.empty()) supply.take(0);
    EXPECT_EQ(supply.taken(), blocks) << asked;
  }
}

TEST(BlockSupply, BlocksStartOneAfterTheOther) {
  const BlockPlan plan;
  BlockSupply supply({&plan}, 3, 10 * cycle);
  EXPECT_EQ(supply.take(0).start, 0);
  EXPECT_EQ(supply.take(0).start, 10 * cycle);
  EXPECT_EQ(supply.take(25 * cycle).start, 25 * cycle);
  EXPECT_TRUE(supply.empty());
}

}  // namespace
}  // namespace forewarp::tests
