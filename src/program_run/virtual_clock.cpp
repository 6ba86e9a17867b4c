// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "program_run/virtual_clock.h"

#include <algorithm>
#include <ctime>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <utility>

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

HostThread::Look HostThread::now() {
  rusage used{};
  ::syscall(SYS_getrusage, RUSAGE_THREAD, &used);  // as above
  return {read(CLOCK_MONOTONIC), used.ru_nvcsw};
}

void HostThread::begin(Nanoseconds lead) {
  follow(lead);
  begun_ = true;
  mark();
}

void HostThread::arrive() {
  arrived_ = read(CLOCK_MONOTONIC);
}

void HostThread::look() {
  const Look seen = now();
  arrived_ = seen.at;
  look_after(seen.at - left_.at, seen.waits - left_.waits);
}

void HostThread::look_after(std::int64_t passed, std::int64_t waits) {
  since_ = {passed, waits};
}

bool HostThread::was_blocked() const {
  constexpr std::int64_t shortest = 50'000;  // a lock of the program's own library is no meeting
  return left_.at != 0 && since_.at > shortest && since_.waits > 0;
}

void HostThread::follow(Nanoseconds lead) {
  if (lead > this->lead()) lead_.store(lead, std::memory_order_relaxed);
}

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
      reading_(reading()),
      most_(clocks.most != nullptr ? clocks.most : &own_most_) {}

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

void VirtualClock::forget(HostThread& thread) {
  if (clocks_.offset != nullptr)
    clocks_.offset->fetch_add(thread.lead(), std::memory_order_relaxed);
  if (clocks_.processor != nullptr) clocks_.processor->store(0, std::memory_order_relaxed);
  thread.lead_ = 0;
  *most_ = 0;
}

void VirtualClock::spend(Nanoseconds cost) {
  base_ += cost;
  host_ += cost;
}

void VirtualClock::enter(const std::shared_ptr<HostThread>& thread) {
  const std::int64_t told = std::exchange(thread->arrived_, 0);
  const std::int64_t arrived = told != 0 ? told : machine();
  const auto passed = static_cast<double>(std::max<std::int64_t>(0, arrived - left_ - reading_));
  const auto host = static_cast<Nanoseconds>(passed * factor_);
  base_ += host;
  host_ += host;
  const bool is_new = std::find(threads_.begin(), threads_.end(), thread) == threads_.end();
  if (is_new) threads_.push_back(thread);
  if ((is_new && !thread->begun_) || (thread->lead() < most() && thread->was_blocked()))
    thread->follow(most());
  current_ = thread;
}

void VirtualClock::leave(Nanoseconds cost) {
  spend(cost);
  left_ = machine();
  if (threads_.size() > 1) current_->left_ = HostThread::now();
  if (clocks_.offset != nullptr)
    clocks_.offset->store(inherited_ + base_ + ahead_ - (left_ - start_),
                          std::memory_order_relaxed);
}

void VirtualClock::wait_until(Nanoseconds moment) {
  const Nanoseconds lead = moment - base_;
  current_->follow(lead);
  if (lead <= most()) return;
  waited_ += lead - most();
  most_->store(lead, std::memory_order_relaxed);
}

Nanoseconds VirtualClock::earliest() {
  std::erase_if(threads_, [&](const auto& thread) {
    return thread.use_count() == 1;  // it has ended
  });
  Nanoseconds least = current_->lead();
  for (const auto& thread : threads_) least = std::min(least, thread->lead());
  return base_ + least;
}

}  // namespace forewarp::program_run
