// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "execution/interval_vector.h"
#include "execution/path_profile.h"

namespace forewarp {

/// Vectors that stand for so many warps each, divided into clusters (weighted k-means). The result
/// depends on nothing but the input: the first centre is the mean, every further one the vector
/// that is worst represented.
struct Clusters {
  std::vector<std::uint32_t> of;       ///< by vector: number of its cluster
  std::vector<std::uint32_t> nearest;  ///< by cluster: the vector closest to its centre
};
/// Each feature is measured in units of its weighted mean over all vectors.
[[nodiscard]] Clusters cluster_intervals(std::span<const IntervalVector> vectors,
                                         std::span<const double> warps, std::uint32_t count);

/// A warp that stands for others, with the way that it took.
struct Representative {
  WarpTrace trace;
  double warps = 0;  ///< that it stands for; over all representatives: all warps of the grid
};

struct RepresentativeOptions {
  std::uint32_t most = 6;  ///< representatives
  /// No more than needed to have the instructions of warps this close to those of their
  /// representative: relative, root of the mean square.
  double wanted_deviation = 0.05;
  /// Paths that are compared by their intervals, most frequent first; others by their length only.
  std::uint32_t most_traced = 64;
  std::uint64_t budget = 5'000'000;  ///< warp instructions that may be executed for it
};

/// Warps that took the same path have one representative; where there are many paths, they are
/// clustered. Executes the blocks of the compared warps once more.
Expected<std::vector<Representative>> choose_representatives(
    const Program& program, const ExecutionInput& input, const PathProfile& profile,
    const GridOptions& options, const RepresentativeOptions& wanted = {});

}  // namespace forewarp
