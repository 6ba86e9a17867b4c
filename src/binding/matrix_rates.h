// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hardware/gpu.h"
#include "program/kernel.h"

namespace forewarp::binding {

/// How long one matrix instruction occupies an SM's tensor units.
struct MatrixUse {
  double cycles = 0;   ///< per SM; 0: its shape, or the rate for its kind, is unknown
  double latency = 0;  ///< in addition to that of the class
};

/// products / rate: rows x columns x depth of the warp's shape, as named by the instruction, over
/// the dense products per clock of its kind (gpu file: `tensor`). A sparse shape names twice the
/// depth that is multiplied. 32-bit sums run at `tensor.wide_sum_share` of the rate, instructions
/// of a single warp at `tensor.warp_share` of that of four warps together.
[[nodiscard]] MatrixUse matrix_use(const Kernel& kernel, const Instruction& instruction,
                                   const Gpu& gpu);

}  // namespace forewarp::binding
