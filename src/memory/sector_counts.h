// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace forewarp::memory {

/// Place units of a visit to a line whose neighbour is not visited at the same time.
inline constexpr unsigned lone_place = 16;

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
  /// Visits of device memory to a line for a part of it, in place units, and those that turned out
  /// to move all of it after all: for reads, and for what is written back some time.
  Number read_places = 0, read_joined = 0, write_places = 0, write_joined = 0;
  Number part_lines = 0, part_lines_joined = 0;  ///< lines of the latter two, whatever they weigh
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
    read_places += times * static_cast<Number>(other.read_places);
    read_joined += times * static_cast<Number>(other.read_joined);
    write_places += times * static_cast<Number>(other.write_places);
    write_joined += times * static_cast<Number>(other.write_joined);
    part_lines += times * static_cast<Number>(other.part_lines);
    part_lines_joined += times * static_cast<Number>(other.part_lines_joined);
    lines_past_l1 += times * static_cast<Number>(other.lines_past_l1);
    lines_past_l2 += times * static_cast<Number>(other.lines_past_l2);
  }
  /// Makes hits of a share of what L2 missed.
  void find_in_l2(Number share) {
    l2_hits += share * (l2 - l2_hits);
    for (Number* missed : {&fetched, &read_places, &read_joined, &lines_past_l2})
      *missed *= 1 - share;
  }
};

using SectorCounts = CountsOf<std::uint64_t>;
using WeightedCounts = CountsOf<double>;  ///< weighted by window

}  // namespace forewarp::memory
