// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace forewarp::memory {

/// What happened to the sectors of replayed accesses.
template <class Number>
struct CountsOf {
  Number sectors = 0;
  Number l1_hits = 0;
  Number l2 = 0;  ///< that went to L2
  Number l2_hits = 0;
  Number fetched = 0;  ///< by L2, from device memory
  Number dirtied = 0;  ///< sectors of L2 that were clean before
  Number lines = 0;    ///< accesses, counted per line
  /// Lines with a sector that missed, or that another access of the same turn and SM had requested:
  /// warps of one SM advance together, those of different SMs drift apart.
  Number lines_past_l1 = 0, lines_past_l2 = 0;

  template <class Other>
  void add(const CountsOf<Other>& other, Number times = 1) {
    sectors += times * static_cast<Number>(other.sectors);
    l1_hits += times * static_cast<Number>(other.l1_hits);
    l2 += times * static_cast<Number>(other.l2);
    l2_hits += times * static_cast<Number>(other.l2_hits);
    fetched += times * static_cast<Number>(other.fetched);
    dirtied += times * static_cast<Number>(other.dirtied);
    lines += times * static_cast<Number>(other.lines);
    lines_past_l1 += times * static_cast<Number>(other.lines_past_l1);
    lines_past_l2 += times * static_cast<Number>(other.lines_past_l2);
  }
};

using SectorCounts = CountsOf<std::uint64_t>;
using WeightedCounts = CountsOf<double>;  ///< weighted by window

}  // namespace forewarp::memory
