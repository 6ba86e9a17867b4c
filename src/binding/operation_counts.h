// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "binding/demand.h"
#include "program/kernel.h"

namespace forewarp::binding {

/// Adds what instruction `index` calculates: its arithmetic kind, its operations by format, and
/// whether it needs the result of the one just before (from `first` on they run one after another).
/// Lanes are demand's thread_instructions. A multiply-add is two operations. Matrix shapes are read
/// off the modifiers (16816: 16 x 8 x 16); one that shows none counts no operations.
void count_operations(const Kernel& kernel, std::size_t first, std::size_t index, Demand& demand);

/// Whether four warps together execute a matrix instruction, each of them issuing it.
[[nodiscard]] bool of_warpgroup(const Instruction& instruction);

/// Operations of one warp's matrix instruction: twice the product of its shape, or its quarter of
/// that where four warps share it; 0: none shown.
[[nodiscard]] double matrix_operations(const Kernel& kernel, const Instruction& instruction);

}  // namespace forewarp::binding
