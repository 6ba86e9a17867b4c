// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/expression.h"

namespace forewarp::analysis {

/// How a condition's truth varies over the threads of a block.
enum class ThreadDependence : std::uint8_t {
  none,  ///< the same for all of them
  /// One linear inequality in threadIdx: where a block's corners agree, all its threads do.
  half_space,
  general,
};

/// The kind of index: threadIdx and the lane, or blockIdx.
enum class IndexKind : std::uint8_t { thread, block };

[[nodiscard]] bool mentions(const ExpressionPool& pool, Expression e, IndexKind index);

/// Whether `e` is linear in that index, with coefficients that do not depend on it. Index
/// arithmetic is assumed not to wrap, so extensions to 64 bits do not matter.
[[nodiscard]] bool linear(const ExpressionPool& pool, Expression e, IndexKind index);

/// Whether `e` is monotone in each coordinate of that index: linear, or a linear expression divided
/// by a constant with no other use of the index.
[[nodiscard]] bool monotone(const ExpressionPool& pool, Expression e, IndexKind index);

[[nodiscard]] ThreadDependence thread_dependence(const ExpressionPool& pool, Expression condition);

/// Byte ranges (offset, size) of the argument block that occur in an expression.
void collect_parameters(const ExpressionPool& pool, Expression e,
                        std::vector<std::pair<std::uint32_t, std::uint32_t>>& ranges);

}  // namespace forewarp::analysis
