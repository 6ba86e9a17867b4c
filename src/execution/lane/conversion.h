// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>

#include "execution/lane/doubles.h"
#include "execution/lane/integer.h"
#include "execution/state/half_number.h"

namespace forewarp::execution::FOREWARP_LANES {

/// A source of any type as 64 bits; `immediate` is the byte within the word (.B1, .H1).
[[nodiscard]] inline std::uint64_t plain_integer(const MicroOp& op, const std::uint32_t* low,
                                                 const std::uint32_t* high, unsigned lane) {
  const unsigned bits = 8 * bytes_of(op.source_type);
  if (bits == 64) return std::uint64_t{high[lane]} << 32 | low[lane];
  const std::uint32_t word = low[lane] >> (8 * op.immediate) << (32 - bits);
  if (is_signed(op.source_type)) {
    return static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(word) >> (32 - bits)});
  }
  return word >> (32 - bits);
}

/// The same, with the absolute value if `accumulate` is set.
[[nodiscard]] inline std::uint64_t integer_value(const MicroOp& op, const std::uint32_t* low,
                                                 const std::uint32_t* high, unsigned lane) {
  const std::uint64_t value = plain_integer(op, low, high, lane);
  const bool negative = is_signed(op.source_type) && (value >> 63) != 0;
  const std::uint64_t result = op.has(flag::accumulate) && negative ? 0 - value : value;
  return op.has(flag::negate_data) ? 0 - result : result;
}

[[nodiscard]] inline float integer_to_float_value(std::uint64_t bits, bool is_signed_type,
                                                  Rounding rounding) {
  const auto as_signed = static_cast<std::int64_t>(bits);
  const float nearest = is_signed_type ? static_cast<float>(as_signed) : static_cast<float>(bits);
  if (rounding == Rounding::nearest) return nearest;
  const long double exact =
      is_signed_type ? static_cast<long double>(as_signed) : static_cast<long double>(bits);
  const auto back = static_cast<long double>(nearest);
  const bool up = rounding == Rounding::up || (rounding == Rounding::zero && exact < 0);
  if (up) return back < exact ? next(nearest, true) : nearest;
  return back > exact ? next(nearest, false) : nearest;
}

[[nodiscard]] inline double integer_to_double_value(std::uint64_t bits, bool is_signed_type,
                                                    Rounding rounding) {
  const auto as_signed = static_cast<std::int64_t>(bits);
  const double nearest =
      is_signed_type ? static_cast<double>(as_signed) : static_cast<double>(bits);
  if (rounding == Rounding::nearest) return nearest;
  const long double exact =
      is_signed_type ? static_cast<long double>(as_signed) : static_cast<long double>(bits);
  const auto back = static_cast<long double>(nearest);
  const bool up = rounding == Rounding::up || (rounding == Rounding::zero && exact < 0);
  if (up) return back < exact ? std::nextafter(nearest, HUGE_VAL) : nearest;
  return back > exact ? std::nextafter(nearest, -HUGE_VAL) : nearest;
}

/// The same with a last bit that says that some are lost, so that it can be rounded again.
[[nodiscard]] inline double integer_to_odd_double(std::uint64_t bits, bool is_signed_type) {
  const double cut = integer_to_double_value(bits, is_signed_type, Rounding::zero);
  const double away =
      integer_to_double_value(bits, is_signed_type, cut < 0 ? Rounding::down : Rounding::up);
  return cut == away ? cut : std::bit_cast<double>(std::bit_cast<std::uint64_t>(cut) | 1U);
}

/// A number of 16 bits, rounded in this direction.
[[nodiscard]] inline std::uint32_t narrowed(double value, bool bfloat, Rounding rounding) {
  const std::uint32_t bits = bfloat ? double_to_bfloat(value) : double_to_half(value);
  if (rounding == Rounding::nearest || value != value) return bits;
  const double back = bfloat ? bfloat_to_float(bits) : half_to_float(bits);
  const bool away = rounding == Rounding::up ? value > 0 : rounding == Rounding::down && value < 0;
  const double excess = value < 0 ? value - back : back - value;  // of its magnitude
  if (away) return excess < 0 ? bits + 1 : bits;
  return excess > 0 ? bits - 1 : bits;
}

inline void write_pair(Warp& warp, const MicroOp& op, unsigned lane, std::uint64_t bits) {
  destination(warp, op)[lane] = static_cast<std::uint32_t>(bits);
  destination(warp, op, 1)[lane] = static_cast<std::uint32_t>(bits >> 32);
}

