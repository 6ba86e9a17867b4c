// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "result/json_token.h"

#include <charconv>
#include <cmath>
#include <cstdint>

namespace forewarp::result {
namespace {

template <typename T>
bool prints_back_as(std::string_view text) {
  T value{};
  const char* end = text.data() + text.size();
  if (const auto [stop, code] = std::from_chars(text.data(), end, value);
      code != std::errc{} || stop != end) {
    return false;
  }
  if constexpr (std::is_floating_point_v<T>) {
    std::string again;
    append_json_number(again, value);
    return again == text;
  } else {
    char again[24];
    return text == std::string_view(again, std::to_chars(again, again + sizeof again, value).ptr);
  }
}

/// Length of the valid UTF-8 sequence at the start of `text`; 0 when there is none (overlong forms,
/// surrogates and values above U+10FFFF are none).
std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return 1;
  const std::size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
  }
  const unsigned char low = lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80;
  const unsigned char high = lead == 0xed ? 0x9f : lead == 0xf4 ? 0x8f : 0xbf;
  return byte(1) >= low && byte(1) <= high ? length : 0;
}

void append_escape(std::string& out, char c) {
  constexpr std::string_view digits = "0123456789abcdef";
  switch (c) {
    case '"':
      out += "\\\"";
      return;
    case '\\':
      out += "\\\\";
      return;
    case '\n':
      out += "\\n";
      return;
    case '\t':
      out += "\\t";
      return;
    case '\r':
      out += "\\r";
      return;
    default:
      break;
  }
  out += "\\u00";
  out += digits[static_cast<unsigned char>(c) >> 4];
  out += digits[static_cast<unsigned char>(c) & 15];
}

bool is_plain(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 0x20 && byte < 0x7f && c != '"' && c != '\\';
}

}  // namespace

void append_json_number(std::string& out, double value) {
  if (!std::isfinite(value)) {
    out += "null";
    return;
  }
  char buffer[40];
  char* end = buffer + sizeof buffer;
  if (value == std::trunc(value) && std::fabs(value) < 1e15) {
    end = std::to_chars(buffer, end, static_cast<std::int64_t>(value)).ptr;
  } else {
    end = std::to_chars(buffer, end, value).ptr;
  }
  out.append(buffer, end);
}

bool is_canonical_number(std::string_view text) {
  if (text.empty() || (text.front() != '-' && (text.front() < '0' || text.front() > '9'))) {
    return false;
  }
  return prints_back_as<std::int64_t>(text) || prints_back_as<std::uint64_t>(text) ||
         prints_back_as<double>(text);
}

void append_json_string(std::string& out, std::string_view text) {
  out += '"';
  while (!text.empty()) {
    std::size_t plain = 0;
    while (plain < text.size() && is_plain(text[plain])) ++plain;
    out += text.substr(0, plain);
    text.remove_prefix(plain);
    if (text.empty()) break;
    if (static_cast<unsigned char>(text.front()) < 0x80) {
      append_escape(out, text.front());
      text.remove_prefix(1);
      continue;
    }
    const std::size_t length = utf8_length(text);
    out += length > 0 ? text.substr(0, length) : std::string_view("\xef\xbf\xbd");
    text.remove_prefix(length > 0 ? length : 1);
  }
  out += '"';
}

}  // namespace forewarp::result
