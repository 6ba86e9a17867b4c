// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "program/kernel.h"
#include "program/roles.h"

namespace forewarp::tests {

inline void require(bool holds) {
  if (!holds) std::abort();
}

/// Every kernel that comes out of a reader must be consistent enough to be walked over.
inline void walk(const Kernel& kernel) {
  require(!kernel.instructions.empty());
  std::uint32_t before = 0;
  for (const Instruction& instruction : kernel.instructions) {
    require(&instruction == kernel.instructions.data() || instruction.address > before);
    before = instruction.address;
    require(instruction.text_begin + std::size_t{instruction.text_size} <= kernel.text.size());
    require(instruction.first_operand + std::size_t{instruction.operand_count} <=
            kernel.operands.size());
    for (const Operand& operand : kernel.operands_of(instruction)) {
      require(operand.text_begin + std::size_t{operand.text_size} <= kernel.text.size());
    }
    require(roles_of(kernel, instruction).read_count <= Roles::capacity);
    require(access_bytes(instruction) <= 16);
    require(&kernel.instructions[kernel.index_at(instruction.address)] == &instruction);
  }
}

}  // namespace forewarp::tests
