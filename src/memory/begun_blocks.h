// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "execution/access/access_stream.h"
#include "hardware/gpu.h"
#include "memory/sector_counts.h"

namespace forewarp::memory {

/// Accesses of the longest warp of an ordinary block of the windows: where most blocks only began,
/// the few that ran to their end are no such ones, nor are those that leave at once.
[[nodiscard]] std::size_t beginning(const AccessStreams& streams);

/// Share of a block's accesses that the blocks of the windows made, `most_of_warp` of each warp at
/// most: less where they only began. `whole`: accesses of one block, on average.
[[nodiscard]] double begun_share(const AccessStreams& streams, std::size_t most_of_warp,
                                 double whole);

/// One sector of a store that no block came to: what blocks write at their end, mostly, each byte
/// once. `lanes` and `sectors`: of the whole grid.
[[nodiscard]] WeightedCounts written_once(const AccessStreams& streams, std::uint32_t instruction,
                                          double lanes, double sectors, const Gpu& gpu);

}  // namespace forewarp::memory
