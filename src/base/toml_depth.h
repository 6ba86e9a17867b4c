// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>

namespace forewarp::base {

/// Line, from 1, of a key or table name with more parts than any real file has; 0 if there is none.
/// Each part nests a table, and recursive readers would overflow the stack.
[[nodiscard]] inline std::size_t line_of_deep_key(std::string_view toml) {
  constexpr int most_parts = 64;
  std::size_t line = 1;
  int dots = 0;
  bool value = false;
  for (const char c : toml) {
    if (c == '\n') {
      ++line;
      dots = 0;
      value = false;
    }
    if (c == '=' || c == '#') value = true;
    if (c == '.' && !value && ++dots >= most_parts) return line;
  }
  return 0;
}

}  // namespace forewarp::base
