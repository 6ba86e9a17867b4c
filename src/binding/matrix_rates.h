// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hardware/gpu.h"
#include "program/kernel.h"

namespace forewarp::binding {

/// What one matrix instruction takes of an SM's tensor units.
struct MatrixUse {
  double cycles = 0;   ///< per SM; 0: its shape or the rate of its kind is unknown
  double latency = 0;  ///< beyond that of the class
};

/// products / rate: rows x columns x depth of the shape that the instruction names, of a warp, over
/// the dense products per clock of its kind (gpu file: `tensor`). A sparse shape names twice the
/// depth that is multiplied. Sums of 32 bits have `tensor.wide_sum_share` of the rate, instructions
/// of one warp `tensor.warp_share` of that of four warps together.
[[nodiscard]] MatrixUse matrix_use(const Kernel& kernel, const Instruction& instruction,
                                   const Gpu& gpu);

}  // namespace forewarp::binding