inline void integer_to_float(Warp& warp, const MicroOp& op, LaneMask lanes) {
  const bool whole =
      op.immediate == 0 && op.rounding == Rounding::nearest && !op.has(flag::accumulate);
  if (whole && op.type == ValueType::f32 && op.source_type == ValueType::s32) {
    map1(warp, op, lanes,
         [](std::uint32_t a) { return as_bits(static_cast<float>(static_cast<std::int32_t>(a))); });
    return;
  }
  if (whole && op.type == ValueType::f32 && op.source_type == ValueType::u32) {
    map1(warp, op, lanes, [](std::uint32_t a) { return as_bits(static_cast<float>(a)); });
    return;
  }
  const std::uint32_t* low = source(warp, op, 0);
  const std::uint32_t* high = plain_source(warp, op.source[0], 1);
  const bool is_signed_type = is_signed(op.source_type);
  for (unsigned i = 0; i < lane_count; ++i) {
    if (!has_lane(lanes, i)) continue;
    const std::uint64_t value = integer_value(op, low, high, i);
    if (op.type == ValueType::f64) {
      const double number = integer_to_double_value(value, is_signed_type, op.rounding);
      write_pair(warp, op, i, std::bit_cast<std::uint64_t>(number));
    } else if (op.type == ValueType::f16 || op.type == ValueType::bf16) {
      const double number = integer_to_odd_double(value, is_signed_type);
      destination(warp, op)[i] = narrowed(number, op.type == ValueType::bf16, op.rounding);
    } else {
      destination(warp, op)[i] =
          as_bits(integer_to_float_value(value, is_signed_type, op.rounding));
    }
  }
}

/// A source of any floating type as a double, which represents all of them exactly.
[[nodiscard]] inline double floating_value(const MicroOp& op, const std::uint32_t* low,
                                           const std::uint32_t* high, unsigned lane) {
  switch (op.source_type) {
    case ValueType::f64:
      return std::bit_cast<double>(std::uint64_t{high[lane]} << 32 | low[lane]);
    case ValueType::f16:
      return half_to_float(low[lane] & 0xffffU);
    case ValueType::bf16:
      return bfloat_to_float(low[lane] & 0xffffU);
    default:
      return as_float(op.has(flag::flush) ? flushed(low[lane]) : low[lane]);
  }
}

[[nodiscard]] inline double to_integral(double value, Rounding rounding) {
  switch (rounding) {
    case Rounding::down:
      return std::floor(value);
    case Rounding::up:
      return std::ceil(value);
    case Rounding::zero:
      return std::trunc(value);
    default:
      return std::nearbyint(value);
  }
}

/// Out of range: the nearest value of the type. NaN: zero, but the sign bit for 64-bit types and
/// from doubles.
[[nodiscard]] inline std::uint64_t clamped_integer(double value, ValueType type,
                                                   ValueType from = ValueType::f32) {
  const unsigned bits = 8 * bytes_of(type);
  if (value != value) {
    return bits == 64 || from == ValueType::f64 ? std::uint64_t{1} << (bits - 1) : 0;
  }
  const bool is_signed_type = is_signed(type);
  const double top = std::ldexp(1.0, static_cast<int>(is_signed_type ? bits - 1 : bits));
  const double bottom = is_signed_type ? -top : 0.0;
  const std::uint64_t ones = ~std::uint64_t{0} >> (64 - bits);
  if (value >= top) return is_signed_type ? ones >> 1 : ones;
  if (value <= bottom) return is_signed_type ? (ones >> 1) + 1 : 0;
  return is_signed_type ? static_cast<std::uint64_t>(static_cast<std::int64_t>(value))
                        : static_cast<std::uint64_t>(value);
}

inline void float_to_integer(Warp& warp, const MicroOp& op, LaneMask lanes) {
  const bool pair = op.source_type == ValueType::f64;
  const std::uint32_t* low = pair ? plain_source(warp, op.source[0]) : source(warp, op, 0);
  const std::uint32_t* high = source(warp, op, 0, 1);
  for (unsigned i = 0; i < lane_count; ++i) {
    if (!has_lane(lanes, i)) continue;
    const double value = to_integral(floating_value(op, low, high, i), op.rounding);
    const std::uint64_t bits = clamped_integer(value, op.type, op.source_type);
    if (bytes_of(op.type) == 8) {
      write_pair(warp, op, i, bits);
    } else {
      const bool narrow_signed = is_signed(op.type) && bytes_of(op.type) < 4;
      const unsigned up = 32 - 8 * bytes_of(op.type);
      const auto word = static_cast<std::uint32_t>(bits);
      destination(warp, op)[i] =
          narrow_signed ? static_cast<std::uint32_t>(static_cast<std::int32_t>(word << up) >> up)
                        : word;
    }
  }
}

