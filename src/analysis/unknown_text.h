// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "analysis/expression.h"

namespace forewarp::analysis {

struct FlowFacts;

/// Describes the first unknown part of `e`, such as "a value loaded at 0x0140 (LDG.E R0, [R2])";
/// empty if all of it is known.
[[nodiscard]] std::string unknown_text(const FlowFacts& facts, const ExpressionPool& pool,
                                       Expression e);

}  // namespace forewarp::analysis
