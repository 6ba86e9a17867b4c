// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

namespace forewarp::execution {

/// IEEE half precision to float, exactly.
[[nodiscard]] inline float half_to_float(std::uint32_t half) {
  const std::uint32_t sign = (half & 0x8000U) << 16, rest = half & 0x7fffU;
  // Multiplying by 2^112 corrects the exponent bias, for denormal halves too.
  const float magnitude = std::bit_cast<float>(rest << 13) * 0x1p112F;
  const std::uint32_t no_number = rest >= 0x7c00U ? 0x7f800000U : 0U;
  return std::bit_cast<float>(sign | no_number | std::bit_cast<std::uint32_t>(magnitude));
}

/// To half precision, rounding to nearest even; without branches, for rows of lanes.
[[nodiscard]] inline std::uint32_t float_to_half(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t sign = bits >> 16 & 0x8000U, rest = bits & 0x7fffffffU;
  // Adding 1/2 leaves the multiples of 2^-24, the least half, in the last bits.
  const std::uint32_t denormal =
      std::bit_cast<std::uint32_t>(std::bit_cast<float>(rest) + 0.5F) - 0x3f000000U;
  const std::uint32_t normal = (rest - (112U << 23) + 0xfffU + (rest >> 13 & 1U)) >> 13;
  const std::uint32_t number = rest < 0x38800000U ? denormal : normal;  // 2^-14
  const std::uint32_t some = rest >= 0x47800000U ? 0x7c00U : number;    // 2^16
  return rest > 0x7f800000U ? 0x7fffU : sign | some;
}

/// To half precision, rounding to nearest even.
[[nodiscard]] inline std::uint32_t double_to_half(double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value);
  const auto sign = static_cast<std::uint32_t>(bits >> 48 & 0x8000U);
  if (value != value) return 0x7fffU;
  const auto exponent = static_cast<int>(bits >> 52 & 0x7ffU) - 1023;
  if (exponent > 15) return sign | 0x7c00U;
  if (exponent < -26) return sign;
  const std::uint64_t mantissa = (bits & 0xfffffffffffffU) | 0x10000000000000U;
  const int drop = exponent < -14 ? 42 + (-14 - exponent) : 42;
  const std::uint64_t kept = mantissa >> drop, half = std::uint64_t{1} << (drop - 1);
  const std::uint64_t left = mantissa & ((half << 1) - 1);
  std::uint64_t rounded = kept + (left > half || (left == half && (kept & 1U) != 0) ? 1 : 0);
  if (exponent >= -14) rounded += static_cast<std::uint64_t>(exponent + 14) << 10;
  return sign | static_cast<std::uint32_t>(rounded);
}

/// To half precision, towards zero; infinity stays.
[[nodiscard]] inline std::uint32_t cut_half(double value) {
  const std::uint32_t bits = double_to_half(value);
  const double back = half_to_float(bits);
  const bool away = value < 0 ? back < value : back > value;
  return away ? bits - 1 : bits;
}

[[nodiscard]] inline float bfloat_to_float(std::uint32_t bits) {
  return std::bit_cast<float>(bits << 16);
}

/// To bfloat16, rounding to nearest even. Rounding to an odd float first avoids double rounding.
[[nodiscard]] inline std::uint32_t double_to_bfloat(double value) {
  if (value != value) return 0x7fffU;
  auto narrow = std::bit_cast<std::uint32_t>(static_cast<float>(value));
  const double back = std::bit_cast<float>(narrow);
  if (back != value && (narrow & 1U) == 0) {
    const bool towards_zero = (value < 0) ? back > value : back < value;
    narrow = towards_zero ? narrow | 1U : narrow - 1U;
  }
  const std::uint32_t odd = narrow >> 16 & 1U;
  return (narrow + 0x7fffU + odd) >> 16;
}

/// To a number of 8 bits (e4m3, or e5m2 of the shape of a half), to nearest even; too large ones
/// become the largest, NaN 0x7f (PTX ISA, cvt.satfinite).
[[nodiscard]] inline std::uint32_t double_to_byte(double value, bool e5m2) {
  if (value != value) return 0x7fU;
  const int fraction = e5m2 ? 2 : 3, bias = e5m2 ? 15 : 7;
  const std::uint32_t largest = e5m2 ? 0x7bU : 0x7eU, sign = std::signbit(value) ? 0x80U : 0U;
  const double magnitude = std::fabs(value);
  if (magnitude >= 65536.0) return sign | largest;
  const int exponent = magnitude == 0 ? 1 - bias : std::max(std::ilogb(magnitude), 1 - bias);
  const auto quanta =
      static_cast<std::uint32_t>(std::nearbyint(std::ldexp(magnitude, fraction - exponent)));
  const std::uint32_t bits = quanta + (static_cast<std::uint32_t>(exponent + bias - 1) << fraction);
  return sign | std::min(bits, largest);
}

/// The half with the value of a number of 8 bits, exactly.
[[nodiscard]] inline std::uint32_t byte_to_half(std::uint32_t byte, bool e5m2) {
  const std::uint32_t sign = (byte & 0x80U) << 8, rest = byte & 0x7fU;
  if (e5m2) return rest > 0x7cU ? 0x7fffU : sign | rest << 8;
  if (rest == 0x7fU) return 0x7fffU;
  const std::uint32_t exponent = rest >> 3, fraction = rest & 7U;
  const double value = exponent == 0 ? std::ldexp(fraction, -9)
                                     : std::ldexp(8 + fraction, static_cast<int>(exponent) - 10);
  return sign | double_to_half(value);
}

}  // namespace forewarp::execution
