// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "execution/access/access_stream.h"
#include "execution/access/block_synthesis.h"
#include "hardware/gpu.h"
#include "memory/memory_options.h"
#include "memory/replay.h"

namespace forewarp::memory {

/// Blocks that are replayed one after the other on caches that are empty at first.
struct ReplayWindow {
  std::uint64_t first = 0, counted_from = 0, last = 0;
  std::vector<std::uint64_t> order;  ///< instead of consecutive blocks, counted from the start on
  double stands_for = 0;             ///< blocks of the grid
};

/// Which blocks the caches see, on which machine.
struct ReplayPlan {
  ReplayMachine machine;
  std::vector<ReplayWindow> windows;
  bool whole = false;  ///< every block of the grid
  std::vector<std::string> notes;
};

/// The whole grid where the budget allows, with as few lines as it takes; else windows of blocks
/// that are resident together, each after one residency that fills the caches. `pieces`: lines that
/// one block asks for, on average.
[[nodiscard]] ReplayPlan plan_replay(const AccessStreams& streams, const BlockSynthesis& synthesis,
                                     const Gpu& gpu, const MemoryOptions& options, double l1_bytes,
                                     double pieces);

}  // namespace forewarp::memory
