// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <ctime>

namespace forewarp_clock {

constexpr std::int64_t billion = 1'000'000'000;

/// Nanoseconds from the system's clocks to the program's.
std::int64_t offset();
/// Only clocks that tell the time that passes: not those of processes and threads.
bool follows(clockid_t clock);

}  // namespace forewarp_clock
