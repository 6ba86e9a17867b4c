// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "analysis/expression.h"
#include "program/kernel.h"

namespace forewarp::analysis {

/// An expression as source code would have it: "n - 1", "max(1, a)", "(n + 255)/256". Parameters by
/// name, or arg0, arg1 ..; launch extents as in the source (blockDim.x); k0, k1 .. for the
/// iterations of loop 0, 1 ..; ?0x0140 for an unknown result of the instruction there. Extensions
/// from 32 to 64 bits are not printed.
[[nodiscard]] std::string expression_text(const Kernel& kernel, const ExpressionPool& pool,
                                          Expression e);

/// The name of a parameter, or "arg" and its index if it has none.
[[nodiscard]] std::string parameter_name(const Kernel& kernel, std::size_t index);

}  // namespace forewarp::analysis
