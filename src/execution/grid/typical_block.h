// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <unordered_map>

#include "execution/grid/block_loads.h"

namespace forewarp::execution {

/// A typical block, from the middle of the work: half of all instructions are in blocks that have
/// no more, so blocks that exit at once count for nothing. Among blocks with about as many, those
/// that are most frequent decide, as blocks at the grid's edge differ by a few instructions.
/// `weights`: blocks that an executed one stands for, where these are not 1. 0 where none was
/// executed.
[[nodiscard]] std::uint64_t typical_block(const std::map<std::uint64_t, BlockTotal>& totals,
                                          const std::unordered_map<std::uint64_t, double>& weights);

}  // namespace forewarp::execution
