// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "execution/access/access_stream.h"
#include "hardware/gpu.h"
#include "memory/ramp_cache.h"
#include "memory/replayed_windows.h"
#include "memory/unique_bytes.h"

namespace forewarp::memory {

/// What lines and sectors windows touched of a buffer, first in each, scaled to the grid, and the
/// whole launch.
struct BufferUses {
  double lines = 0, sectors = 0, written = 0;
  double fetched = 0;                       ///< sectors, for them: a miss may bring in two
  double all_sectors = 0, all_written = 0;  ///< different ones, of the launch
  double most_lines = 0;                    ///< by the buffer's size; 0: not known
};

/// Shares of what windows touch of a buffer first.
struct FirstUseMisses {
  double read = 1;     ///< that L2 does not have after the blocks before the window
  double written = 1;  ///< of what is written: that goes to device memory in the end
};

/// Windows of blocks that were replayed, each from an empty L2.
struct Windows {
  double share = 0;      ///< of the grid, in one of them ..
  double warming = 0;    ///< .. and before its first counted block
  RampCache::Ramp ramp;  ///< of L2, in its size
  double gone = 1;       ///< share of the launch's footprint that is evicted before the next one
};

/// Windows take for missing what earlier blocks left in L2. How much that is follows from how often
/// the launch comes back to the lines of each buffer, taken as at random: Che's approximation of an
/// LRU cache (H. Che, Y. Tung, Z. Wang: Hierarchical web caching systems, IEEE JSAC 20(7), 2002). A
/// stream is never found, but takes room from what is.
[[nodiscard]] std::vector<FirstUseMisses> misses_after_earlier_blocks(
    const std::vector<BufferUses>& uses, const Windows& windows, const Gpu& gpu);

/// The grid that windows are of.
struct WindowedGrid {
  const std::vector<BufferRange>& buffers;
  const std::vector<UniqueBytes>& touched;  ///< by buffer, the last outside of all
  double blocks = 0;
  double begun = 1;    ///< share of each block's accesses that windows saw
  double of_each = 1;  ///< lines that one of the sample stands for
};

/// Makes hits of what earlier blocks left for the windows. Returns the share of what they wrote
/// first, local memory left out, that goes to device memory in the end; nullopt: they wrote
/// nothing.
std::optional<double> find_after_earlier_blocks(Replayed& replayed, const WindowedGrid& grid,
                                                RampCache::Ramp ramp, double gone, const Gpu& gpu);

}  // namespace forewarp::memory
