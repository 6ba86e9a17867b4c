// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace forewarp::request {

/// A value of a launch or case file, independent of its syntax, so that JSON and TOML share one
/// reader of launches. Keys of a table are unique.
struct PlainValue {
  enum class Kind : std::uint8_t { null, boolean, integer, floating, text, list, table };
  Kind kind = Kind::null;
  bool boolean = false;
  bool beyond_signed = false;  ///< integer holds the bits of a number from 2^63 to 2^64-1
  std::int64_t integer = 0;
  double floating = 0;
  std::string text;
  std::vector<PlainValue> items;  ///< of a list, or of a table in the order of `keys`
  std::vector<std::string> keys;
  std::uint32_t line = 0, column = 0;  ///< place in the file, from 1; 0: unknown

  [[nodiscard]] bool is_number() const { return kind == Kind::integer || kind == Kind::floating; }
  [[nodiscard]] double number() const;
  /// The table's value for this key; null: it lacks the key, or this is no table.
  [[nodiscard]] const PlainValue* find(std::string_view key) const;
  /// The value for messages: "the text 'abc'", "the number 7", "a list", "null".
  [[nodiscard]] std::string described() const;
};

}  // namespace forewarp::request
