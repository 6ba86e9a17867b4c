// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "binding/demand.h"
#include "program/kernel.h"

namespace forewarp::binding {

/// Adds what instruction `index` computes: its kind of arithmetic, its operations by format, and
/// whether it needs the result of its predecessor (instructions from `first` on run in sequence).
/// Lanes are those of thread_instructions. A multiply-add is two operations. Matrix shapes come
/// from the modifiers (16816: 16 x 8 x 16); without one, no operations are counted.
void count_operations(const Kernel& kernel, std::size_t first, std::size_t index, Demand& demand);

/// Whether four warps execute a matrix instruction together, each of them issuing it.
[[nodiscard]] bool of_warpgroup(const Instruction& instruction);

/// Whether instructions of this class multiply matrices.
[[nodiscard]] bool multiplies_matrices(InstructionClass instruction_class);

/// Whether any instruction of the kernel does.
[[nodiscard]] bool multiplies_matrices(const Kernel& kernel);

/// Bytes that the share of one warp in a warp group's product reads from shared memory: rows of 32
/// bytes of B, and of A where that is not in registers.
[[nodiscard]] double matrix_operand_bytes(const Kernel& kernel, const Instruction& instruction);

/// Operations of one warp's matrix instruction: twice the product of its shape, or a quarter of
/// that if four warps share it; 0: unknown shape.
[[nodiscard]] double matrix_operations(const Kernel& kernel, const Instruction& instruction);

}  // namespace forewarp::binding
