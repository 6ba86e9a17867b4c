// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cfenv>
#include <cstdint>

#include "execution/lane/floating.h"

namespace forewarp::execution::FOREWARP_LANES {

/// A register pair with its sign modifiers, which apply to the high word only.
struct DoubleSource {
  const std::uint32_t* low;
  const std::uint32_t* high;
  [[nodiscard]] double operator()(unsigned lane) const {
    return std::bit_cast<double>(std::uint64_t{high[lane]} << 32 | low[lane]);
  }
};

[[nodiscard]] inline DoubleSource double_source(Warp& warp, const MicroOp& op, unsigned index) {
  return {plain_source(warp, op.source[index]), source(warp, op, index, 1)};
}

template <class F>
inline void write_doubles(Warp& warp, const MicroOp& op, LaneMask lanes, F f) {
  std::uint32_t* low = destination(warp, op);
  std::uint32_t* high = destination(warp, op, 1);
  std::uint32_t result[2][lane_count];
  for (unsigned i = 0; i < lane_count; ++i) {
    const double value = f(i);
    const std::uint64_t bits = value != value ? double_nan : std::bit_cast<std::uint64_t>(value);
    result[0][i] = static_cast<std::uint32_t>(bits);
    result[1][i] = static_cast<std::uint32_t>(bits >> 32);
  }
#pragma GCC ivdep
  for (unsigned i = 0; i < lane_count; ++i) low[i] = blended(lanes, i, result[0][i], low[i]);
#pragma GCC ivdep
  for (unsigned i = 0; i < lane_count; ++i) high[i] = blended(lanes, i, result[1][i], high[i]);
}

inline void double_add(Warp& warp, const MicroOp& op, LaneMask lanes) {
  const DoubleSource a = double_source(warp, op, 0), b = double_source(warp, op, 1);
  write_doubles(warp, op, lanes, [&](unsigned i) { return a(i) + b(i); });
}

inline void double_multiply(Warp& warp, const MicroOp& op, LaneMask lanes) {
  const DoubleSource a = double_source(warp, op, 0), b = double_source(warp, op, 1);
  write_doubles(warp, op, lanes, [&](unsigned i) { return a(i) * b(i); });
}

inline void double_multiply_add(Warp& warp, const MicroOp& op, LaneMask lanes) {
  const DoubleSource a = double_source(warp, op, 0), b = double_source(warp, op, 1);
  const DoubleSource c = double_source(warp, op, 2);
  write_doubles(warp, op, lanes, [&](unsigned i) { return __builtin_fma(a(i), b(i), c(i)); });
}

[[nodiscard]] inline int rounding_mode(Rounding rounding) {
  switch (rounding) {
    case Rounding::down:
      return FE_DOWNWARD;
    case Rounding::up:
      return FE_UPWARD;
    case Rounding::zero:
      return FE_TOWARDZERO;
    default:
      return FE_TONEAREST;
  }
}

/// Directed rounding; `second` as for float_directed. Volatile values keep the arithmetic between
/// the two changes of the rounding mode.
inline void double_directed(Warp& warp, const MicroOp& op, LaneMask lanes) {
  const DoubleSource a = double_source(warp, op, 0), b = double_source(warp, op, 1);
  const DoubleSource c = double_source(warp, op, 2);
  const int before = std::fegetround();
  std::fesetround(rounding_mode(op.rounding));
  volatile double values[lane_count];
  for (unsigned i = 0; i < lane_count; ++i) {
    volatile double x = a(i), y = b(i), z = c(i);
    values[i] = op.second == 0 ? x + y : (op.second == 1 ? x * y : std::fma(x, y, z));
  }
  std::fesetround(before);
  write_doubles(warp, op, lanes, [&](unsigned i) { return values[i]; });
}

inline void double_minimum_maximum(Warp& warp, const MicroOp& op, LaneMask lanes) {
  const DoubleSource a = double_source(warp, op, 0), b = double_source(warp, op, 1);
  const LaneMask minimum = predicate_source(warp, op, 0);
  write_doubles(warp, op, lanes, [&](unsigned i) {
    const double x = a(i), y = b(i);
    if (x != x) return y;
    if (y != y) return x;
    const bool less = x < y || (x == y && std::signbit(x));
    return less == has_lane(minimum, i) ? x : y;
  });
}

[[nodiscard]] inline LaneMask double_comparison(Warp& warp, const MicroOp& op) {
  return compare_floating(op.comparison, double_source(warp, op, 0), double_source(warp, op, 1));
}

/// DSETP.MIN and .MAX: whether a is the smaller (larger) operand, and whether both are NaN.
inline void double_order(Warp& warp, const MicroOp& op, LaneMask lanes) {
  const DoubleSource a = double_source(warp, op, 0), b = double_source(warp, op, 1);
  const bool least = op.comparison == Comparison::minimum;
  const LaneMask first = lanes_where([&](unsigned i) {
    const double x = a(i), y = b(i);
    if (x != x || y != y) return y != y;
    if (x == y) return std::signbit(x) == least;
    return (x < y) == least;
  });
  const LaneMask neither = lanes_where([&](unsigned i) { return a(i) != a(i) && b(i) != b(i); });
  write_predicate(warp, op, 0, lanes, first);
  write_predicate(warp, op, 1, lanes, neither);
}

inline void double_compare(Warp& warp, const MicroOp& op, LaneMask lanes) {
  if (op.comparison >= Comparison::minimum) return double_order(warp, op, lanes);
  write_comparison(warp, op, lanes, double_comparison(warp, op));
}

inline void double_compare_set(Warp& warp, const MicroOp& op, LaneMask lanes) {
  write_set(warp, op, lanes, double_comparison(warp, op));
}

/// MUFU.RCP64H and RSQ64H: from the high word of a double to that of the result.
inline void double_function(Warp& warp, const MicroOp& op, LaneMask lanes) {
  const bool root = static_cast<Function>(op.immediate) == Function::reciprocal_root;
  map1(warp, op, lanes, [root](std::uint32_t high) {
    const auto x = std::bit_cast<double>(std::uint64_t{high} << 32);
    const double value = root ? 1.0 / std::sqrt(x) : 1.0 / x;
    return static_cast<std::uint32_t>(
        (value != value ? double_nan : std::bit_cast<std::uint64_t>(value)) >> 32);
  });
}

}  // namespace forewarp::execution::FOREWARP_LANES
