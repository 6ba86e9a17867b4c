// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <ctime>

#define FOREWARP_EXPORT extern "C" __attribute__((visibility("default")))

namespace forewarp_clock {

constexpr std::int64_t billion = 1'000'000'000;

/// Nanoseconds from the system's clocks to the program's.
std::int64_t offset();
/// What a thread that the calling one creates begins with; below 0: it is none of the program's.
std::int64_t lead_of_created();
/// The calling thread begins with so much of its own.
void begin(std::int64_t lead);
/// The calling thread has waited for other threads, or need not as they had come before.
void meet();
/// Only clocks that tell the time that passes: not those of processes and threads.
bool follows(clockid_t clock);

}  // namespace forewarp_clock
