// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "input/sass/function_index.h"

#include "base/text.h"
#include "input/scan.h"

namespace forewarp::input {

std::string_view function_on_line(std::string_view line) {
  if (take(line, "Function : ")) return trim(line);
  if (take(line, ".section\t.text.") || take(line, ".section .text.")) return take_until(line, ",");
  return {};
}

bool begins_file(std::string_view line) {
  return line.starts_with("code for sm_") || line.starts_with("Fatbin ") ||
         line.starts_with("64bit elf:") || line.starts_with("32bit elf:") ||
         line.starts_with(".headerflags");
}

FunctionIndex::FunctionIndex(LineCursor lines) {
  bool named = true;  // cuobjdump repeats the file's flags below each name
  for (std::string_view line; lines.next(line);) {
    line = skip_blanks(line);
    const std::string_view name = function_on_line(line);
    if (!name.empty()) {
      LineCursor here = lines;
      here.step_back();
      functions_.emplace(name, here);
    } else if (begins_file(line) && !named) {
      return;
    }
    named = !name.empty();
  }
}

std::optional<LineCursor> FunctionIndex::find(std::string_view name) const {
  const auto found = functions_.find(name);
  return found == functions_.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace forewarp::input
