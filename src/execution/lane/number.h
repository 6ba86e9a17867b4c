// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "execution/lane/map.h"

namespace forewarp::execution::FOREWARP_LANES {

/// NaNs that the hardware returns for invalid operations.
inline constexpr std::uint32_t float_nan = 0x7fffffffU;
inline constexpr std::uint64_t double_nan = 0xfff8000000000000U;

[[nodiscard]] inline float as_float(std::uint32_t bits) {
  return std::bit_cast<float>(bits);
}
[[nodiscard]] inline std::uint32_t as_bits(float value) {
  return std::bit_cast<std::uint32_t>(value);
}

/// Flushes a denormal number to zero, keeping its sign.
[[nodiscard]] inline std::uint32_t flushed(std::uint32_t bits) {
  return (bits & 0x7f800000U) == 0 ? bits & 0x80000000U : bits;
}

[[nodiscard]] inline std::uint32_t canonical(float value) {
  const std::uint32_t bits = as_bits(value);
  return (bits & 0x7fffffffU) > 0x7f800000U ? float_nan : bits;
}

/// .SAT: clamps to 0..1; NaN becomes 0.
[[nodiscard]] inline std::uint32_t saturated(std::uint32_t bits) {
  const float value = as_float(bits);
  const std::uint32_t low = value > 0.0F ? bits : 0U;
  return value < 1.0F ? low : (value >= 1.0F ? 0x3f800000U : 0U);
}

/// The next representable value towards plus or minus infinity.
[[nodiscard]] inline float next(float value, bool up) {
  return std::nextafter(value, up ? HUGE_VALF : -HUGE_VALF);
}

/// sum + error rounded to a float in one step, where |error| is below half an ulp of `sum`.
[[nodiscard]] inline float rounded(double sum, double error, Rounding rounding) {
  const auto value = static_cast<float>(sum);
  if (std::isnan(value) || std::isinf(sum)) return value;
  const auto back = static_cast<double>(value);
  const bool below = back < sum || (back == sum && error > 0);
  const bool above = back > sum || (back == sum && error < 0);
  const bool towards_up =
      rounding == Rounding::up || (rounding == Rounding::zero && std::signbit(sum));
  if (rounding == Rounding::nearest) return value;
  if (towards_up) return below ? next(value, true) : value;
  return above ? next(value, false) : value;
}

}  // namespace forewarp::execution::FOREWARP_LANES
