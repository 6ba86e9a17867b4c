// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <bit>
#include <cfenv>
#include <cstdint>
#include <cstring>

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

/// Words of eight lanes, and of one or two pairs of registers.
using Octet = std::uint32_t __attribute__((vector_size(32)));
using DoubleRow = std::array<double, lane_count>;

/// Where in a DoubleRow the value of a lane is: two words of the low and the high register each
/// become two doubles without a word changing its half of the octet.
[[nodiscard]] inline unsigned place_of(unsigned lane) {
  return (lane & ~7U) | (lane & 1U) | (lane & 4U) >> 1U | (lane & 2U) << 1U;
}

inline void load_doubles(const DoubleSource& from, DoubleRow& to) {
  for (unsigned i = 0; i < lane_count; i += 8) {
    Octet low, high;
    std::memcpy(&low, from.low + i, sizeof low);
    std::memcpy(&high, from.high + i, sizeof high);
    const Octet first = __builtin_shufflevector(low, high, 0, 8, 1, 9, 4, 12, 5, 13);
    const Octet second = __builtin_shufflevector(low, high, 2, 10, 3, 11, 6, 14, 7, 15);
    std::memcpy(&to[i], &first, sizeof first);
    std::memcpy(&to[i + 4], &second, sizeof second);
  }
}

/// nan(lane): the bits of a result that is no number.
template <class N>
inline void write_doubles(Warp& warp, const MicroOp& op, LaneMask lanes, DoubleRow& values, N nan) {
  std::uint32_t* low = destination(warp, op);
  std::uint32_t* high = destination(warp, op, 1);
  std::uint64_t lost = 0;
  for (const double value : values) lost |= value != value ? 1U : 0U;
  for (unsigned i = 0; lost != 0 && i < lane_count; ++i) {
    double& value = values[place_of(i)];
    if (value != value) value = std::bit_cast<double>(nan(i));
  }
  std::uint32_t result[2][lane_count];
  for (unsigned i = 0; i < lane_count; i += 8) {
    Octet first, second;
    std::memcpy(&first, &values[i], sizeof first);
    std::memcpy(&second, &values[i + 4], sizeof second);
    const Octet lows = __builtin_shufflevector(first, second, 0, 2, 8, 10, 4, 6, 12, 14);
    const Octet highs = __builtin_shufflevector(first, second, 1, 3, 9, 11, 5, 7, 13, 15);
    std::memcpy(result[0] + i, &lows, sizeof lows);
    std::memcpy(result[1] + i, &highs, sizeof highs);
  }
#pragma GCC ivdep
  for (unsigned i = 0; i < lane_count; ++i) low[i] = blended(lanes, i, result[0][i], low[i]);
#pragma GCC ivdep
  for (unsigned i = 0; i < lane_count; ++i) high[i] = blended(lanes, i, result[1][i], high[i]);
}

/// f(lane): for operations that go lane by lane.
template <class F, class N>
inline void write_each_double(Warp& warp, const MicroOp& op, LaneMask lanes, F f, N nan) {
  DoubleRow values;
  for (unsigned i = 0; i < lane_count; ++i) values[place_of(i)] = f(i);
  write_doubles(warp, op, lanes, values, nan);
}

inline void double_add(Warp& warp, const MicroOp& op, LaneMask lanes) {
  const DoubleSource a = double_source(warp, op, 0), b = double_source(warp, op, 1);
  DoubleRow x, y;
  load_doubles(a, x);
  load_doubles(b, y);
  for (unsigned i = 0; i < lane_count; ++i) x[i] += y[i];
  write_doubles(warp, op, lanes, x, [&](unsigned i) { return nan_of(a.plain(i), b.plain(i)); });
}

inline void double_multiply(Warp& warp, const MicroOp& op, LaneMask lanes) {
  const DoubleSource a = double_source(warp, op, 0), b = double_source(warp, op, 1);
  DoubleRow x, y;
  load_doubles(a, x);
  load_doubles(b, y);
  for (unsigned i = 0; i < lane_count; ++i) x[i] *= y[i];
  write_doubles(warp, op, lanes, x, [&](unsigned i) { return nan_of(a.plain(i), b.plain(i)); });
}

/// The second factor's NaN before the summand's before the first factor's.
[[nodiscard]] inline std::uint64_t fused_nan(double a, double b, double c) {
  return b != b ? quiet(b) : nan_of(a, c);
}

inline void double_multiply_add(Warp& warp, const MicroOp& op, LaneMask lanes) {
  const DoubleSource a = double_source(warp, op, 0), b = double_source(warp, op, 1);
  const DoubleSource c = double_source(warp, op, 2);
  DoubleRow x, y, z;
  load_doubles(a, x);
  load_doubles(b, y);
  load_doubles(c, z);
  for (unsigned i = 0; i < lane_count; ++i) x[i] = __builtin_fma(x[i], y[i], z[i]);
  write_doubles(warp, op, lanes, x,
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
  write_each_double(
      warp, op, lanes, [&](unsigned i) { return values[i]; },
      [&](unsigned i) {
        return op.second == 2 ? fused_nan(a.plain(i), b.plain(i), c.plain(i))
                              : nan_of(a.plain(i), b.plain(i));
      });
}

inline void double_minimum_maximum(Warp& warp, const MicroOp& op, LaneMask lanes) {
  const DoubleSource a = double_source(warp, op, 0), b = double_source(warp, op, 1);
  const LaneMask minimum = predicate_source(warp, op, 0);
  write_each_double(
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
