// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "memory/cache_hierarchy.h"

namespace forewarp {

/// Sums of replayed sectors with the weights of their windows.
struct WeightedCounts {
  double sectors = 0, l1_hits = 0, l2 = 0, l2_hits = 0, fetched = 0, dirtied = 0;
  double lines = 0, lines_past_l1 = 0, lines_past_l2 = 0;

  void add(const SectorCounts& counts, double times) {
    sectors += times * static_cast<double>(counts.sectors);
    l1_hits += times * static_cast<double>(counts.l1_hits);
    l2 += times * static_cast<double>(counts.l2);
    l2_hits += times * static_cast<double>(counts.l2_hits);
    fetched += times * static_cast<double>(counts.fetched);
    dirtied += times * static_cast<double>(counts.dirtied);
    lines += times * static_cast<double>(counts.lines);
    lines_past_l1 += times * static_cast<double>(counts.lines_past_l1);
    lines_past_l2 += times * static_cast<double>(counts.lines_past_l2);
  }
  void add(const WeightedCounts& other) {
    sectors += other.sectors;
    l1_hits += other.l1_hits;
    l2 += other.l2;
    l2_hits += other.l2_hits;
    fetched += other.fetched;
    dirtied += other.dirtied;
    lines += other.lines;
    lines_past_l1 += other.lines_past_l1;
    lines_past_l2 += other.lines_past_l2;
  }
};

}  // namespace forewarp
