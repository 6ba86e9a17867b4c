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

/// Blocks that are replayed in order, starting with empty caches.
struct ReplayWindow {
  std::uint64_t first = 0, counted_from = 0, last = 0;
  std::vector<std::uint64_t> order;  ///< replaces the consecutive blocks; counted from its start
  double stands_for = 0;             ///< blocks of the grid that it represents
};

/// Which blocks are replayed, and on which machine.
struct ReplayPlan {
  ReplayMachine machine;
  std::vector<ReplayWindow> windows;
  bool whole = false;  ///< every block of the grid is replayed
  std::vector<std::string> notes;

  /// Share of a block's accesses that is replayed.
  [[nodiscard]] double begin() const { return machine.begun * machine.access_share; }
  [[nodiscard]] bool sees_all() const { return whole && begin() >= 1; }
};

/// Plans the whole grid if the budget allows, sampling as few lines as that takes; otherwise
/// windows of blocks that are resident together, each after one residency that fills the caches.
/// `pieces`: lines that one block requests, on average.
[[nodiscard]] ReplayPlan plan_replay(const AccessStreams& streams, const BlockSynthesis& synthesis,
                                     const Gpu& gpu, const MemoryOptions& options, double l1_bytes,
                                     double pieces);

}  // namespace forewarp::memory
