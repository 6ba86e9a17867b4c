// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "program/scalar_type.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <string>

#include "base/text.h"

namespace forewarp::program {

namespace {

using Kind = ScalarType::Kind;

struct Named {
  std::string_view name;
  ScalarType type;
};

constexpr std::array<Named, 12> short_names{{{"i8", {Kind::signed_integer, 1}},
                                             {"u8", {Kind::unsigned_integer, 1}},
                                             {"i16", {Kind::signed_integer, 2}},
                                             {"u16", {Kind::unsigned_integer, 2}},
                                             {"i32", {Kind::signed_integer, 4}},
                                             {"u32", {Kind::unsigned_integer, 4}},
                                             {"i64", {Kind::signed_integer, 8}},
                                             {"u64", {Kind::unsigned_integer, 8}},
                                             {"f16", {Kind::floating, 2}},
                                             {"bf16", {Kind::brain_floating, 2}},
                                             {"f32", {Kind::floating, 4}},
                                             {"f64", {Kind::floating, 8}}}};

// Types of one word; C's integers that combine words are parsed below.
constexpr std::array<Named, 20> single_words{
    {{"bool", {Kind::unsigned_integer, 1}},   {"float", {Kind::floating, 4}},
     {"double", {Kind::floating, 8}},         {"half", {Kind::floating, 2}},
     {"__half", {Kind::floating, 2}},         {"__nv_bfloat16", {Kind::brain_floating, 2}},
     {"size_t", {Kind::unsigned_integer, 8}}, {"ptrdiff_t", {Kind::signed_integer, 8}},
     {"int8_t", {Kind::signed_integer, 1}},   {"uint8_t", {Kind::unsigned_integer, 1}},
     {"int16_t", {Kind::signed_integer, 2}},  {"uint16_t", {Kind::unsigned_integer, 2}},
     {"int32_t", {Kind::signed_integer, 4}},  {"uint32_t", {Kind::unsigned_integer, 4}},
     {"int64_t", {Kind::signed_integer, 8}},  {"uint64_t", {Kind::unsigned_integer, 8}},
     {"uint", {Kind::unsigned_integer, 4}},   {"uchar", {Kind::unsigned_integer, 1}},
     {"ushort", {Kind::unsigned_integer, 2}}, {"ulong", {Kind::unsigned_integer, 8}}}};

template <std::size_t Size>
std::optional<ScalarType> type_in(const std::array<Named, Size>& names, std::string_view name) {
  for (const Named& entry : names) {
    if (entry.name == name) return entry.type;
  }
  return std::nullopt;
}

std::string_view without_namespace(std::string_view word) {
  return word.starts_with("std::") ? word.substr(5) : word;
}

/// The words unsigned, signed, char, short, int and long, in any order that C allows.
struct IntegerWords {
  bool is_unsigned = false, is_signed = false, has_char = false, has_short = false, has_int = false;
  int longs = 0;

  bool add(std::string_view word) {
    if (word == "unsigned") return is_unsigned = true;
    if (word == "signed") return is_signed = true;
    if (word == "char") return has_char = true;
    if (word == "short") return has_short = true;
    if (word == "int") return has_int = true;
    return word == "long" && ++longs <= 2;
  }

