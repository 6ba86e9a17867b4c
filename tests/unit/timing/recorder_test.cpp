// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "timing/recorders/recorder.h"

#include <cstddef>

#include <gtest/gtest.h>

namespace forewarp::tests {
namespace {

Ticks of(const Recorder::Causes& causes, Cause cause) {
  return causes[static_cast<std::size_t>(cause)];
}

IssueHappened issue_at(double at) {
  IssueHappened issue;
  issue.at = issue.own_ready = issue.before = ticks(at);
  return issue;
}

// The warp issued until 2, waited for a unit's result until 7 and for a pipe until 10; its
// scheduler had nothing before.
TEST(Recorder, DividesAWarpsTimeAndTheSchedulers) {
  Recorder recorder(1);
  IssueHappened issue = issue_at(10);
  issue.before = 2 * cycle;
  issue.own_ready = 7 * cycle;
  issue.wait = Cause::math;
  issue.unit = Cause::pipe;
  recorder.add(issue, cycle);
  EXPECT_EQ(of(recorder.stalls[0], Cause::math), 5 * cycle);
  EXPECT_EQ(of(recorder.stalls[0], Cause::pipe), 3 * cycle);
  EXPECT_EQ(of(recorder.stalls[0], Cause::issue), cycle);
  EXPECT_EQ(of(recorder.schedulers, Cause::math), 7 * cycle);
  EXPECT_EQ(of(recorder.schedulers, Cause::pipe), 3 * cycle);
  EXPECT_EQ(recorder.events[0].waited, Cause::math);
}

// Who was ready at 3 and issues at 8 was not selected until then; schedulers count for themselves.
TEST(Recorder, WhoIsReadyWasNotSelected) {
  Recorder recorder(1);
  recorder.add(issue_at(7), cycle);
  IssueHappened issue = issue_at(8);
  issue.before = issue.own_ready = 3 * cycle;
  recorder.add(issue, cycle);
  EXPECT_EQ(of(recorder.stalls[0], Cause::not_selected), 5 * cycle);
  EXPECT_EQ(of(recorder.schedulers, Cause::issue), 2 * cycle);
  EXPECT_EQ(recorder.events[1].waited, Cause::issue);
  EXPECT_EQ(recorder.issues[0], 2U);
}

// A new warp ends a gap in which the others stood at a barrier.
TEST(Recorder, ANewWarpEndsTheOthersGap) {
  Recorder recorder(1);
  IssueHappened issue = issue_at(4);
  issue.others = Cause::barrier;
  recorder.add(issue, cycle);
  EXPECT_EQ(of(recorder.schedulers, Cause::barrier), 4 * cycle);
}

}  // namespace
}  // namespace forewarp::tests
