// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "program_run/device_schedule.h"

#include <gtest/gtest.h>

namespace forewarp::tests {
namespace {

using program_run::DeviceSchedule;
using program_run::Engine;
using program_run::Interval;
using program_run::StreamId;

constexpr StreamId first = 17, second = 18;

Interval put(DeviceSchedule& schedule, StreamId stream, Engine engine, std::int64_t duration,
             double share = 1, std::int64_t issued = 0) {
  return schedule.place({stream, engine, issued, 0, duration, share});
}

DeviceSchedule with_streams(bool blocking) {
  DeviceSchedule schedule;
  schedule.add_stream(first, blocking);
  schedule.add_stream(second, blocking);
  return schedule;
}

// A thread that has waited issues at 200; another one, which has not, at 10: the first kernel takes
// the device until 100.
TEST(DeviceSchedule, WorkOfThreadsComesInNoOrder) {
  DeviceSchedule schedule = with_streams(false);
  const auto at = [&](StreamId stream, std::int64_t issued) {
    DeviceSchedule::Work work{stream, Engine::compute, issued, 0, 100};
    work.past = 10;
    return schedule.place(work).begin;
  };
  EXPECT_EQ(at(first, 0), 0);
  EXPECT_EQ(at(first, 200), 200);
  EXPECT_EQ(at(second, 10), 100);
}

TEST(DeviceSchedule, AStreamIsInOrder) {
  DeviceSchedule schedule = with_streams(false);
  EXPECT_EQ(put(schedule, first, Engine::copy_in, 100).end, 100);
  EXPECT_EQ(put(schedule, first, Engine::compute, 50).begin, 100);
  EXPECT_EQ(put(schedule, first, Engine::copy_out, 10).begin, 150);
  EXPECT_EQ(schedule.end_of(first), 160);
}

// A launch that may begin early has no gap behind a kernel that lets it, and only there.
TEST(DeviceSchedule, AnEarlyLaunchLeavesNoGap) {
  for (const bool lets : {false, true}) {
    for (const bool early : {false, true}) {
      DeviceSchedule schedule = with_streams(false);
      DeviceSchedule::Work work{first, Engine::compute, 0, 7, 100};
      work.lets_next_begin = lets;
      EXPECT_EQ(schedule.place(work).begin, 7);
      work.lets_next_begin = false;
      work.early = early;
      EXPECT_EQ(schedule.place(work).begin, lets && early ? 107 : 114);
      EXPECT_EQ(schedule.place(work).begin, lets && early ? 214 : 221) << "the second lets nobody";
    }
  }
}

TEST(DeviceSchedule, CopiesOfOneDirectionWaitForEachOther) {
  DeviceSchedule schedule = with_streams(false);
  put(schedule, first, Engine::copy_in, 100);
  EXPECT_EQ(put(schedule, second, Engine::copy_in, 100).begin, 100);
  EXPECT_EQ(put(schedule, second, Engine::copy_out, 30).begin, 200);  // behind its own stream
}

TEST(DeviceSchedule, CopiesOfTwoDirectionsRunTogether) {
  DeviceSchedule schedule = with_streams(false);
  put(schedule, first, Engine::copy_in, 100);
  EXPECT_EQ(put(schedule, second, Engine::copy_out, 100).begin, 0);
}

TEST(DeviceSchedule, KernelsShareTheDeviceWhileTheyFit) {
  DeviceSchedule schedule = with_streams(false);
  schedule.add_stream(19, false);
  EXPECT_EQ(put(schedule, first, Engine::compute, 100, 0.6).begin, 0);
  EXPECT_EQ(put(schedule, second, Engine::compute, 50, 0.4).begin, 0);
  EXPECT_EQ(put(schedule, 19, Engine::compute, 10, 0.5).begin, 100);  // 0.6 + 0.5 > 1 until then
}

TEST(DeviceSchedule, AFullKernelWaitsForEveryOther) {
  DeviceSchedule schedule = with_streams(false);
  put(schedule, first, Engine::compute, 100);
  EXPECT_EQ(put(schedule, second, Engine::compute, 50).begin, 100);
}

TEST(DeviceSchedule, LegacyStreamAndBlockingStreamsWaitForEachOther) {
  DeviceSchedule schedule = with_streams(true);
  put(schedule, first, Engine::compute, 100, 0.1);
  EXPECT_EQ(put(schedule, program_run::legacy_stream, Engine::compute, 10, 0.1).begin, 100);
  EXPECT_EQ(put(schedule, second, Engine::compute, 10, 0.1).begin, 110);
}

TEST(DeviceSchedule, OtherStreamsDoNotWaitForTheLegacyStream) {
  DeviceSchedule schedule = with_streams(false);
  put(schedule, program_run::legacy_stream, Engine::compute, 100, 0.1);
  EXPECT_EQ(put(schedule, first, Engine::compute, 10, 0.1).begin, 0);
  EXPECT_EQ(put(schedule, program_run::legacy_stream, Engine::compute, 10, 0.1).begin, 100);
}

TEST(DeviceSchedule, WorkBeginsAfterItsIssueAndTheGap) {
  DeviceSchedule schedule = with_streams(false);
  EXPECT_EQ(put(schedule, first, Engine::compute, 10, 1, 40).begin, 40);
  EXPECT_EQ(schedule.place({first, Engine::compute, 0, 3, 10, 1}).begin, 53);
}

TEST(DeviceSchedule, WaitingHoldsLaterWork) {
  DeviceSchedule schedule = with_streams(false);
  schedule.advance(first, 70);
  EXPECT_EQ(put(schedule, first, Engine::compute, 10).begin, 70);
}

TEST(DeviceSchedule, AWaitOfTheLegacyStreamHoldsBlockingStreams) {
  DeviceSchedule schedule = with_streams(true);
  schedule.add_stream(19, false);
  schedule.advance(program_run::legacy_stream, 70);
  EXPECT_EQ(put(schedule, first, Engine::compute, 10, 0.1).begin, 70);
  EXPECT_EQ(put(schedule, 19, Engine::compute, 10, 0.1).begin, 0);
}

TEST(DeviceSchedule, ACopyThatIsReadyComesBeforeOneThatIsNot) {
  DeviceSchedule schedule = with_streams(false);
  schedule.add_stream(19, false);
  put(schedule, first, Engine::compute, 100, 0.5);
  EXPECT_EQ(put(schedule, first, Engine::copy_out, 20).begin, 100);
  put(schedule, second, Engine::compute, 10, 0.5);
  EXPECT_EQ(put(schedule, second, Engine::copy_out, 30).begin, 10);
  EXPECT_EQ(put(schedule, 19, Engine::copy_out, 80).begin, 120);  // 60 are free from 40 on
}

TEST(DeviceSchedule, QueuesAsLongAsOneLikesAreNotForgotten) {
  constexpr int kernels = 1000;
  DeviceSchedule schedule = with_streams(false);
  for (const StreamId stream : {first, second}) {
    for (int i = 0; i < kernels; ++i) put(schedule, stream, Engine::compute, 100);
  }
  EXPECT_EQ(schedule.end(), 2 * kernels * 100);
}

TEST(DeviceSchedule, JoinedPiecesOfAQueueTakeWhatTheirKernelsTook) {
  constexpr int kernels = 1000;
  DeviceSchedule schedule = with_streams(false);
  schedule.add_stream(19, false);
  for (int i = 0; i < kernels; ++i) {
    put(schedule, first, Engine::compute, 100, 0.25);
    put(schedule, second, Engine::compute, 100, 0.5);
  }
  EXPECT_EQ(put(schedule, 19, Engine::compute, 10, 0.25).begin, 0);
  EXPECT_EQ(put(schedule, 19, Engine::compute, 10, 0.3).begin, kernels * 100);
}

}  // namespace
}  // namespace forewarp::tests
