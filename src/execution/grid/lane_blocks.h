// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "execution/lowering/program.h"
#include "execution/warp/block.h"

namespace forewarp::execution {

/// A control slice whose threads all do the same, since nothing of a thread decides: one warp runs
/// as many blocks as it has lanes.
struct LaneBlocks {
  Program program;
  std::uint32_t index_cells = 0;  ///< blockIdx of each lane: three, behind all others

  /// Starts up to as many blocks as there are lanes.
  void start(Block& warp, Environment& environment, std::span<const std::uint64_t> blocks) const;
};

/// nullopt: what a thread is, other lanes, or memory that threads share has a say in the slice.
[[nodiscard]] std::optional<LaneBlocks> lane_blocks(const Program& slice);

}  // namespace forewarp::execution
