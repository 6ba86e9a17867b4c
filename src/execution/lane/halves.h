// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

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
  [[nodiscard]] float operator()(unsigned lane, unsigned half) const {
    const std::uint32_t word = value[lane];
    if (part == halves::whole_float) return as_float(word);
    const bool upper = part == halves::both ? (half == 1) != swapped : part == halves::high;
    std::uint32_t bits = upper ? word >> 16 : word & 0xffffU;
    if (flush && (bits & (bfloat ? 0x7f80U : 0x7c00U)) == 0) bits &= 0x8000U;
    return bfloat ? bfloat_to_float(bits) : half_to_float(bits);
  }
};

[[nodiscard]] inline HalfSource half_source(Warp& warp, const MicroOp& op, unsigned index) {
  return {source(warp, op, index), op.immediate >> (2 * index) & 3U, op.type == ValueType::bf16,
          op.has(flag::flush), (op.second >> index & 1U) != 0};
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
  const HalfSource a = half_source(warp, op, 0), b = half_source(warp, op, 1);
  write_halves(warp, op, lanes,
               [&](unsigned i, unsigned h) { return double{a(i, h)} + double{b(i, h)}; });
}

inline void half_multiply(Warp& warp, const MicroOp& op, LaneMask lanes) {
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
  write_halves(warp, op, lanes, [&](unsigned i, unsigned h) {
    return as_float(
        float_extreme_as_asked(op, as_bits(a(i, h)), as_bits(b(i, h)), has_lane(minimum, i)));
  });
}

[[nodiscard]] inline LaneMask half_comparison(Warp& warp, const MicroOp& op, unsigned half) {
  const HalfSource a = half_source(warp, op, 0), b = half_source(warp, op, 1);
  return compare_floating(
      op.comparison, [&](unsigned i) { return a(i, half); },
      [&](unsigned i) { return b(i, half); });
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
