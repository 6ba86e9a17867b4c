// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "execution/lane/number.h"
#include "execution/state/half_number.h"

namespace forewarp::execution::FOREWARP_LANES {

/// Applies f to floats, with .FTZ and .SAT as the instruction asks; `Arity`: number of sources.
template <unsigned Arity, bool Flush, bool Saturate, class F>
inline void float_map(Warp& warp, const MicroOp& op, LaneMask lanes, F f) {
  const auto in = [](std::uint32_t x) { return as_float(Flush ? flushed(x) : x); };
  const auto out = [](float x) {
    std::uint32_t bits = canonical(x);
    if constexpr (Flush) bits = flushed(bits);
    if constexpr (Saturate) bits = saturated(bits);
    return bits;
  };
  if constexpr (Arity == 2) {
    map2(warp, op, lanes, [=](std::uint32_t a, std::uint32_t b) { return out(f(in(a), in(b))); });
  } else {
    map3(warp, op, lanes, [=](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
      return out(f(in(a), in(b), in(c)));
    });
  }
}

template <unsigned Arity, class F>
inline void float_operation(Warp& warp, const MicroOp& op, LaneMask lanes, F f) {
  const bool flush = op.has(flag::flush), saturate = op.has(flag::saturate);
  if (!flush && !saturate) return float_map<Arity, false, false>(warp, op, lanes, f);
  if (!saturate) return float_map<Arity, true, false>(warp, op, lanes, f);
  if (!flush) return float_map<Arity, false, true>(warp, op, lanes, f);
  float_map<Arity, true, true>(warp, op, lanes, f);
}

inline void float_add(Warp& warp, const MicroOp& op, LaneMask lanes) {
  float_operation<2>(warp, op, lanes, [](float a, float b) { return a + b; });
}

/// What .FTZ leaves of an exact product or sum: whether it is flushed is decided before rounding.
[[nodiscard]] inline std::uint32_t flushed_exact(double exact, std::uint32_t rounded_bits) {
  constexpr double least_normal = 0x1p-126;
  return std::fabs(exact) < least_normal ? rounded_bits & 0x80000000U : rounded_bits;
}

/// FMUL.FTZ.
inline void float_multiply_flushed(Warp& warp, const MicroOp& op, LaneMask lanes) {
  const bool saturate = op.has(flag::saturate);
  map2(warp, op, lanes, [saturate](std::uint32_t a, std::uint32_t b) {
    const double exact = double{as_float(flushed(a))} * double{as_float(flushed(b))};
    const std::uint32_t bits = flushed_exact(exact, canonical(static_cast<float>(exact)));
    return saturate ? saturated(bits) : bits;
  });
}

/// FMUL; `immediate` holds a power-of-two factor as float bits where the instruction has one.
inline void float_multiply(Warp& warp, const MicroOp& op, LaneMask lanes) {
  if (op.has(flag::multiply_d2)) {
    const float factor = as_float(op.immediate);
    float_operation<2>(warp, op, lanes, [factor](float a, float b) { return a * b * factor; });
    return;
  }
  if (op.has(flag::flush)) return float_multiply_flushed(warp, op, lanes);
  float_operation<2>(warp, op, lanes, [](float a, float b) { return a * b; });
}

inline void float_multiply_add(Warp& warp, const MicroOp& op, LaneMask lanes) {
  float_operation<3>(warp, op, lanes,
                     [](float a, float b, float c) { return __builtin_fmaf(a, b, c); });
}

/// Directed rounding; `second`: 0 a + b, 1 a * b, 2 a * b + c. Computed exactly as the sum of two
/// doubles and its error (Knuth); a product of floats is exact in double.
inline void float_directed(Warp& warp, const MicroOp& op, LaneMask lanes) {
  const std::uint32_t what = op.second;
  const Rounding rounding = op.rounding;
  const bool flush = op.has(flag::flush), saturate = op.has(flag::saturate);
  map3(warp, op, lanes, [=](std::uint32_t x, std::uint32_t y, std::uint32_t z) {
    const double a = as_float(flush ? flushed(x) : x), b = as_float(flush ? flushed(y) : y);
    const double c = as_float(flush ? flushed(z) : z);
    const double left = what == 0 ? a : a * b;
    const double right = what == 0 ? b : (what == 1 ? (std::signbit(left) ? -0.0 : 0.0) : c);
    const double sum = left + right;
    const double virtual_right = sum - left;
    const double error = (left - (sum - virtual_right)) + (right - virtual_right);
    std::uint32_t bits = canonical(rounded(sum, std::isfinite(error) ? error : 0, rounding));
    // Down, a sum of zeros is -0 unless both are +0.
    const bool none_negative = left == 0 && !std::signbit(left) && !std::signbit(right);
    if (sum == 0 && rounding == Rounding::down && !none_negative) bits |= 0x80000000U;
    if (flush) bits = flushed_exact(sum, flushed(bits));
    return saturate ? saturated(bits) : bits;
  });
}

/// The smaller or larger of two floats: a NaN yields the other operand, -0 is below +0.
[[nodiscard]] inline std::uint32_t float_extreme(std::uint32_t a, std::uint32_t b, bool minimum) {
  constexpr std::uint32_t magnitude = 0x7fffffffU, infinity = 0x7f800000U;
  const auto order = [](std::uint32_t bits) {
    return static_cast<std::int32_t>(bits ^ ((0U - (bits >> 31)) & magnitude));
  };
  const std::uint32_t number = (order(a) < order(b)) == minimum ? a : b;
  const bool no_a = (a & magnitude) > infinity, no_b = (b & magnitude) > infinity;
  const std::uint32_t left = no_a ? b : number;
  return no_b ? (no_a ? float_nan : a) : left;
}

/// FMNMX.NAN (`extended`): a NaN among the operands is the result. .XORSIGN (`merge`): of the
/// magnitudes, with the product's sign.
[[nodiscard]] inline std::uint32_t float_extreme_as_asked(const MicroOp& op, std::uint32_t a,
                                                          std::uint32_t b, bool minimum) {
  constexpr std::uint32_t magnitude = 0x7fffffffU, infinity = 0x7f800000U;
  const bool exclusive = op.has(flag::merge);
  const std::uint32_t keep = exclusive ? magnitude : ~0U;
  const std::uint32_t chosen = float_extreme(a & keep, b & keep, minimum);
  const bool lost = (a & magnitude) > infinity || (b & magnitude) > infinity;
  if (op.has(flag::extended) && lost) return float_nan;
  if (!exclusive || (chosen & magnitude) > infinity) return chosen;
  return chosen | ((a ^ b) & ~magnitude);
}

inline void float_minimum_maximum(Warp& warp, const MicroOp& op, LaneMask lanes) {
  const std::uint32_t* a = source(warp, op, 0);
  const std::uint32_t* b = source(warp, op, 1);
  const LaneMask minimum = predicate_source(warp, op, 0);
  const bool flush = op.has(flag::flush);
  std::uint32_t* d = destination(warp, op);
  if (op.has(flag::extended | flag::merge)) {
    for (unsigned i = 0; i < lane_count; ++i) {
      const std::uint32_t x = flush ? flushed(a[i]) : a[i], y = flush ? flushed(b[i]) : b[i];
      d[i] = blended(lanes, i, float_extreme_as_asked(op, x, y, has_lane(minimum, i)), d[i]);
    }
    return;
  }
#pragma GCC ivdep
  for (unsigned i = 0; i < lane_count; ++i) {
    const std::uint32_t x = flush ? flushed(a[i]) : a[i], y = flush ? flushed(b[i]) : b[i];
    const std::uint32_t value = float_extreme(x, y, has_lane(minimum, i));
    d[i] = blended(lanes, i, value, d[i]);
  }
}

inline void float_select(Warp& warp, const MicroOp& op, LaneMask lanes) {
  const std::uint32_t* a = source(warp, op, 0);
  const std::uint32_t* b = source(warp, op, 1);
  const LaneMask first = predicate_source(warp, op, 0);
  const bool flush = op.has(flag::flush);
  std::uint32_t* d = destination(warp, op);
#pragma GCC ivdep
  for (unsigned i = 0; i < lane_count; ++i) {
    const std::uint32_t chosen = blended(first, i, a[i], b[i]);
    const std::uint32_t value = flush ? flushed(chosen) : chosen;
    d[i] = blended(lanes, i, value, d[i]);
  }
}

/// a CMP b for any floating type; x(lane) and y(lane) are the values.
template <class X, class Y>
[[nodiscard]] inline LaneMask compare_floating(Comparison by, X x, Y y) {
  switch (by) {
    case Comparison::less:
      return lanes_where([&](unsigned i) { return x(i) < y(i); });
    case Comparison::equal:
      return lanes_where([&](unsigned i) { return x(i) == y(i); });
    case Comparison::less_equal:
      return lanes_where([&](unsigned i) { return x(i) <= y(i); });
    case Comparison::greater:
      return lanes_where([&](unsigned i) { return x(i) > y(i); });
    case Comparison::not_equal:
      return lanes_where([&](unsigned i) { return x(i) < y(i) || x(i) > y(i); });
    case Comparison::greater_equal:
      return lanes_where([&](unsigned i) { return x(i) >= y(i); });
    case Comparison::ordered:
      return lanes_where([&](unsigned i) { return x(i) == x(i) && y(i) == y(i); });
    case Comparison::unordered:
      return lanes_where([&](unsigned i) { return x(i) != x(i) || y(i) != y(i); });
    case Comparison::less_u:
      return lanes_where([&](unsigned i) { return !(x(i) >= y(i)); });
    case Comparison::equal_u:
      return lanes_where([&](unsigned i) { return !(x(i) < y(i)) && !(x(i) > y(i)); });
    case Comparison::less_equal_u:
      return lanes_where([&](unsigned i) { return !(x(i) > y(i)); });
    case Comparison::greater_u:
      return lanes_where([&](unsigned i) { return !(x(i) <= y(i)); });
    case Comparison::not_equal_u:
      return lanes_where([&](unsigned i) { return !(x(i) == y(i)); });
    case Comparison::greater_equal_u:
      return lanes_where([&](unsigned i) { return !(x(i) < y(i)); });
    case Comparison::always:
      return all_lanes;
    default:
      return 0;
  }
}

[[nodiscard]] inline LaneMask float_comparison(Warp& warp, const MicroOp& op) {
  const std::uint32_t* a = source(warp, op, 0);
  const std::uint32_t* b = source(warp, op, 1);
  if (op.has(flag::flush)) {
    return compare_floating(
        op.comparison, [a](unsigned i) { return as_float(flushed(a[i])); },
        [b](unsigned i) { return as_float(flushed(b[i])); });
  }
  return compare_floating(
      op.comparison, [a](unsigned i) { return as_float(a[i]); },
      [b](unsigned i) { return as_float(b[i]); });
}

inline void float_compare(Warp& warp, const MicroOp& op, LaneMask lanes) {
  write_comparison(warp, op, lanes, float_comparison(warp, op));
}

inline void float_compare_set(Warp& warp, const MicroOp& op, LaneMask lanes) {
  write_set(warp, op, lanes, float_comparison(warp, op));
}

/// FCMP: c CMP 0 ? a : b.
inline void float_compare_select(Warp& warp, const MicroOp& op, LaneMask lanes) {
  const std::uint32_t* a = source(warp, op, 0);
  const std::uint32_t* b = source(warp, op, 1);
  const std::uint32_t* c = source(warp, op, 2);
  const bool flush = op.has(flag::flush);
  const LaneMask yes = compare_floating(
      op.comparison, [=](unsigned i) { return as_float(flush ? flushed(c[i]) : c[i]); },
      [](unsigned) { return 0.0F; });
  std::uint32_t* d = destination(warp, op);
  for (unsigned i = 0; i < lane_count; ++i) {
    const std::uint32_t value = blended(yes, i, a[i], b[i]);
    d[i] = blended(lanes, i, value, d[i]);
  }
}

/// FCHK: whether a / b leaves the range where the short division sequence is exact. A zero on top
/// does: the short sequence has +0 for 0 / -b.
inline void float_check(Warp& warp, const MicroOp& op, LaneMask lanes) {
  const std::uint32_t* a = source(warp, op, 0);
  const std::uint32_t* b = source(warp, op, 1);
  const LaneMask slow = lanes_where([&](unsigned i) {
    const auto top = static_cast<int>(a[i] >> 23 & 0xffU),
               bottom = static_cast<int>(b[i] >> 23 & 0xffU);
    const bool special = top == 255 || bottom == 255 || bottom == 0 || bottom > 252;
    const int quotient = top - bottom;
    return special || top < 26 || quotient > 125 || quotient < -124;
  });
  write_predicate(warp, op, 0, lanes, slow);
}

/// MUFU's functions, by MicroOp::immediate.
enum class Function : std::uint32_t {
  reciprocal,
  root,
  reciprocal_root,
  power_of_two,
  logarithm,
  sine,
  cosine,
  tangent_h,
  copy
};

/// MUFU takes denormal arguments as zeros and gives none: but for tanh, which keeps small ones.
[[nodiscard]] inline float function_value(Function what, float x, bool turns) {
  constexpr double two_pi = 6.283185307179586476925;
  switch (what) {
    case Function::power_of_two:
      return std::exp2(x);
    case Function::logarithm:
      return std::log2(x);
    case Function::tangent_h:
      return std::tanh(x);
    case Function::sine:
    case Function::cosine: {
      const double angle = turns ? two_pi * (double{x} - std::rint(double{x})) : double{x};
      const double value = what == Function::sine ? std::sin(angle) : std::cos(angle);
      const bool none = what == Function::sine && value == 0;
      return none ? std::copysign(0.0F, x) : static_cast<float>(value);
    }
    default:
      return x;
  }
}

/// MUFU.EX2.F16, TANH.BF16: of one half (`second` is where it begins), cut off to its width.
inline void half_function(Warp& warp, const MicroOp& op, LaneMask lanes) {
  const auto what = static_cast<Function>(op.immediate);
  const bool bfloat = op.type == ValueType::bf16;
  const std::uint32_t shift = op.second;
  const std::uint32_t* a = source(warp, op, 0);
  std::uint32_t* d = destination(warp, op);
  for (unsigned i = 0; i < lane_count; ++i) {
    if (!has_lane(lanes, i)) continue;
    const std::uint32_t word = a[i] >> shift & 0xffffU;
    const float x = bfloat ? bfloat_to_float(word) : half_to_float(word);
    const float value = function_value(what, x, true);
    if (bfloat && value == value) {
      const std::uint32_t bits = as_bits(value);
      d[i] = (what == Function::tangent_h ? bits : flushed(bits)) >> 16;
    } else {
      d[i] = cut_half(value);
    }
  }
}

inline void float_function(Warp& warp, const MicroOp& op, LaneMask lanes) {
  const auto what = static_cast<Function>(op.immediate);
  if (op.type != ValueType::f32) return half_function(warp, op, lanes);
  const auto run = [&](auto f) {
    map1(warp, op, lanes,
         [f](std::uint32_t a) { return flushed(canonical(f(as_float(flushed(a))))); });
  };
  switch (what) {
    case Function::reciprocal:
      return run([](float x) { return 1.0F / x; });
    case Function::root:
      return run([](float x) { return __builtin_sqrtf(x); });
    case Function::reciprocal_root:
      return run([](float x) { return static_cast<float>(1.0 / __builtin_sqrt(double{x})); });
    case Function::copy:
      return map1(warp, op, lanes, [](std::uint32_t a) { return a; });
    default:
      break;
  }
  const std::uint32_t* a = source(warp, op, 0);
  std::uint32_t* d = destination(warp, op);
  for (unsigned i = 0; i < lane_count; ++i) {
    if (!has_lane(lanes, i)) continue;
    const bool keeps = what == Function::tangent_h;
    const std::uint32_t in = keeps ? a[i] : flushed(a[i]);
    const std::uint32_t value = canonical(function_value(what, as_float(in), op.has(flag::turns)));
    d[i] = keeps ? value : flushed(value);
  }
}

}  // namespace forewarp::execution::FOREWARP_LANES
