// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "program/kernel.h"
#include "program/opcode_words.h"

namespace forewarp::execution {

/// A modifier of an instruction's opcode that its translation does not depend on.
struct UnreadModifier {
  std::uint32_t instruction = 0;
  std::string word;  ///< as printed, without the point
};

/// Modifiers without which an instruction would be translated to the same operation, and of which
/// the table beside this code does not say that they change no value. A modifier that nobody knows
/// is found so, too. The first of each opcode and modifier, looked at once for each opcode with all
/// its modifiers; none of instructions that leave no values, or that read them when they run.
[[nodiscard]] std::vector<UnreadModifier> unread_modifiers(const Kernel& kernel);

/// Whether an instruction is translated differently without a modifier.
[[nodiscard]] bool execution_depends_on(const Kernel& kernel, std::uint32_t instruction,
                                        OpcodeWord word);

/// unread_modifiers() as one sentence for a result; empty: there are none.
[[nodiscard]] std::string unread_text(const Kernel& kernel);

}  // namespace forewarp::execution
