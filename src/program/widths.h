// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "program/kernel.h"

namespace forewarp::program {

/// How many consecutive registers each register operand of one instruction stands for. Sources are
/// numbered by their place among the operands that are neither destinations nor predicates, memory
/// operands included.
struct Widths {
  std::uint8_t destination = 1;
  std::array<std::uint8_t, 4> source{1, 1, 1, 1};
};

[[nodiscard]] Widths widths_of(const Kernel& kernel, const Instruction& instruction);

/// 1, 2 or 4: registers that a memory instruction moves, by its .64 and .128; atomics by their
/// type.
[[nodiscard]] std::uint8_t data_registers(const Instruction& instruction);

}  // namespace forewarp::program
