// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/expression.h"

namespace forewarp {

/// How a condition's truth varies over the threads of a block.
enum class ThreadDependence : std::uint8_t {
  none,        ///< the same for all of them
  half_space,  ///< one linear inequality in threadIdx: decided for all where the corners agree
  general,
};

[[nodiscard]] ThreadDependence thread_dependence(const ExpressionPool& pool, Expression condition);

/// Byte ranges (offset, size) of the argument block that an expression mentions.
void collect_parameters(const ExpressionPool& pool, Expression e,
                        std::vector<std::pair<std::uint32_t, std::uint32_t>>& ranges);

}  // namespace forewarp
