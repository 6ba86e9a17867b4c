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
  const std::uint32_t* plain_high;
  [[nodiscard]] double operator()(unsigned lane) const {
    return std::bit_cast<double>(std::uint64_t{high[lane]} << 32 | low[lane]);
  }
  /// Without them: those of a NaN do not count.
  [[nodiscard]] double plain(unsigned lane) const {
    return std::bit_cast<double>(std::uint64_t{plain_high[lane]} << 32 | low[lane]);
  }
};

[[nodiscard]] inline DoubleSource double_source(Warp& warp, const MicroOp& op, unsigned index) {
  return {plain_source(warp, op.source[index]), source(warp, op, index, 1),
          plain_source(warp, op.source[index], 1)};
}

/// A NaN as arithmetic hands it on: quiet, with its payload.
[[nodiscard]] inline std::uint64_t quiet(double value) {
  return std::bit_cast<std::uint64_t>(value) | 0x8000000000000U;
}

/// The NaN of an operation on these: the later one's, or that of an invalid operation.
[[nodiscard]] inline std::uint64_t nan_of(double first, double second) {
  if (second != second) return quiet(second);
  return first != first ? quiet(first) : double_nan;
}

/// nan(lane): the bits of a result that is no number.
template <class F, class N>
inline void write_doubles(Warp& warp, const MicroOp& op, LaneMask lanes, F f, N nan) {
  std::uint32_t* low = destination(warp, op);
  std::uint32_t* high = destination(warp, op, 1);
  std::uint32_t result[2][lane_count], lost = 0;
  for (unsigned i = 0; i < lane_count; ++i) {
    const double value = f(i);
    const auto bits = std::bit_cast<std::uint64_t>(value);
    lost |= value != value ? 1U : 0U;
    result[0][i] = static_cast<std::uint32_t>(bits);
    result[1][i] = static_cast<std::uint32_t>(bits >> 32);
  }
  for (unsigned i = 0; lost != 0 && i < lane_count; ++i) {
    const std::uint64_t bits = std::uint64_t{result[1][i]} << 32 | result[0][i];
    if ((bits << 1) <= 0xffe0000000000000U) continue;
    const std::uint64_t kept = nan(i);
    result[0][i] = static_cast<std::uint32_t>(kept);
    result[1][i] = static_cast<std::uint32_t>(kept >> 32);
  }
#pragma GCC ivdep
  for (unsigned i = 0; i < lane_count; ++i) low[i] = blended(lanes, i, result[0][i], low[i]);
#pragma GCC ivdep
  for (unsigned i = 0; i < lane_count; ++i) high[i] = blended(lanes, i, result[1][i], high[i]);
}

inline void double_add(Warp& warp, const MicroOp& op, LaneMask lanes) {
  const DoubleSource a = double_source(warp, op, 0), b = double_source(warp, op, 1);
  write_doubles(
      warp, op, lanes, [&](unsigned i) { return a(i) + b(i); },
      [&](unsigned i) { return nan_of(a.plain(i), b.plain(i)); });
}

inline void double_multiply(Warp& warp, const MicroOp& op, LaneMask lanes) {
  const DoubleSource a = double_source(warp, op, 0), b = double_source(warp, op, 1);
  write_doubles(
      warp, op, lanes, [&](unsigned i) { return a(i) * b(i); },
      [&](unsigned i) { return nan_of(a.plain(i), b.plain(i)); });
}

/// The second factor's NaN before the summand's before the first factor's.
[[nodiscard]] inline std::uint64_t fused_nan(double a, double b, double c) {
  return b != b ? quiet(b) : nan_of(a, c);
}

inline void double_multiply_add(Warp& warp, const MicroOp& op, LaneMask lanes) {
  const DoubleSource a = double_source(warp, op, 0), b = double_source(warp, op, 1);
  const DoubleSource c = double_source(warp, op, 2);
  write_doubles(
      warp, op, lanes, [&](unsigned i) { return __builtin_fma(a(i), b(i), c(i)); },
      [&](unsigned i) { return fused_nan(a.plain(i), b.plain(i), c.plain(i)); });
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
  write_doubles(
      warp, op, lanes, [&](unsigned i) { return values[i]; },
      [&](unsigned i) {
        return op.second == 2 ? fused_nan(a.plain(i), b.plain(i), c.plain(i))
                              : nan_of(a.plain(i), b.plain(i));
      });
}

inline void double_minimum_maximum(Warp& warp, const MicroOp& op, LaneMask lanes) {
  const DoubleSource a = double_source(warp, op, 0), b = double_source(warp, op, 1);
  const LaneMask minimum = predicate_source(warp, op, 0);
  write_doubles(
      warp, op, lanes,
      [&](unsigned i) {
        const double x = a(i), y = b(i);
        if (x != x) return y;
        if (y != y) return x;
        const bool less = x < y || (x == y && std::signbit(x));
        return less == has_lane(minimum, i) ? x : y;
      },
      [](unsigned) { return double_nan; });
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
    if (x != x || y != y) return x == x;
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
  // Denormal arguments are taken as zeros, and none is given.
  const auto without = [](std::uint32_t word) {
    return (word & 0x7ff00000U) == 0 ? word & 0x80000000U : word;
  };
  map1(warp, op, lanes, [=](std::uint32_t word) {
    const std::uint32_t high = without(word);
    const auto x = std::bit_cast<double>(std::uint64_t{high} << 32);
    const double value = root ? 1.0 / std::sqrt(x) : 1.0 / x;
    if (value != value) return float_nan;
    return without(static_cast<std::uint32_t>(std::bit_cast<std::uint64_t>(value) >> 32));
  });
}

}  // namespace forewarp::execution::FOREWARP_LANES
