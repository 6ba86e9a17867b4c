// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "program/kernel.h"

namespace forewarp::cli {

/// What `forewarp analyze --instructions` prints of one kernel: a line "# name (sm_61) mangled",
/// then one line per instruction with six columns separated by tabs, '-' for an empty one:
///
///   address   four hexadecimal digits
///   text      as the disassembler prints it, braces of a pair included
///   words     16 hexadecimal digits; from sm_70 low and high word, a blank between
///   defines   "R4..R5 P0 CC"
///   uses      the same, guard first; without the descriptor that the text does not print
///   schedule  stall, yield bit, write barrier, read barrier, wait mask, reuse; before sm_50 the
///             eight-bit field
[[nodiscard]] std::string instructions_as_text(const Kernel& kernel);

}  // namespace forewarp::cli
