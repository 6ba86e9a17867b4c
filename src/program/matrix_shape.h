// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "program/kernel.h"

namespace forewarp::program {

/// Of a product of matrices: rows x depth times depth x columns.
struct MatrixShape {
  std::uint32_t rows = 0;
  std::uint32_t columns = 0;
  std::uint32_t depth = 0;  ///< products that one sum adds
};

/// The shape that a matrix instruction names: "16816" (rows are 8 or 16, columns 8), "8x8x4",
/// "64x128x16". Nothing if it names none.
[[nodiscard]] std::optional<MatrixShape> matrix_shape(const Kernel& kernel,
                                                      const Instruction& instruction);

}  // namespace forewarp::program
