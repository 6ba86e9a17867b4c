// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "execution/access/access_stream.h"
#include "hardware/gpu.h"
#include "memory/sector_counts.h"

namespace forewarp::memory {

/// Accesses of the longest warp in the median block of the windows. Where most blocks only began,
/// this excludes the few that ran to their end and those that exit at once.
[[nodiscard]] std::size_t beginning(const AccessStreams& streams);

/// Share of a block's accesses that the blocks of the windows made, counting at most `most_of_warp`
/// per warp; below 1 if they only began. `whole`: mean accesses of one block.
[[nodiscard]] double begun_share(const AccessStreams& streams, std::size_t most_of_warp,
                                 double whole);

/// Counts for one sector of a store that no block reached: usually results written at a block's
/// end, each byte once. `lanes` and `sectors`: over the whole grid.
[[nodiscard]] WeightedCounts written_once(const AccessStreams& streams, std::uint32_t instruction,
                                          double lanes, double sectors, const Gpu& gpu);

}  // namespace forewarp::memory
