// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cmath>
#include <complex>
#include <cstdint>

namespace forewarp::cli {

/// Types of elements; the numbers are those of CUDA's cudaDataType.
enum class NumberType : int {
  f32 = 0,
  f64 = 1,
  f16 = 2,
  i8 = 3,
  c32 = 4,
  c64 = 5,
  i32 = 10,
  bf16 = 14
};

struct Half {
  std::uint16_t bits = 0;
};
struct Bfloat {
  std::uint16_t bits = 0;
};

/// Bytes of an element; 0: not a type that is computed here.
inline std::uint64_t bytes_of(NumberType type) {
  switch (type) {
    case NumberType::i8:
      return 1;
    case NumberType::f16:
    case NumberType::bf16:
      return 2;
    case NumberType::f32:
    case NumberType::i32:
      return 4;
    case NumberType::f64:
    case NumberType::c32:
      return 8;
    case NumberType::c64:
      return 16;
  }
  return 0;
}

inline bool is_complex(NumberType type) {
  return type == NumberType::c32 || type == NumberType::c64;
}

/// Between the formats of 16 bits and float; to them by rounding to the nearest even.
inline float float_of(Half value) {
  const std::uint32_t sign = std::uint32_t{value.bits & 0x8000U} << 16,
                      magnitude = value.bits & 0x7fffU;
  if (magnitude >= 0x7c00U)  // infinite, or not a number
    return std::bit_cast<float>(sign | 0x7f800000U | (magnitude & 0x3ffU) << 13);
  if (magnitude < 0x400U) {
    const float small = std::ldexp(static_cast<float>(magnitude), -24);
    return sign != 0 ? -small : small;
  }
  return std::bit_cast<float>(sign | ((magnitude << 13) + 0x38000000U));
}
inline Half half_of(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const auto sign = static_cast<std::uint16_t>(bits >> 16 & 0x8000U);
  const std::uint32_t magnitude = bits & 0x7fffffffU;
  if (magnitude > 0x7f800000U) return {static_cast<std::uint16_t>(sign | 0x7fffU)};
  if (magnitude >= 0x477ff000U) return {static_cast<std::uint16_t>(sign | 0x7c00U)};
  if (magnitude < 0x38800000U) {  // below 2^-14: a multiple of 2^-24
    const float scaled = std::nearbyint(std::ldexp(std::bit_cast<float>(magnitude), 24));
    return {static_cast<std::uint16_t>(sign | static_cast<std::uint16_t>(scaled))};
  }
  const std::uint32_t rounded = magnitude + 0xfffU + (magnitude >> 13 & 1U);
  return {static_cast<std::uint16_t>(sign | (rounded - 0x38000000U) >> 13)};
}
inline float float_of(Bfloat value) {
  return std::bit_cast<float>(std::uint32_t{value.bits} << 16);
}
inline Bfloat bfloat_of(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  if ((bits & 0x7fffffffU) > 0x7f800000U) return {0x7fff};
  return {static_cast<std::uint16_t>((bits + 0x7fffU + (bits >> 16 & 1U)) >> 16)};
}

/// The element at `index` of an array as a number of the widest kind, and back.
std::complex<double> number_at(const void* array, NumberType type, std::uint64_t index);
void put_number(void* array, NumberType type, std::uint64_t index, std::complex<double> value);

}  // namespace forewarp::cli
