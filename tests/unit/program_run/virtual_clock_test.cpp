// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "program_run/virtual_clock.h"

#include <atomic>
#include <chrono>
#include <thread>

#include <gtest/gtest.h>

namespace forewarp::tests {
namespace {

using program_run::VirtualClock;

constexpr std::int64_t ms = 1'000'000;

void pass(std::int64_t nanoseconds) {
  std::this_thread::sleep_for(std::chrono::nanoseconds(nanoseconds));
}

class Clock : public testing::Test {
 protected:
  /// What a program reads that sees the machine's clock moved.
  [[nodiscard]] std::int64_t program() const { return VirtualClock::machine() + offset_; }
  [[nodiscard]] std::int64_t processor() const { return program() + processor_; }
  std::atomic<std::int64_t> offset_{0}, processor_{0};
};

TEST_F(Clock, MakingTheMachineIsNoTimeOfTheProgram) {
  const std::int64_t before = program();
  const std::int64_t begin = VirtualClock::machine();
  VirtualClock clock({&offset_, &processor_}, 1);
  pass(300 * ms);
  clock.start(begin);
  clock.enter();
  clock.leave(2 * ms);
  EXPECT_LT(program() - before, 100 * ms);
  EXPECT_GE(program() - before, 2 * ms);
  EXPECT_LT(clock.host(), 100 * ms);
}

TEST_F(Clock, ACallTakesWhatTheHostWaitsInIt) {
  VirtualClock clock({&offset_, &processor_}, 1);
  clock.start(VirtualClock::machine());
  const std::int64_t before = program(), used = processor();
  clock.enter();
  pass(300 * ms);
  clock.wait_until(clock.now() + 5000 * ms);
  clock.leave(0);
  EXPECT_NEAR(static_cast<double>(program() - before), 5000.0 * ms, 100.0 * ms);
  EXPECT_NEAR(static_cast<double>(processor() - used), 5000.0 * ms, 100.0 * ms);
}

TEST_F(Clock, AForkedChildGoesOnFromItsParentsClock) {
  VirtualClock parent({&offset_, &processor_}, 1);
  parent.start(VirtualClock::machine());
  parent.enter();
  parent.wait_until(5000 * ms);
  parent.leave(0);
  parent.forget_processor_time();
  EXPECT_EQ(processor_, 0);
  const std::int64_t before = program();
  VirtualClock child({&offset_, &processor_}, 1);
  child.start(VirtualClock::machine());
  EXPECT_LT(processor(), 4000 * ms);  // its own
  child.enter();
  child.leave(0);
  EXPECT_GE(program(), before);
  EXPECT_LT(program() - before, 100 * ms);
}

TEST_F(Clock, WithoutClocksOfTheProgramNothingIsMoved) {
  VirtualClock clock({}, 2);
  clock.start(VirtualClock::machine());
  pass(10 * ms);
  clock.enter();
  clock.leave(0);
  clock.forget_processor_time();
  EXPECT_GE(clock.host(), 20 * ms);
}

}  // namespace
}  // namespace forewarp::tests
