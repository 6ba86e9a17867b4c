// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "program/instruction.h"
#include "program/memory_space.h"
#include "program/opcode.h"

namespace forewarp::binding {

/// Address space of an access, as the SM's memory interface distinguishes them: none, global,
/// shared, local, other.
using AccessSpace = MemorySpace;

/// Whether it is one of the spaces that hold data.
[[nodiscard]] constexpr bool moves_data(AccessSpace space) {
  return space != AccessSpace::none && space != AccessSpace::other;
}

[[nodiscard]] AccessSpace access_space(InstructionClass instruction_class);
[[nodiscard]] bool is_store_class(InstructionClass instruction_class);
/// Copies by the engine of the SM: rows of bytes (UBLK..) and boxes of arrays (UTMA..).
[[nodiscard]] bool is_bulk_copy(const Instruction& instruction);
/// Stores without reductions: for those, the L2 slice reads and writes by itself.
[[nodiscard]] bool writes_only(InstructionClass instruction_class);

}  // namespace forewarp::binding
