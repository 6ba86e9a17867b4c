// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace forewarp::input {

/// From an address of a function on, its instructions come from this line.
struct LineRow {
  std::uint64_t address = 0;
  std::string file;
  std::uint32_t line = 0;
};

/// The rows of .debug_line by mangled function, by address; of several at one address the last.
/// Empty where a cubin has none, or damaged ones: lines are shown, nothing depends on them.
[[nodiscard]] std::map<std::string, std::vector<LineRow>, std::less<>> line_table(
    std::string_view cubin);

}  // namespace forewarp::input
