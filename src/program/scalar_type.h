// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "program/launch.h"

namespace forewarp::program {

/// How the bytes of a scalar are to be read.
struct ScalarType {
  enum class Kind : std::uint8_t { signed_integer, unsigned_integer, floating, brain_floating };
  Kind kind = Kind::signed_integer;
  std::uint8_t bytes = 4;

  [[nodiscard]] bool is_floating() const {
    return kind == Kind::floating || kind == Kind::brain_floating;
  }
  friend bool operator==(const ScalarType&, const ScalarType&) = default;
};

/// "f32", "i64" .. as launches write them, and C's own names ("unsigned long long", "const float",
/// "size_t", "__half"). No value for a pointer, a structure or an unknown word.
[[nodiscard]] std::optional<ScalarType> scalar_type(std::string_view name);

/// Only the short names that launches use.
[[nodiscard]] std::optional<ScalarType> short_scalar_type(std::string_view name);

/// "i8, u8, .. f64": for messages.
[[nodiscard]] std::string_view short_scalar_names();

/// "f32" for a type that has a short name; empty otherwise.
[[nodiscard]] std::string_view short_name(ScalarType type);

/// `number` as `type`, in the low type.bytes bytes; none when it does not fit: an integer out of
/// range, a fraction for an integer, a finite number too large for a floating type.
/// Only integer and floating arguments have a number.
[[nodiscard]] std::optional<std::uint64_t> scalar_bits(const Argument& number, ScalarType type);

/// The integer is above what 64 signed bits hold and stands there as its bit pattern.
[[nodiscard]] bool beyond_signed(const Argument& number);

}  // namespace forewarp::program
