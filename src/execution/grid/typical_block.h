// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "execution/grid/path_profile.h"
#include "execution/grid/warp_trace.h"

namespace forewarp::execution {

/// A typical block, from the middle of the work: half of all instructions are in warps that are no
/// longer, so blocks that exit at once count for nothing. Among warps of about that length, the
/// largest group decides, as blocks at the grid's edge differ by a few instructions.
[[nodiscard]] std::uint64_t typical_block(const PathProfile& paths);

[[nodiscard]] std::uint64_t instructions_of(const std::vector<WarpTrace>& block);

/// Whether a block does about as much as the mean one: the first block with warps of the typical
/// length may have idle ones beside them, at the grid's edge.
[[nodiscard]] bool stands_for(const std::vector<WarpTrace>& block, const PathProfile& paths);

/// Whether a block has as long warps as another and does more nearly what the mean one does;
/// anything is more typical than no block.
[[nodiscard]] bool more_typical(const std::vector<WarpTrace>& block,
                                const std::vector<WarpTrace>& than, const PathProfile& paths);

}  // namespace forewarp::execution
