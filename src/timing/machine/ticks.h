// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace forewarp::timing {

/// Time inside the simulation: an integer number of 1/4096 cycle, so that sums are exact on every
/// host.
using Ticks = std::int64_t;

inline constexpr Ticks cycle = 4096;
inline constexpr Ticks never = INT64_MAX / 4;

[[nodiscard]] inline Ticks ticks(double cycles) {
  constexpr double most = 1e15;  // sums of such times stay in range
  return std::llround(std::clamp(cycles * static_cast<double>(cycle), -most, most));
}

[[nodiscard]] constexpr double cycles_of(Ticks time) {
  return static_cast<double>(time) / static_cast<double>(cycle);
}

/// The first issue slot at or after `at` of a scheduler that issues every `interval`.
[[nodiscard]] constexpr Ticks slot_from(Ticks at, Ticks interval) {
  if (interval == cycle) return (at + cycle - 1) / cycle * cycle;  // a constant divisor is faster
  const Ticks past = at % interval;
  return past == 0 ? at : at + interval - past;
}

}  // namespace forewarp::timing
