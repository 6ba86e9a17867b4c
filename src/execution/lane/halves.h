// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "execution/lane/floating.h"
#include "execution/state/half_number.h"

namespace forewarp::execution::FOREWARP_LANES {

/// Which half of source k an instruction reads: bits 2k+1:2k of MicroOp::immediate.
/// With bit k of MicroOp::second its halves change places.
namespace halves {
inline constexpr std::uint32_t both = 0, low = 1, high = 2, whole_float = 3;
}

/// The two values of one lane of one source.
struct HalfSource {
  const std::uint32_t* value;
  std::uint32_t part;
  bool bfloat, flush, swapped;
  /// Whether the upper half of the word counts for this half of the result.
  [[nodiscard]] bool upper(unsigned half) const {
    return part == halves::both ? (half == 1) != swapped : part == halves::high;
  }
  [[nodiscard]] float operator()(unsigned lane, unsigned half) const {
    const std::uint32_t word = value[lane];
    if (part == halves::whole_float) return as_float(word);
    std::uint32_t bits = upper(half) ? word >> 16 : word & 0xffffU;
    if (flush && (bits & (bfloat ? 0x7f80U : 0x7c00U)) == 0) bits &= 0x8000U;
    return bfloat ? bfloat_to_float(bits) : half_to_float(bits);
  }
};

[[nodiscard]] inline HalfSource half_source(Warp& warp, const MicroOp& op, unsigned index) {
  return {source(warp, op, index), op.immediate >> (2 * index) & 3U, op.type == ValueType::bf16,
          op.has(flag::flush), (op.second >> index & 1U) != 0};
}

/// One value of each lane.
using HalfRow = std::array<float, lane_count>;

/// What a source holds for this half of the result.
inline void load_half(const HalfSource& from, unsigned half, HalfRow& to) {
  if (from.part == halves::whole_float || from.bfloat || from.flush) {
    for (unsigned i = 0; i < lane_count; ++i) to[i] = from(i, half);
    return;
  }
  const unsigned shift = from.upper(half) ? 16 : 0;
  for (unsigned i = 0; i < lane_count; ++i) to[i] = half_to_float(from.value[i] >> shift & 0xffffU);
}

/// Whether sources are halves and nothing limits the result, as nearly always; with `as_float` the
/// result may be a float.
[[nodiscard]] inline bool plain_halves(const MicroOp& op, unsigned sources, bool as_float = false) {
  if (op.type == ValueType::bf16 || (op.type == ValueType::f32 && !as_float)) return false;
  for (unsigned k = 0; k < sources; ++k) {
    if ((op.immediate >> (2 * k) & 3U) == halves::whole_float) return false;
  }
  return !op.has(flag::flush | flag::saturate | flag::accumulate);
}

/// f(values of the sources, lane), rounded to halves or kept as a float; see plain_halves.
template <unsigned Sources, class F>
inline void map_halves(Warp& warp, const MicroOp& op, LaneMask lanes, F f) {
  std::array<std::array<std::uint32_t, lane_count>, 2> results;
  const bool whole = op.type == ValueType::f32;
  for (unsigned half = 0; half < (whole ? 1U : 2U); ++half) {
    std::array<HalfRow, Sources> in;
    for (unsigned k = 0; k < Sources; ++k) load_half(half_source(warp, op, k), half, in[k]);
    std::array<std::uint32_t, lane_count>& result = results[half];
    for (unsigned i = 0; i < lane_count; ++i) {
      float value = 0;
      if constexpr (Sources == 2) value = f(in[0][i], in[1][i], i);
      if constexpr (Sources == 3) value = f(in[0][i], in[1][i], in[2][i], i);
      result[i] = whole ? canonical(value) : float_to_half(value);
    }
  }
  std::uint32_t* d = destination(warp, op);
  if (whole) {
    for (unsigned i = 0; i < lane_count; ++i) d[i] = blended(lanes, i, results[0][i], d[i]);
    return;
  }
  for (unsigned i = 0; i < lane_count; ++i)
    d[i] = blended(lanes, i, results[1][i] << 16 | results[0][i], d[i]);
}

/// The sum of two floats whose last bit says whether some are lost (Knuth), so that it can be
/// rounded again.
[[nodiscard]] inline float odd_sum(float a, float b) {
  const float sum = a + b, virtual_b = sum - a;
  const float error = (a - (sum - virtual_b)) + (b - virtual_b);
  const auto bits = std::bit_cast<std::uint32_t>(sum);
  const bool lost =
      std::fabs(error) > 0 && std::fabs(error) < std::numeric_limits<float>::infinity();
  const std::uint32_t away = (error > 0) == (sum > 0) ? 1U : ~0U;
  return std::bit_cast<float>(bits + (lost && (bits & 1U) == 0 ? away : 0U));
}

/// Writes f(lane, half) to both halves, or to a float when the type says so.
template <class F>
inline void write_halves(Warp& warp, const MicroOp& op, LaneMask lanes, F f) {
  std::uint32_t* d = destination(warp, op);
  const auto limited = [&](double value) {
    if (op.has(flag::flush) && op.has(flag::saturate | flag::accumulate) &&
        value < (op.type == ValueType::bf16 ? 0x1p-126 : 0x1p-14)) {
      return 0.0;
    }
    if (op.has(flag::saturate)) return value > 0 ? (value < 1 ? value : 1.0) : 0.0;
    if (op.has(flag::accumulate)) return value > 0 || value != value ? value : 0.0;  // .RELU
    const double least = op.type == ValueType::bf16 ? 0x1p-126 : 0x1p-14;
    if (op.has(flag::flush) && std::fabs(value) < least) return std::copysign(0.0, value);
    return value;
  };
  std::uint32_t result[lane_count];
  for (unsigned i = 0; i < lane_count; ++i) {
    if (op.type == ValueType::f32) {
      result[i] = canonical(static_cast<float>(limited(f(i, 0))));
      continue;
    }
    const double low = limited(f(i, 0)), high = limited(f(i, 1));
    result[i] = op.type == ValueType::bf16 ? double_to_bfloat(high) << 16 | double_to_bfloat(low)
                                           : double_to_half(high) << 16 | double_to_half(low);
  }
#pragma GCC ivdep
  for (unsigned i = 0; i < lane_count; ++i) d[i] = blended(lanes, i, result[i], d[i]);
}

inline void half_add(Warp& warp, const MicroOp& op, LaneMask lanes) {
  if (plain_halves(op, 2, true)) {
    if (op.type == ValueType::f32)
      return map_halves<2>(warp, op, lanes, [](float a, float b, unsigned) { return a + b; });
    return map_halves<2>(warp, op, lanes, [](float a, float b, unsigned) { return odd_sum(a, b); });
  }
  const HalfSource a = half_source(warp, op, 0), b = half_source(warp, op, 1);
  write_halves(warp, op, lanes,
               [&](unsigned i, unsigned h) { return double{a(i, h)} + double{b(i, h)}; });
}

inline void half_multiply(Warp& warp, const MicroOp& op, LaneMask lanes) {
  if (plain_halves(op, 2, true))  // a float holds the product of two halves
    return map_halves<2>(warp, op, lanes, [](float a, float b, unsigned) { return a * b; });
  const HalfSource a = half_source(warp, op, 0), b = half_source(warp, op, 1);
  write_halves(warp, op, lanes,
               [&](unsigned i, unsigned h) { return double{a(i, h)} * double{b(i, h)}; });
}

/// a * b + c as a double whose last bit says that some are lost, so that it can be rounded again.
[[nodiscard]] inline double fused_exactly(double a, double b, double c) {
  const double product = a * b, sum = product + c;
  const double virtual_c = sum - product;
  const double error = (product - (sum - virtual_c)) + (c - virtual_c);
  const auto bits = std::bit_cast<std::uint64_t>(sum);
  if (!(error != 0) || !std::isfinite(error) || (bits & 1U) != 0) return sum;
  return std::bit_cast<double>((error > 0) == (sum > 0) ? bits + 1 : bits - 1);
}

inline void half_fused(Warp& warp, const MicroOp& op, LaneMask lanes) {
  if (plain_halves(op, 3)) {
    return map_halves<3>(warp, op, lanes,
                         [](float a, float b, float c, unsigned) { return odd_sum(a * b, c); });
  }
  const HalfSource a = half_source(warp, op, 0), b = half_source(warp, op, 1);
  const HalfSource c = half_source(warp, op, 2);
  write_halves(warp, op, lanes, [&](unsigned i, unsigned h) {
    if (a.bfloat) return fused_exactly(a(i, h), b(i, h), c(i, h));
    return double{a(i, h)} * double{b(i, h)} + double{c(i, h)};  // no half needs more bits
  });
}

inline void half_minimum_maximum(Warp& warp, const MicroOp& op, LaneMask lanes) {
  const HalfSource a = half_source(warp, op, 0), b = half_source(warp, op, 1);
  const LaneMask minimum = predicate_source(warp, op, 0);
  if (plain_halves(op, 2)) {
    return map_halves<2>(warp, op, lanes, [&](float x, float y, unsigned i) {
      return as_float(float_extreme_as_asked(op, as_bits(x), as_bits(y), has_lane(minimum, i)));
    });
  }
  write_halves(warp, op, lanes, [&](unsigned i, unsigned h) {
    return as_float(
        float_extreme_as_asked(op, as_bits(a(i, h)), as_bits(b(i, h)), has_lane(minimum, i)));
  });
}

[[nodiscard]] inline LaneMask half_comparison(Warp& warp, const MicroOp& op, unsigned half) {
  HalfRow a, b;
  load_half(half_source(warp, op, 0), half, a);
  load_half(half_source(warp, op, 1), half, b);
  return compare_floating(
      op.comparison, [&](unsigned i) { return a[i]; }, [&](unsigned i) { return b[i]; });
}

/// HSETP2: one predicate per half; with `merge` (.H_AND) their conjunction and its complement.
inline void half_compare(Warp& warp, const MicroOp& op, LaneMask lanes) {
  const LaneMask with = predicate_source(warp, op, 0);
  const LaneMask low = half_comparison(warp, op, 0), high = half_comparison(warp, op, 1);
  if (op.has(flag::merge)) return write_comparison(warp, op, lanes, low & high);
  write_predicate(warp, op, 0, lanes, combined(op.combine, low, with));
  write_predicate(warp, op, 1, lanes, combined(op.combine, high, with));
}

/// HSET2: all ones per half where the comparison holds, or 1.0 with .BF.
inline void half_compare_set(Warp& warp, const MicroOp& op, LaneMask lanes) {
  const LaneMask with = predicate_source(warp, op, 0);
  const LaneMask low = combined(op.combine, half_comparison(warp, op, 0), with);
  const LaneMask high = combined(op.combine, half_comparison(warp, op, 1), with);
  const std::uint32_t one = op.type == ValueType::bf16 ? 0x3f80U : 0x3c00U;
  const std::uint32_t yes = op.has(flag::as_float) ? one : 0xffffU;
  std::uint32_t* d = destination(warp, op);
  for (unsigned i = 0; i < lane_count; ++i) {
    const std::uint32_t value =
        (has_lane(high, i) ? yes << 16 : 0U) | (has_lane(low, i) ? yes : 0U);
    d[i] = blended(lanes, i, value, d[i]);
  }
}

}  // namespace forewarp::execution::FOREWARP_LANES
