// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "execution/grid/block_kinds.h"

namespace forewarp::execution {

/// What one executed block came to, in warp instructions.
struct BlockTotal {
  std::uint64_t all = 0;      ///< of its warps together
  std::uint64_t longest = 0;  ///< of the warp that executed most
};

/// Consecutive blocks of a grid that come to the same, or of which one stands for its neighbours.
struct BlockLoad {
  std::uint64_t blocks = 0;
  double all = 0, longest = 0;  ///< of each, as in BlockTotal
};

/// Where more blocks than this differ from the one before, every second, third .. block stands for
/// its neighbours.
inline constexpr std::uint64_t most_loads = 8192;

/// The blocks of a grid of which every block was executed, in their order; empty: all are alike.
/// `totals`: by the block's linear number.
[[nodiscard]] std::vector<BlockLoad> loads_of_all(
    const std::map<std::uint64_t, BlockTotal>& totals);

/// The same from places whose work is known and which represent the blocks around them. Empty also
/// where the work of a place is unknown.
[[nodiscard]] std::vector<BlockLoad> loads_of_places(std::span<const BlockPlace> places);

}  // namespace forewarp::execution
