// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

namespace forewarp::analysis {

/// All integers from low to high, inclusive.
struct Interval {
  std::int64_t low = std::numeric_limits<std::int64_t>::min();
  std::int64_t high = std::numeric_limits<std::int64_t>::max();
  [[nodiscard]] bool within(std::int64_t lo, std::int64_t hi) const {
    return lo <= low && high <= hi;
  }
};

/// Interval arithmetic; a bound that might overflow 64 bits makes the result unbounded.
[[nodiscard]] inline Interval plus(const Interval& a, const Interval& b) {
  Interval r;
  if (__builtin_add_overflow(a.low, b.low, &r.low) ||
      __builtin_add_overflow(a.high, b.high, &r.high)) {
    return {};
  }
  return r;
}

[[nodiscard]] inline Interval times(const Interval& a, const Interval& b) {
  std::int64_t corners[4] = {};
  if (__builtin_mul_overflow(a.low, b.low, &corners[0]) ||
      __builtin_mul_overflow(a.low, b.high, &corners[1]) ||
      __builtin_mul_overflow(a.high, b.low, &corners[2]) ||
      __builtin_mul_overflow(a.high, b.high, &corners[3])) {
    return {};
  }
  return {*std::min_element(corners, corners + 4), *std::max_element(corners, corners + 4)};
}

[[nodiscard]] inline Interval either(const Interval& a, const Interval& b) {
  return {std::min(a.low, b.low), std::max(a.high, b.high)};
}

/// Quotient rounded towards minus infinity; `divisor` must not be 0.
[[nodiscard]] inline std::int64_t floor_quotient(std::int64_t value, std::int64_t divisor) {
  if (divisor == -1) return static_cast<std::int64_t>(0 - static_cast<std::uint64_t>(value));
  const std::int64_t quotient = value / divisor;
  return quotient - ((value % divisor != 0 && (value < 0) != (divisor < 0)) ? 1 : 0);
}

[[nodiscard]] inline std::int64_t truncated_quotient(std::int64_t value, std::int64_t divisor) {
  if (divisor == -1) return static_cast<std::int64_t>(0 - static_cast<std::uint64_t>(value));
  return value / divisor;
}

}  // namespace forewarp::analysis
