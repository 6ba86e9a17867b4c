// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "base/text_columns.h"

#include <algorithm>

namespace forewarp::base {

std::size_t text_width(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

std::string padded(std::string text, std::size_t width, bool to_the_right) {
  const std::size_t used = text_width(text);
  if (used >= width) return text;
  text.insert(to_the_right ? 0 : text.size(), width - used, ' ');
  return text;
}

}  // namespace forewarp::base
