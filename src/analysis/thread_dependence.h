// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/expression.h"

namespace forewarp::analysis {

/// How a condition's truth varies over the threads of a block.
enum class ThreadDependence : std::uint8_t {
  none,        ///< the same for all of them
  half_space,  ///< one linear inequality in threadIdx: decided for all where the corners agree
  general,
};

/// Whose index: threadIdx and the lane, or blockIdx.
enum class IndexKind : std::uint8_t { thread, block };

[[nodiscard]] bool mentions(const ExpressionPool& pool, Expression e, IndexKind index);

/// Linear in that index, with coefficients that it does not change. Index arithmetic is taken not
/// to wrap, so extensions to 64 bits do not matter.
[[nodiscard]] bool linear(const ExpressionPool& pool, Expression e, IndexKind index);

/// Only growing or only falling with each coordinate of that index: linear, or such a number
/// divided by a constant, which nothing else of it changes.
[[nodiscard]] bool monotone(const ExpressionPool& pool, Expression e, IndexKind index);

[[nodiscard]] ThreadDependence thread_dependence(const ExpressionPool& pool, Expression condition);

/// Byte ranges (offset, size) of the argument block that an expression mentions.
void collect_parameters(const ExpressionPool& pool, Expression e,
                        std::vector<std::pair<std::uint32_t, std::uint32_t>>& ranges);

}  // namespace forewarp::analysis
