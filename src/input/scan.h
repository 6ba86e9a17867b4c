// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <charconv>
#include <cstdint>
#include <string_view>

namespace forewarp::input {

/// Removes `prefix` from the front of `text`; false, without a change, if it is not there.
inline bool take(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

inline bool take(std::string_view& text, char c) {
  if (text.empty() || text.front() != c) return false;
  text.remove_prefix(1);
  return true;
}

/// Takes an unsigned number off the front; false if there is none or it is too large.
template <typename T>
bool take_number(std::string_view& text, T& value, int base = 10) {
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (code != std::errc{} || end == text.data()) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return true;
}

/// Takes a number such as 0x1a or 26.
inline bool take_integer(std::string_view& text, std::uint64_t& value) {
  if (text.starts_with("0x")) {
    std::string_view digits = text.substr(2);
    if (!take_number(digits, value, 16)) return false;
    text = digits;
    return true;
  }
  return take_number(text, value);
}

/// Takes the text up to the first of `stops` off the front.
inline std::string_view take_until(std::string_view& text, std::string_view stops) {
  const std::size_t end = text.find_first_of(stops);
  const std::string_view head = text.substr(0, end);
  text.remove_prefix(head.size());
  return head;
}

}  // namespace forewarp::input
