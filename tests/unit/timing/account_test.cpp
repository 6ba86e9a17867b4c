// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "timing/account.h"

#include <gtest/gtest.h>

namespace forewarp::tests {
namespace {

std::size_t index_of(Cause cause) {
  return static_cast<std::size_t>(cause);
}

double share_of(const SimulatedDetail::Shares& shares, std::string_view cause) {
  for (const auto& [name, share] : shares) {
    if (name == cause) return share;
  }
  return 0;
}

SimulatedTime accounted(const Recorder& recorder, const RecordedRun& run) {
  SimulatedTime time;
  account(recorder, run, time);
  return time;
}

TEST(Account, WhatNobodyRecordedIsIdle) {
  Recorder recorder(1);
  recorder.schedulers[index_of(Cause::issue)] = ticks(10);
  recorder.schedulers[index_of(Cause::memory)] = ticks(50);
  const SimulatedTime time = accounted(recorder, {ticks(100), 2});
  // Two schedulers of 100 cycles each: 200, of which 140 nobody recorded.
  ASSERT_EQ(time.schedulers.size(), cause_count);
  EXPECT_DOUBLE_EQ(share_of(time.schedulers, "issue"), 10 / 200.0);
  EXPECT_DOUBLE_EQ(share_of(time.schedulers, "memory"), 50 / 200.0);
  EXPECT_DOUBLE_EQ(share_of(time.schedulers, "idle"), 140 / 200.0);
}

TEST(Account, StallsAreCyclesPerIssue) {
  Recorder recorder(3);
  recorder.issues = {2, 0, 6};
  recorder.stalls[0][index_of(Cause::dependence)] = ticks(9);
  recorder.stalls[2][index_of(Cause::l2)] = ticks(600);
  const SimulatedDetail detail = accounted(recorder, {ticks(16), 1, 2 * cycle}).detail;
  EXPECT_DOUBLE_EQ(detail.ipc, (2 + 6) / 16.0);
  EXPECT_DOUBLE_EQ(detail.cycles, 16);
  EXPECT_DOUBLE_EQ(detail.issue_cycles, 2);
  ASSERT_EQ(detail.instructions.size(), 2U);  // the one that was never issued is left out
  EXPECT_EQ(detail.instructions[1].index, 2U);
  EXPECT_DOUBLE_EQ(share_of(detail.instructions[0].stalls, "dependence"), 9 / 2.0);
  EXPECT_DOUBLE_EQ(share_of(detail.instructions[1].stalls, "l2"), 600 / 6.0);
}

TEST(Account, SeventeenWarpsOnFourSchedulersLose15Percent) {
  const auto imbalance_of = [](int warps, std::uint32_t schedulers) {
    Recorder recorder(1);
    for (int w = 0; w < warps; ++w) recorder.residency.change(0, 1);
    for (int w = 0; w < warps; ++w) recorder.residency.change(ticks(8), -1);
    return accounted(recorder, {ticks(8), schedulers}).detail.occupancy.imbalance;
  };
  EXPECT_DOUBLE_EQ(imbalance_of(17, 4), 17.0 / (4 * 5));  // Volkov 2016, 5.8: 15 % less
  EXPECT_DOUBLE_EQ(imbalance_of(16, 4), 1);
  EXPECT_DOUBLE_EQ(imbalance_of(1, 2), 0.5);
  EXPECT_DOUBLE_EQ(imbalance_of(0, 4), 1);
}

TEST(Account, PersistentBlocksEndApartAndLeaveTheSmHalfEmpty) {
  Recorder recorder(1);
  for (int w = 0; w < 20; ++w) recorder.residency.change(0, 1);
  for (int w = 0; w < 11; ++w) recorder.residency.change(ticks(66), -1);
  for (int w = 0; w < 9; ++w) recorder.residency.change(ticks(100), -1);
  recorder.block_ends.add(ticks(66));
  recorder.block_ends.add(ticks(100));
  const SimulatedTime time = accounted(recorder, {ticks(100), 1});
  EXPECT_DOUBLE_EQ(time.warps_per_sm, (20 * 66 + 9 * 34) / 100.0);
  EXPECT_DOUBLE_EQ(time.detail.occupancy.below_half, 0.34);
  EXPECT_DOUBLE_EQ(time.detail.ends.first, 66);
  EXPECT_DOUBLE_EQ(time.detail.ends.last, 100);
  EXPECT_EQ(time.detail.ends.blocks, 2U);
}

TEST(Account, TheTimelineNamesWhatWasWaitedFor) {
  Recorder recorder(5);
  recorder.events.push_back({ticks(12.5), 1, 7, 3, 4, Cause::barrier});
  const SimulatedDetail detail = accounted(recorder, {ticks(20), 2}).detail;
  ASSERT_EQ(detail.timeline.size(), 1U);
  const SimulatedDetail::Issue& issue = detail.timeline.front();
  EXPECT_DOUBLE_EQ(issue.cycle, 12.5);
  EXPECT_EQ(issue.scheduler, 1U);
  EXPECT_EQ(issue.block, 7U);
  EXPECT_EQ(issue.warp, 3U);
  EXPECT_EQ(issue.instruction, 4U);
  EXPECT_EQ(issue.waited, "barrier");
}

TEST(Account, ARunOfNothingHasNoShares) {
  const SimulatedTime time = accounted(Recorder(0), {0, 4});
  EXPECT_TRUE(time.schedulers.empty());
  EXPECT_EQ(time.detail.ipc, 0);
}

}  // namespace
}  // namespace forewarp::tests
