// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <vector>

#include "memory/replay_plan.h"
#include "memory/sector_counts.h"

namespace forewarp::memory {

/// Of one buffer: lines and sectors of the sample that windows touched for the first time, before
/// blocks are counted too, and that L2 fetched for them.
struct WindowFirstUses {
  double lines = 0, sectors = 0, written = 0, fetched = 0;
  std::map<std::uint32_t, double> fetched_by;  ///< instruction, weighted: of counted blocks
};

/// Sums over the replays of all windows.
struct Replayed {
  std::vector<WeightedCounts> instructions;
  std::vector<bool> ran;  ///< by instruction: whether it occurred in a window
  WeightedCounts all;
  std::array<WeightedCounts, 2> halves;
  double unsure = 0;
  /// By buffer, of windows whose first uses may be a reuse on the GPU; empty if not asked for.
  std::vector<WindowFirstUses> first;
  double first_windows = 0;   ///< how many those are
  double first_blocks = 0;    ///< their blocks, ..
  double warming_blocks = 0;  ///< .. of which so many are before the counted ones
  double blocks = 0;
  double left_dirty = 0;        ///< sectors; for a whole grid only
  LineSet touched;              ///< lines of the sample, of all windows
  LineSet touched_first;        ///< of the first windows, or of the first blocks of the only one
  double requests = 0;          ///< how many touched the former
  double first_requests = 0;    ///< .. and the latter
  double local_bytes = 0;       ///< of local memory, in the window that touched most of it
  std::vector<double> fetched;  ///< by window: sectors that L2 fetches per sector accessed
};

/// What is replayed, on which board.
struct Replayable {
  const AccessStreams& streams;
  const BlockSynthesis& synthesis;
  AccessGeometry& geometry;
  const Gpu& gpu;
};

/// `warm`: the same launch ran before.
[[nodiscard]] Replayed replay_windows(const Replayable& grid, const ReplayPlan& plan, bool warm);

}  // namespace forewarp::memory