  [[nodiscard]] std::optional<ScalarType> type() const {
    const bool contradiction = (is_unsigned && is_signed) || (has_char && (has_int || has_short)) ||
                               (longs > 0 && (has_char || has_short));
    if (contradiction) return std::nullopt;
    // long has 8 bytes in LP64, the model for code compiled on 64-bit Linux.
    const std::uint8_t bytes = has_char ? 1 : has_short ? 2 : longs > 0 ? 8 : 4;
    return ScalarType{is_unsigned ? Kind::unsigned_integer : Kind::signed_integer, bytes};
  }
};

std::uint64_t low_bytes(std::uint64_t bits, std::uint8_t size) {
  return size >= 8 ? bits : bits & ((std::uint64_t{1} << (8U * size)) - 1);
}

/// Bits of an IEEE half, rounded to nearest even; nullopt for overflow.
std::optional<std::uint64_t> half_bits(double value) {
  const std::uint64_t sign = std::signbit(value) ? 0x8000U : 0U;
  if (std::isnan(value)) return sign | 0x7e00U;
  if (std::isinf(value)) return sign | 0x7c00U;
  const double magnitude = std::fabs(value);
  if (magnitude >= 65520.0) return std::nullopt;  // rounds above the largest half, 65504
  if (magnitude == 0) return sign;
  const int exponent = std::max(std::ilogb(magnitude), -14);
  const auto steps =
      static_cast<std::uint64_t>(std::nearbyint(std::ldexp(magnitude, 10 - exponent)));
  // Subnormals have no implied bit, and a carry out of the fraction increments the exponent.
  return sign | (static_cast<std::uint64_t>(exponent + 14) * 1024U + steps);
}

std::optional<std::uint64_t> float_bits(double value) {
  const auto narrow = static_cast<float>(value);
  if (std::isinf(narrow) && std::isfinite(value)) return std::nullopt;
  return std::bit_cast<std::uint32_t>(narrow);
}

std::optional<std::uint64_t> brain_bits(double value) {
  const auto bits = float_bits(value);
  if (!bits) return std::nullopt;
  if (std::isnan(value)) return (*bits >> 16U) | 0x40U;
  const std::uint64_t rounded = *bits + 0x7fffU + ((*bits >> 16U) & 1U);
  const bool overflowed = (rounded >> 16U & 0x7f80U) == 0x7f80U && std::isfinite(value);
  if (overflowed) return std::nullopt;
  return rounded >> 16U;
}

std::optional<std::uint64_t> floating_bits(double value, ScalarType type) {
  if (type.kind == Kind::brain_floating) return brain_bits(value);
  if (type.bytes == 2) return half_bits(value);
  if (type.bytes == 4) return float_bits(value);
  return std::bit_cast<std::uint64_t>(value);
}

bool in_range(const Argument& number, ScalarType type) {
  const bool large = beyond_signed(number);
  if (type.kind == Kind::unsigned_integer) {
    if (type.bytes == 8) return large || number.integer >= 0;
    return !large && number.integer >= 0 && number.integer < std::int64_t{1} << (8 * type.bytes);
  }
  if (large) return false;
  if (type.bytes == 8) return true;
  const std::int64_t limit = std::int64_t{1} << (8 * type.bytes - 1);
  return number.integer >= -limit && number.integer < limit;
}

/// An integer argument from a whole number: 4096.0 is one, 2.5 is not.
std::optional<Argument> whole(double value) {
  constexpr double limit = 9223372036854775808.0;  // 2^63
  if (!(value >= -limit && value < limit) || value != std::floor(value)) return std::nullopt;
  Argument number;
  number.integer = static_cast<std::int64_t>(value);
  return number;
}

}  // namespace

std::optional<ScalarType> short_scalar_type(std::string_view name) {
  return type_in(short_names, name);
}

std::optional<ScalarType> scalar_type(std::string_view name) {
  if (const auto type = type_in(short_names, name)) return type;
  IntegerWords words;
  std::optional<ScalarType> single;
  bool combined = false;
  for (const std::string_view part : split(name, ' ')) {
    const std::string_view word = without_namespace(trim(part));
    if (word.empty() || word == "const" || word == "volatile") continue;
    if (single) return std::nullopt;  // "float int"
    single = type_in(single_words, word);
    if (!single && !words.add(word)) return std::nullopt;
    combined = combined || !single;
  }
  if (single) return combined ? std::nullopt : single;
  return combined ? words.type() : std::nullopt;
}

std::string_view short_scalar_names() {
  return "i8, u8, i16, u16, i32, u32, i64, u64, f16, bf16, f32, f64";
}

std::string_view short_name(ScalarType type) {
  for (const Named& entry : short_names) {
    if (entry.type == type) return entry.name;
  }
  return {};
}

bool beyond_signed(const Argument& number) {
  return number.kind == Argument::Kind::integer && number.type == "u64" && number.integer < 0;
}

std::optional<std::uint64_t> scalar_bits(const Argument& number, ScalarType type) {
  if (type.is_floating()) {
    const double value = number.kind == Argument::Kind::floating ? number.floating
                         : beyond_signed(number)
                             ? static_cast<double>(static_cast<std::uint64_t>(number.integer))
                             : static_cast<double>(number.integer);
    return floating_bits(value, type);
  }
  if (number.kind == Argument::Kind::floating) {
    const auto integer = whole(number.floating);
    return integer ? scalar_bits(*integer, type) : std::nullopt;
  }
  if (!in_range(number, type)) return std::nullopt;
  return low_bytes(static_cast<std::uint64_t>(number.integer), type.bytes);
}

}  // namespace forewarp::program
