// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
//
// Which part of a distribution of latencies is which level of memory (Sánchez 2017, section 6.3):
// the boundary of L2 and device memory from a configuration that stays in L2, the L1 window around
// the mode.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/expected.h"
#include "characterise/statistics/pmf.h"

namespace forewarp::characterise {

/// One launch of a sweep: latencies of its loads, and how many sectors missed L2 on average.
struct LoadConfig {
  double blocks = 0, threads_per_block = 0;
  Pmf latency;
  double misses = 0;
  [[nodiscard]] double threads() const { return blocks * threads_per_block; }
};

/// What makes a configuration one that stays in L2, and in which range of threads it is looked for.
struct SplitRule {
  double mean_below = 0;             ///< cycles
  double misses_below = 0;           ///< events
  std::optional<double> threads_to;  ///< none: up to where no configuration fulfils both
};

/// The configuration with the most threads that stays in L2; of several the one with most blocks.
struct LevelBoundary {
  std::size_t chosen = 0;  ///< index of the configuration
  std::int64_t value = 0;  ///< its largest latency: what takes longer came from device memory
  double threads_from = 0, threads_to = 0;  ///< the range that was looked at
};
/// Fails where no configuration stays in L2.
Expected<LevelBoundary> level_boundary(std::span<const LoadConfig> configs, const SplitRule& rule);

/// The parts of one configuration, each scaled to a sum of 1; a part without mass is left out. The
/// shares are the probabilities of the levels.
struct SplitLatency {
  std::optional<PmfPart> l2, memory;
};
[[nodiscard]] SplitLatency split_at(const Pmf& latency, std::int64_t boundary);

/// L1's part of loads that may hit anywhere: around the mode of what is faster than the fastest L2
/// hit of the same blocks and threads, as far to the left as up to that limit.
struct L1Window {
  std::int64_t mode = 0, from = 0, to = 0;
  PmfPart part;
};
Expected<L1Window> l1_window(const Pmf& latency, std::int64_t fastest_l2);

/// The limit where no loads past L1 were measured: the smallest latency of the configurations in
/// which next to none hits L1. Fails where each has more hits than `hits_below`.
struct HitConfig {
  Pmf latency;
  double l1_hits = 0;  ///< events
};
Expected<std::int64_t> fastest_miss(std::span<const HitConfig> configs, double hits_below);

/// Probabilities of the levels of one configuration; they sum to 1.
struct LevelShares {
  double l1 = 0, l2 = 0, memory = 0;
};
[[nodiscard]] LevelShares level_shares(const Pmf& latency, const std::optional<L1Window>& l1,
                                       std::int64_t boundary);

}  // namespace forewarp::characterise
