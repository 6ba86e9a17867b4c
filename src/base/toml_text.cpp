// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "base/toml_text.h"

namespace forewarp::base {
namespace {

std::string escape_of(unsigned char byte) {
  constexpr std::string_view hexadecimal = "0123456789abcdef";
  return {'\\', 'u', '0', '0', hexadecimal[byte >> 4U], hexadecimal[byte & 0xfU]};
}

}  // namespace

std::string toml_quoted(std::string_view text, ControlCharacters controls) {
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f) {
      out += controls == ControlCharacters::blank ? std::string(1, ' ') : escape_of(byte);
      continue;
    }
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

}  // namespace forewarp::base
