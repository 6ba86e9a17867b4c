// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "base/toml_text.h"

#include <algorithm>

namespace forewarp::base {
namespace {

std::string escape_of(unsigned char byte) {
  constexpr std::string_view hexadecimal = "0123456789abcdef";
  return {'\\', 'u', '0', '0', hexadecimal[byte >> 4U], hexadecimal[byte & 0xfU]};
}

bool is_control(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte < 0x20 || byte == 0x7f;
}

}  // namespace

std::string toml_quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (is_control(c)) {
      out += escape_of(static_cast<unsigned char>(c));
      continue;
    }
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

std::string toml_readable(std::string_view text) {
  std::string plain(text);
  std::replace_if(plain.begin(), plain.end(), is_control, ' ');
  return toml_quoted(plain);
}

}  // namespace forewarp::base
