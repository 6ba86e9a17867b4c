// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "program_run/virtual_clock.h"

#include <algorithm>
#include <ctime>
#include <sys/syscall.h>
#include <unistd.h>

namespace forewarp::program_run {

namespace {
constexpr std::int64_t billion = 1'000'000'000;

std::int64_t read(clockid_t clock) {
  // Not clock_gettime(): that may be the program's own clock, which follows this one.
  timespec at{};
  ::syscall(SYS_clock_gettime, clock, &at);
  return at.tv_sec * billion + at.tv_nsec;
}

}  // namespace

std::int64_t VirtualClock::machine() {
  return read(CLOCK_MONOTONIC);
}

VirtualClock::VirtualClock(ProgramClocks clocks, double host_factor)
    : clocks_(clocks),
      factor_(host_factor),
      inherited_(clocks.offset != nullptr ? clocks.offset->load(std::memory_order_relaxed) : 0),
      processor_(read(CLOCK_PROCESS_CPUTIME_ID)),
      start_(machine()),
      left_(start_),
      reading_(reading()) {}

std::int64_t VirtualClock::reading() {
  constexpr int tries = 20;
  std::int64_t least = billion;
  for (int i = 0; i < tries; ++i) {
    const std::int64_t begin = machine();
    least = std::min(least, machine() - begin);
  }
  return least;
}

void VirtualClock::start(std::int64_t begin) {
  start_ = begin;
  left_ = machine();
  if (clocks_.processor != nullptr)
    clocks_.processor->store(processor_ - start_ - inherited_, std::memory_order_relaxed);
}

void VirtualClock::forget_processor_time() {
  if (clocks_.processor != nullptr) clocks_.processor->store(0, std::memory_order_relaxed);
}

void VirtualClock::spend(Nanoseconds cost) {
  now_ += cost;
  host_ += cost;
}

void VirtualClock::enter() {
  const auto passed = static_cast<double>(std::max<std::int64_t>(0, machine() - left_ - reading_));
  const auto host = static_cast<Nanoseconds>(passed * factor_);
  now_ += host;
  host_ += host;
}

void VirtualClock::leave(Nanoseconds cost) {
  spend(cost);
  left_ = machine();
  if (clocks_.offset != nullptr)
    clocks_.offset->store(inherited_ + now_ + ahead_ - (left_ - start_), std::memory_order_relaxed);
}

void VirtualClock::wait_until(Nanoseconds moment) {
  if (moment <= now_) return;
  waited_ += moment - now_;
  now_ = moment;
}

}  // namespace forewarp::program_run
