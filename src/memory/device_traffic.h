// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hardware/gpu.h"
#include "memory/memory_profile.h"
#include "memory/sector_counts.h"

namespace forewarp::memory {

/// What goes between L2 and device memory, in sectors and places.
struct DeviceTraffic {
  double fetched = 0, dirtied = 0, read_places = 0, write_places = 0;
  double stored_lines = 0;   ///< accesses that write to L2, by line
  double written_lines = 0;  ///< those that found the line clean and wrote a part of it

  void add(const DeviceTraffic& other);
  /// `sectors`: of the grid, of which `counts` saw some.
  void add(const WeightedCounts& counts, double sectors, bool stores);
};

/// Of the lines of which windows found a part to be written, the share that is written in the end,
/// where the board says which share of L2 `waits` for that: a store to a line that waits costs
/// nothing. At random places those are what waits over all that is written; windows saw a part of
/// that themselves. `gone`: by L2's size, for boards that say nothing.
[[nodiscard]] double written_share(double waits, const DeviceTraffic& by, double gone,
                                   const MemoryProfile& profile, const Gpu& gpu);

/// Lines for a sector that is written: 1 where each is alone in its line.
[[nodiscard]] double lines_of_sectors(const DeviceTraffic& by, const Gpu& gpu);

}  // namespace forewarp::memory
