// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "program_run/virtual_clock.h"

#include <atomic>
#include <chrono>
#include <thread>

#include <gtest/gtest.h>

namespace forewarp::tests {
namespace {

using program_run::HostThread;
using program_run::VirtualClock;

constexpr std::int64_t ms = 1'000'000;

void pass(std::int64_t nanoseconds) {
  std::this_thread::sleep_for(std::chrono::nanoseconds(nanoseconds));
}

class Clock : public testing::Test {
 protected:
  /// What a program reads that sees the machine's clock moved.
  [[nodiscard]] std::int64_t program() const {
    return VirtualClock::machine() + offset_ + thread_->lead();
  }
  [[nodiscard]] std::int64_t processor() const { return program() + processor_; }
  std::atomic<std::int64_t> offset_{0}, processor_{0}, most_{0};
  std::shared_ptr<HostThread> thread_ = std::make_shared<HostThread>();
};

TEST_F(Clock, MakingTheMachineIsNoTimeOfTheProgram) {
  const std::int64_t before = program();
  const std::int64_t begin = VirtualClock::machine();
  VirtualClock clock({&offset_, &processor_, &most_}, 1);
  pass(300 * ms);
  clock.start(begin);
  clock.enter(thread_);
  clock.leave(2 * ms);
  EXPECT_LT(program() - before, 100 * ms);
  EXPECT_GE(program() - before, 2 * ms);
  EXPECT_LT(clock.host(), 100 * ms);
}

TEST_F(Clock, ACallTakesWhatTheHostWaitsInIt) {
  VirtualClock clock({&offset_, &processor_, &most_}, 1);
  clock.start(VirtualClock::machine());
  const std::int64_t before = program(), used = processor();
  clock.enter(thread_);
  pass(300 * ms);
  clock.wait_until(clock.now() + 5000 * ms);
  clock.leave(0);
  EXPECT_NEAR(static_cast<double>(program() - before), 5000.0 * ms, 100.0 * ms);
  EXPECT_NEAR(static_cast<double>(processor() - used), 5000.0 * ms, 100.0 * ms);
}

TEST_F(Clock, AForkedChildGoesOnFromItsParentsClock) {
  VirtualClock parent({&offset_, &processor_, &most_}, 1);
  parent.start(VirtualClock::machine());
  parent.enter(thread_);
  parent.wait_until(5000 * ms);
  parent.leave(0);
  parent.forget(*thread_);
  EXPECT_EQ(processor_, 0);
  const std::int64_t before = program();
  VirtualClock child({&offset_, &processor_, &most_}, 1);
  child.start(VirtualClock::machine());
  EXPECT_LT(processor(), 4000 * ms);  // its own
  child.enter(thread_);
  child.leave(0);
  EXPECT_GE(program(), before);
  EXPECT_LT(program() - before, 100 * ms);
}

TEST_F(Clock, WithoutClocksOfTheProgramNothingIsMoved) {
  VirtualClock clock({}, 2);
  clock.start(VirtualClock::machine());
  pass(10 * ms);
  clock.enter(thread_);
  clock.leave(0);
  clock.forget(*thread_);
  EXPECT_GE(clock.host(), 20 * ms);
}

// Each waits 1000 ms from its own 0: 1000 ms pass, not 2000. One that was blocked since its last
// call waited for the other, and one that calls for the first time begins where that is.
TEST_F(Clock, WaitsOfThreadsPassAtTheSameTime) {
  VirtualClock clock({&offset_, &processor_, &most_}, 1);
  clock.start(VirtualClock::machine());
  const auto other = std::make_shared<HostThread>(), late = std::make_shared<HostThread>();
  const auto call = [&](const auto& thread, std::int64_t wait, std::int64_t waits = 0) {
    thread->look_after(1 * ms, waits);
    clock.enter(thread);
    const std::int64_t begin = clock.now();
    clock.wait_until(begin + wait);
    clock.leave(0);
    return begin;
  };
  call(thread_, 0);
  call(other, 0);
  call(thread_, 1000 * ms);
  EXPECT_LT(call(other, 1200 * ms), 100 * ms);
  EXPECT_EQ(most_, other->lead());
  EXPECT_NEAR(static_cast<double>(clock.waited()), 1200.0 * ms, 100.0 * ms);
  EXPECT_NEAR(static_cast<double>(clock.latest()), 1200.0 * ms, 100.0 * ms);
  EXPECT_NEAR(static_cast<double>(clock.earliest()), 1000.0 * ms, 100.0 * ms);
  EXPECT_GE(call(late, 0), 1200 * ms);
  const auto made = std::make_shared<HostThread>();
  made->begin(thread_->lead());
  EXPECT_LT(call(made, 0), 1100 * ms);
  EXPECT_LT(call(thread_, 0), 1100 * ms);
  EXPECT_GE(call(thread_, 0, 1), 1200 * ms);
}

// The second thread has waited for the lock while the first one's call was answered, and longer.
TEST(HostThreads, WaitForEachOthersCallsInNoTime) {
  VirtualClock clock({}, 1);
  const auto one = std::make_shared<HostThread>(), two = std::make_shared<HostThread>();
  clock.start(VirtualClock::machine());
  clock.enter(one);
  two->arrive();
  clock.leave(0);
  pass(200 * ms);
  clock.enter(two);
  EXPECT_LT(clock.host(), 100 * ms);
  clock.leave(0);
  pass(20 * ms);
  two->arrive();
  clock.enter(two);
  EXPECT_GE(clock.host(), 20 * ms);
}

TEST(HostThreads, AreBlockedThatGaveUpTheirCore) {
  VirtualClock clock({}, 1);
  const auto one = std::make_shared<HostThread>(), two = std::make_shared<HostThread>();
  for (const auto& thread : {one, two, one}) {
    clock.enter(thread);
    clock.leave(0);
  }
  const auto blocked = [&](std::int64_t passed, std::int64_t waits) {
    one->look_after(passed, waits);
    return one->was_blocked();
  };
  EXPECT_FALSE(blocked(50'000, 1));
  EXPECT_TRUE(blocked(50'001, 1));
  EXPECT_FALSE(blocked(ms, 0));  // another one had its core
  const HostThread before_its_first_call;
  EXPECT_FALSE(before_its_first_call.was_blocked());
}

}  // namespace
}  // namespace forewarp::tests
