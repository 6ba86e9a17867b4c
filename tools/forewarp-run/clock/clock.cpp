// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// The clocks that a program reads, preloaded into it: the system's, moved by what the substitutes
// for CUDA's libraries say, and processor time, which passes with them. Nothing is moved before
// they are used. It has no other part of Forewarp in it.
#include <atomic>
#include <cstdint>
#include <ctime>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/times.h>
#include <unistd.h>

#include "program_time.h"

/// Nanoseconds that are added to the system's clocks; and to the monotonic one besides for the
/// processor time of the process, where it is not 0.
FOREWARP_EXPORT std::atomic<std::int64_t> forewarp_clock_offset, forewarp_processor_offset;
std::atomic<std::int64_t> forewarp_clock_offset{0}, forewarp_processor_offset{0};

/// What is added besides for the calling thread, and who is told that it has met others. Null: no
/// machine yet.
FOREWARP_EXPORT std::atomic<std::int64_t (*)()> forewarp_thread_lead;
FOREWARP_EXPORT std::atomic<void (*)()> forewarp_thread_met;
/// What a thread that the calling one creates has to tell as its beginning; below 0: nothing.
FOREWARP_EXPORT std::atomic<std::int64_t (*)()> forewarp_thread_creates;
FOREWARP_EXPORT std::atomic<void (*)(std::int64_t)> forewarp_thread_begins;
std::atomic<std::int64_t (*)()> forewarp_thread_lead{nullptr};
std::atomic<void (*)()> forewarp_thread_met{nullptr};
std::atomic<std::int64_t (*)()> forewarp_thread_creates{nullptr};
std::atomic<void (*)(std::int64_t)> forewarp_thread_begins{nullptr};

namespace {

using forewarp_clock::billion;

constexpr long ns_per_us = 1000;
constexpr std::int64_t tick = billion / 100;  // of times(), on any system

int read_clock(clockid_t clock, timespec* out) {
  const std::int64_t processor = forewarp_processor_offset.load(std::memory_order_relaxed);
  const bool of_process = clock == CLOCK_PROCESS_CPUTIME_ID && processor != 0;
  const long failed = ::syscall(SYS_clock_gettime, of_process ? CLOCK_MONOTONIC : clock, out);
  if (failed != 0 || out == nullptr || (!of_process && !forewarp_clock::follows(clock)))
    return static_cast<int>(failed);
  // No clock may go back while a call is being answered: the offset then only grows at its end.
  const std::int64_t moved = out->tv_sec * billion + out->tv_nsec + forewarp_clock::offset() +
                             (of_process ? processor : 0);
  out->tv_sec = moved / billion;
  out->tv_nsec = moved % billion;
  return 0;
}

/// In nanoseconds.
std::int64_t processor_time() {
  timespec at{};
  read_clock(CLOCK_PROCESS_CPUTIME_ID, &at);
  return at.tv_sec * billion + at.tv_nsec;
}

/// Once it passes as the program's clocks do it is all the program's, and none the system's.
bool processor_follows() {
  return forewarp_processor_offset.load(std::memory_order_relaxed) != 0;
}

}  // namespace

std::int64_t forewarp_clock::offset() {
  const auto lead = forewarp_thread_lead.load(std::memory_order_relaxed);
  return forewarp_clock_offset.load(std::memory_order_relaxed) + (lead != nullptr ? lead() : 0);
}

std::int64_t forewarp_clock::lead_of_created() {
  const auto ask = forewarp_thread_creates.load(std::memory_order_relaxed);
  return ask != nullptr ? ask() : 0;
}

void forewarp_clock::begin(std::int64_t lead) {
  const auto tell = forewarp_thread_begins.load(std::memory_order_relaxed);
  if (tell != nullptr) tell(lead);
}

void forewarp_clock::meet() {
  const auto tell = forewarp_thread_met.load(std::memory_order_relaxed);
  if (tell != nullptr) tell();
}

bool forewarp_clock::follows(clockid_t clock) {
  return clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC || clock == CLOCK_MONOTONIC_RAW ||
         clock == CLOCK_BOOTTIME || clock == CLOCK_REALTIME_COARSE ||
         clock == CLOCK_MONOTONIC_COARSE || clock == CLOCK_TAI;
}

FOREWARP_EXPORT int clock_gettime(clockid_t clock, timespec* out) noexcept {
  return read_clock(clock, out);
}
FOREWARP_EXPORT int __clock_gettime(clockid_t clock, timespec* out) noexcept {
  return read_clock(clock, out);
}
FOREWARP_EXPORT int gettimeofday(timeval* out, void* zone) noexcept {
  if (zone != nullptr) *static_cast<struct timezone*>(zone) = {};
  timespec at{};
  if (read_clock(CLOCK_REALTIME, &at) != 0) return -1;
  *out = {at.tv_sec, at.tv_nsec / ns_per_us};
  return 0;
}
FOREWARP_EXPORT time_t time(time_t* out) noexcept {
  timespec at{};
  read_clock(CLOCK_REALTIME, &at);
  if (out != nullptr) *out = at.tv_sec;
  return at.tv_sec;
}
FOREWARP_EXPORT int timespec_get(timespec* out, int base) noexcept {
  return base == TIME_UTC && read_clock(CLOCK_REALTIME, out) == 0 ? base : 0;
}
FOREWARP_EXPORT clock_t clock() noexcept {
  return processor_time() / (billion / CLOCKS_PER_SEC);
}
FOREWARP_EXPORT clock_t times(tms* out) noexcept {
  const clock_t now = ::syscall(SYS_times, out);
  if (out != nullptr && processor_follows()) {
    out->tms_utime = processor_time() / tick;
    out->tms_stime = 0;
  }
  return now + forewarp_clock::offset() / tick;
}
FOREWARP_EXPORT int getrusage(int who, rusage* out) noexcept {
  const long failed = ::syscall(SYS_getrusage, who, out);
  if (failed != 0 || who != RUSAGE_SELF || !processor_follows()) return static_cast<int>(failed);
  const std::int64_t used = processor_time();
  out->ru_utime = {used / billion, used % billion / ns_per_us};
  out->ru_stime = {};
  return 0;
}
