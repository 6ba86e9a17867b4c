// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "program/kernel.h"

namespace forewarp::input {

/// Decodes an instruction that the disassembler printed as two bare words (sm_70 and later): its
/// guard and, for opcodes known by their bits, mnemonic and operands; others keep the words as
/// text. Appends to the kernel's text and operands.
void decode_bare_words(Kernel& kernel, Instruction& instruction);

}  // namespace forewarp::input
