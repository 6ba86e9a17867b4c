// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "analysis/value_flow.h"

namespace forewarp::analysis {

/// Conditions that hold whenever control arrives at `block` (if it is a loop header: from outside
/// the loop), which are the guards of branches that every path passes. Unresolved; at most `limit`,
/// nearest first.
[[nodiscard]] std::vector<Expression> conditions_at(const FlowFacts& facts, const ValueFlow& values,
                                                    ExpressionPool& pool, BlockId block,
                                                    std::size_t limit = 16);

}  // namespace forewarp::analysis
