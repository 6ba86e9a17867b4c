// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "program/kernel.h"

namespace forewarp::program {

/// Number of consecutive registers for each register operand of an instruction. Sources are
/// numbered among the operands that are neither destinations nor predicates; memory operands count.
struct Widths {
  std::uint8_t destination = 1;
  std::array<std::uint8_t, 4> source{1, 1, 1, 1};
};

[[nodiscard]] Widths widths_of(const Kernel& kernel, const Instruction& instruction);

/// Registers that a memory instruction moves (1, 2 or 4), by .64 and .128; for atomics by type.
[[nodiscard]] std::uint8_t data_registers(const Instruction& instruction);

}  // namespace forewarp::program
