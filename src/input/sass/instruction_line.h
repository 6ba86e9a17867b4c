// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include "input/sass/kernel_builder.h"

namespace forewarp::input {

/// Kinds of lines in code.
enum class LineKind : std::uint8_t { other, instruction, word, label, source_marker };

[[nodiscard]] LineKind line_kind(std::string_view line);

/// Splits an instruction line (without leading blanks):
/// ["/*" HEX "*/"] ["{"] TEXT (";" | "}") ["/* 0x" HEX "*/"].
[[nodiscard]] InstructionFault split_instruction_line(std::string_view line,
                                                      InstructionLine& parts);

/// Reads "/* 0x001cfc00e22007f6 */"; false if the word is cut off.
[[nodiscard]] bool read_word(std::string_view line, std::uint64_t& word);

/// The name in a label line.
[[nodiscard]] std::string_view label_on_line(std::string_view line);

struct SourceMarker {
  std::string_view file;
  std::uint32_t line = 0;
  bool inlined = false;  ///< the next lines name its callers
};
/// Reads //## File "PATH", line 12 [inlined at ..]
[[nodiscard]] bool read_source_marker(std::string_view line, SourceMarker& marker);

}  // namespace forewarp::input
