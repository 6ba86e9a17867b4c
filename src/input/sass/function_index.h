// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>

#include "input/sass/line_cursor.h"

namespace forewarp::input {

/// The name in a line that begins a function's code, "Function : NAME" or ".section .text.NAME,..",
/// without its leading blanks; empty: it is none.
[[nodiscard]] std::string_view function_on_line(std::string_view line);
/// Whether a line, without its leading blanks, begins another compiled file of a listing.
[[nodiscard]] bool begins_file(std::string_view line);

/// Where the functions of one compiled file are in its listing. The text must outlive it.
class FunctionIndex {
 public:
  /// Reads from the cursor's next line, which may begin the file, to where another file begins.
  explicit FunctionIndex(LineCursor lines);

  /// A cursor whose next line names the function; nullopt: the file does not show its code.
  [[nodiscard]] std::optional<LineCursor> find(std::string_view name) const;

 private:
  std::unordered_map<std::string_view, LineCursor> functions_;
};

}  // namespace forewarp::input
