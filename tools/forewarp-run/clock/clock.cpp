// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// The clocks that a program reads, preloaded into it: the system's, moved by what the substitutes for
// CUDA's libraries say. Nothing is moved before they are used. It has no other part of Forewarp in it.
#include <atomic>
#include <cstdint>
#include <ctime>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#define FOREWARP_EXPORT extern "C" __attribute__((visibility("default")))

/// Nanoseconds that are added to the system's clocks.
FOREWARP_EXPORT std::atomic<std::int64_t> forewarp_clock_offset;
std::atomic<std::int64_t> forewarp_clock_offset{0};

namespace {

constexpr std::int64_t billion = 1'000'000'000;
constexpr long ns_per_us = 1000;

/// Only clocks that tell the time that passes: not those of processes and threads.
bool follows(clockid_t clock) {
  return clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC || clock == CLOCK_MONOTONIC_RAW ||
         clock == CLOCK_BOOTTIME || clock == CLOCK_REALTIME_COARSE ||
         clock == CLOCK_MONOTONIC_COARSE || clock == CLOCK_TAI;
}

int read_clock(clockid_t clock, timespec* out) {
  const long failed = ::syscall(SYS_clock_gettime, clock, out);
  if (failed != 0 || out == nullptr || !follows(clock)) return static_cast<int>(failed);
  // No clock may go back while a call is being answered: the offset then only grows at its end.
  const std::int64_t moved = out->tv_sec * billion + out->tv_nsec +
                             forewarp_clock_offset.load(std::memory_order_relaxed);
  out->tv_sec = moved / billion;
  out->tv_nsec = moved % billion;
  return 0;
}

}  // namespace

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
