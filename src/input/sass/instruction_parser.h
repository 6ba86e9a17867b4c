// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "program/kernel.h"

namespace forewarp::input {

/// Why a text is no instruction: what was expected, and its position in the text.
struct InstructionFault {
  const char* expected = nullptr;  ///< null: no fault
  std::size_t at = 0;
};

/// Parses "@P0 IADD3.X R7, RZ, R17, RZ, P0, !PT" (without terminator and comments) into
/// `instruction`; appends its text and operands to `kernel`, whose `sm` must be set. Only text that
/// does not even begin like an instruction is an error; unknown opcodes, modifiers and operands are
/// kept.
[[nodiscard]] InstructionFault parse_instruction(std::string_view text, Kernel& kernel,
                                                 Instruction& instruction);

/// Whether an integer operand of the instruction is a code address in the kernel.
[[nodiscard]] bool takes_target(const Instruction& instruction);

}  // namespace forewarp::input
