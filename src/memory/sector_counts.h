// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace forewarp::memory {

/// What became of the sectors of replayed accesses.
template <class Number>
struct CountsOf {
  Number sectors = 0;
  Number l1_hits = 0;
  Number l2 = 0;  ///< that went on to L2
  Number l2_hits = 0;
  Number fetched = 0;  ///< by L2 from device memory
  Number dirtied = 0;  ///< sectors of L2 that had been clean
  Number lines = 0;    ///< accesses of one line each
  /// With a sector that was not there, or that another access of the same turn and SM had sent for:
  /// warps of one SM go along together, those of different ones drift apart.
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
using WeightedCounts = CountsOf<double>;  ///< with the weights of their windows

}  // namespace forewarp::memory