/// A NaN of this lane as a double that has its payload, quiet.
[[nodiscard]] inline std::uint64_t source_nan(const MicroOp& op, const std::uint32_t* low,
                                              const std::uint32_t* high, unsigned lane) {
  constexpr std::uint64_t infinity = 0x7ff0000000000000U, silent = 0x8000000000000U;
  const std::uint64_t word = low[lane];
  switch (op.source_type) {
    case ValueType::f64:
      return std::uint64_t{high[lane]} << 32 | word | silent;
    case ValueType::f16:
      return (word & 0x8000U) << 48 | infinity | (word & 0x3ffU) << 42 | silent;
    case ValueType::bf16:
      return (word & 0x8000U) << 48 | infinity | (word & 0x7fU) << 45 | silent;
    default:
      return (word & 0x80000000U) << 32 | infinity | (word & 0x7fffffU) << 29 | silent;
  }
}

/// The same in a type of this width: conversions of doubles keep as much of it as fits.
[[nodiscard]] inline std::uint32_t narrow_nan(std::uint64_t nan, ValueType type) {
  const auto sign = static_cast<std::uint32_t>(nan >> 63);
  const std::uint64_t payload = nan & 0xfffffffffffffU;
  if (type == ValueType::f16)
    return sign << 15 | 0x7c00U | static_cast<std::uint32_t>(payload >> 42);
  if (type == ValueType::bf16)
    return sign << 15 | 0x7f80U | static_cast<std::uint32_t>(payload >> 45);
  return sign << 31 | 0x7f800000U | static_cast<std::uint32_t>(payload >> 29);
}

/// F2F and FRND; with `position`, rounds to an integral value of the same type.
inline void float_to_float(Warp& warp, const MicroOp& op, LaneMask lanes) {
  const bool pair = op.source_type == ValueType::f64;
  const std::uint32_t* low = pair ? plain_source(warp, op.source[0]) : source(warp, op, 0);
  const std::uint32_t* high = source(warp, op, 0, 1);
  const Rounding rounding = op.has(flag::position) ? Rounding::nearest : op.rounding;
  for (unsigned i = 0; i < lane_count; ++i) {
    if (!has_lane(lanes, i)) continue;
    double value = floating_value(op, low, high, i);
    if (op.has(flag::position)) value = to_integral(value, op.rounding);
    if (op.has(flag::saturate)) value = value > 0 ? (value < 1 ? value : 1.0) : 0.0;
    const bool lost = value != value;
    if (op.type == ValueType::f64) {
      write_pair(warp, op, i,
                 lost ? source_nan(op, low, high, i) : std::bit_cast<std::uint64_t>(value));
    } else if (lost && pair) {
      destination(warp, op)[i] = narrow_nan(source_nan(op, low, high, i), op.type);
    } else if (op.type == ValueType::f16) {
      destination(warp, op)[i] = narrowed(value, false, rounding);
    } else if (op.type == ValueType::bf16) {
      destination(warp, op)[i] = narrowed(value, true, rounding);
    } else {
      const std::uint32_t bits = canonical(rounded(value, 0, rounding));
      destination(warp, op)[i] = op.has(flag::flush) ? flushed(bits) : bits;
    }
  }
}

/// A float of 10 fraction bits.
[[nodiscard]] inline std::uint32_t to_tensor_float(std::uint32_t bits, Rounding rounding) {
  constexpr std::uint32_t dropped = 0x1fffU;
  if (as_float(bits) != as_float(bits)) return float_nan & ~dropped;
  if (rounding == Rounding::nearest) bits += (dropped >> 1) + (bits >> 13 & 1U);
  return bits & ~dropped;
}

/// The pieces that F2FP makes of one operand.
struct Packer {
  ValueType type, source_type;
  Rounding rounding;
  bool relu;
  [[nodiscard]] double limited(double value) const {
    return relu && value <= 0 ? 0.0 : value;  // -0 becomes 0; NaN stays
  }
  [[nodiscard]] std::uint32_t half(std::uint32_t word) const {
    return narrowed(limited(as_float(word)), type == ValueType::bf16, rounding);
  }
  [[nodiscard]] std::uint32_t byte(double value) const {
    return double_to_byte(limited(value), type == ValueType::e5m2);
  }
  [[nodiscard]] std::uint32_t bytes_of_pair(std::uint32_t word) const {
    return byte(half_to_float(word >> 16)) << 8 | byte(half_to_float(word & 0xffffU));
  }
  [[nodiscard]] std::uint32_t half_of_byte(std::uint32_t byte) const {
    const std::uint32_t bits = byte_to_half(byte & 0xffU, source_type == ValueType::e5m2);
    return relu && (bits & 0x8000U) != 0 ? 0U : bits;
  }
};

