// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hardware/gpu.h"

namespace forewarp::hardware {

/// The share of the clock that is set at which a board runs kernels with matrix instructions; 1
/// where none is known. Fact "tensor.clock_share".
[[nodiscard]] inline double matrix_clock_share(const Gpu& gpu) {
  const double share = gpu.number("tensor.clock_share");
  return share > 0 ? share : 1;
}

/// Energy in pJ of one operation of a matrix instruction, two for a multiply-add; 0: unknown. Fact
/// "energy.matrix_operation".
[[nodiscard]] inline double matrix_operation_energy(const Gpu& gpu) {
  return gpu.number("energy.matrix_operation");
}

}  // namespace forewarp::hardware
