// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "characterise/files/quoted.h"

namespace forewarp::characterise {

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') out += '\\';
    out += code < 0x20 || code == 0x7f ? ' ' : c;
  }
  return out + '"';
}

}  // namespace forewarp::characterise
