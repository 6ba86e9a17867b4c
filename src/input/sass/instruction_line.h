// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include "input/sass/kernel_builder.h"

namespace forewarp::input {

/// Kinds of lines that code consists of.
enum class LineKind : std::uint8_t { other, instruction, word, label, source_marker };

[[nodiscard]] LineKind line_kind(std::string_view line);

/// Takes an instruction line (without leading blanks) apart:
/// ["/*" HEX "*/"] ["{"] TEXT (";" | "}") ["/* 0x" HEX "*/"].
[[nodiscard]] InstructionFault split_instruction_line(std::string_view line,
                                                      InstructionLine& parts);

/// "/* 0x001cfc00e22007f6 */"; false when the word is cut off.
[[nodiscard]] bool read_word(std::string_view line, std::uint64_t& word);

/// The name on a label line.
[[nodiscard]] std::string_view label_on_line(std::string_view line);

struct SourceMarker {
  std::string_view file;
  std::uint32_t line = 0;
  bool inlined = false;  ///< further lines name the callers
};
/// //## File "PATH", line 12 [inlined at ..]
[[nodiscard]] bool read_source_marker(std::string_view line, SourceMarker& marker);

}  // namespace forewarp::input
