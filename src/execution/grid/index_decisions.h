// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "execution/lowering/program.h"

namespace forewarp::execution {

/// Whether the control of a slice (see control_slice()) depends on arguments, on threadIdx and on
/// sums of multiples of blockIdx alone: decided_kinds() then tells all blocks apart. Bits,
/// quotients and products of the block's index, and what is read from memory, are beyond it.
[[nodiscard]] bool follows_linear_index(const Program& slice);

}  // namespace forewarp::execution
