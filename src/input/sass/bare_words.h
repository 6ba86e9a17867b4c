// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "program/kernel.h"

namespace forewarp::input {

/// Gives an instruction that the disassembler printed as two bare words (sm_70 and later) its guard
/// and, for the opcodes known by their bits, its mnemonic and operands; others keep the words as
/// their text. Appends to the kernel's text and operands.
void decode_bare_words(Kernel& kernel, Instruction& instruction);

}  // namespace forewarp::input