/// The forms of F2FP but PACK_AB. The part of c (`position`: its upper half) stands above.
inline void float_pack_form(Warp& warp, const MicroOp& op, LaneMask lanes, const Packer& pack) {
  const auto form = static_cast<PackForm>(op.second);
  const std::uint32_t upper = op.has(flag::position) ? 16 : 0;
  map3(warp, op, lanes, [=](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    const std::uint32_t merged = c >> upper << 16;
    switch (form) {
      case PackForm::one_merged:
        return merged | pack.half(a);
      case PackForm::one:
        return to_tensor_float(as_bits(static_cast<float>(pack.limited(as_float(a)))),
                               pack.rounding);
      case PackForm::bytes_merged:
        return merged | pack.byte(as_float(a)) << 8 | pack.byte(as_float(b));
      case PackForm::bytes_of_pair:
        return merged | pack.bytes_of_pair(a);
      default:
        return pack.half_of_byte(a >> upper >> 8) << 16 | pack.half_of_byte(a >> upper);
    }
  });
}

/// F2FP.PACK_AB: a in the upper half of a register, b in the lower.
inline void float_pack(Warp& warp, const MicroOp& op, LaneMask lanes) {
  const Packer pack{op.type, op.source_type, op.rounding, op.has(flag::accumulate)};
  if (static_cast<PackForm>(op.second) != PackForm::both)
    return float_pack_form(warp, op, lanes, pack);
  map2(warp, op, lanes,
       [pack](std::uint32_t a, std::uint32_t b) { return pack.half(a) << 16 | pack.half(b); });
}

/// I2I: converts to another width; saturates with .SAT.
inline void integer_to_integer(Warp& warp, const MicroOp& op, LaneMask lanes) {
  const std::uint32_t* low = source(warp, op, 0);
  const std::uint32_t* high = plain_source(warp, op.source[0], 1);
  const unsigned bits = 8 * bytes_of(op.type);
  std::uint32_t result[lane_count] = {};
  for (unsigned i = 0; i < lane_count; ++i) {
    if (!has_lane(lanes, i)) continue;
    auto value = static_cast<std::int64_t>(integer_value(op, low, high, i));
    if (op.has(flag::saturate) && bits < 64) {
      const std::int64_t top = (std::int64_t{1} << (is_signed(op.type) ? bits - 1 : bits)) - 1;
      const std::int64_t bottom = is_signed(op.type) ? -top - 1 : 0;
      value = value > top ? top : (value < bottom ? bottom : value);
    }
    auto word = static_cast<std::uint32_t>(value);
    if (bits < 32) {
      const unsigned up = 32 - bits;
      word = is_signed(op.type)
                 ? static_cast<std::uint32_t>(static_cast<std::int32_t>(word << up) >> up)
                 : word << up >> up;
    }
    destination(warp, op)[i] = word;
    result[i] = word;
  }
  if (!op.has(flag::set_code)) return;
  write_code_carry(warp, lanes, 0);
  write_predicate(warp, predicate::overflow, lanes, 0);
  write_code(warp, lanes, result);
}

/// I2IP and F2IP: a and b as integers of `immediate` bits, a above b, and what fits of c above
/// them.
inline void integer_pack(Warp& warp, const MicroOp& op, LaneMask lanes) {
  const std::uint32_t bits = op.immediate, mask = (1U << bits) - 1, shift = op.second;
  const bool is_signed_type = op.has(flag::is_signed), saturate = op.has(flag::saturate);
  const bool floating = op.source_type == ValueType::f32;
  const Rounding rounding = op.rounding;
  const std::int64_t top = is_signed_type ? mask >> 1 : mask;
  const std::int64_t bottom = is_signed_type ? -top - 1 : 0;
  const auto piece = [=](std::uint32_t word) {
    std::int64_t value = static_cast<std::int32_t>(word);
    if (floating) {
      const double number = to_integral(as_float(word), rounding);
      value = static_cast<std::int64_t>(clamped_integer(number, ValueType::s64));
      if (number != number) value = 0;
    }
    if (saturate) value = value > top ? top : (value < bottom ? bottom : value);
    return static_cast<std::uint32_t>(value) & mask;
  };
  const std::uint32_t above = 2 * bits;
  map3(warp, op, lanes, [=](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    const std::uint32_t merged = above < 32 ? c >> shift << above : 0;
    return merged | piece(a) << bits | piece(b);
  });
}

}  // namespace forewarp::execution::FOREWARP_LANES
