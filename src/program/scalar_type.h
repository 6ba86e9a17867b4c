// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "program/launch.h"

namespace forewarp::program {

/// How the bytes of a scalar are interpreted.
struct ScalarType {
  enum class Kind : std::uint8_t { signed_integer, unsigned_integer, floating, brain_floating };
  Kind kind = Kind::signed_integer;
  std::uint8_t bytes = 4;

  [[nodiscard]] bool is_floating() const {
    return kind == Kind::floating || kind == Kind::brain_floating;
  }
  friend bool operator==(const ScalarType&, const ScalarType&) = default;
};

/// Type from its short name in launches ("f32", "i64" ..) or its C name ("unsigned long long",
/// "const float", "size_t", "__half"). nullopt for pointers, structures and unknown words.
[[nodiscard]] std::optional<ScalarType> scalar_type(std::string_view name);

/// Accepts only the short names.
[[nodiscard]] std::optional<ScalarType> short_scalar_type(std::string_view name);

/// All short names, for messages: "i8, u8, .. f64".
[[nodiscard]] std::string_view short_scalar_names();

/// "f32" and the like; empty for a type without a short name.
[[nodiscard]] std::string_view short_name(ScalarType type);

/// `number` as `type`, in the low type.bytes bytes. nullopt if it is no integer or floating
/// argument, or does not fit: an integer out of range, a fraction for an integer, a finite number
/// too large for a floating type.
[[nodiscard]] std::optional<std::uint64_t> scalar_bits(const Argument& number, ScalarType type);

/// Whether the integer exceeds 64 signed bits and is stored as its bit pattern.
[[nodiscard]] bool beyond_signed(const Argument& number);

}  // namespace forewarp::program
