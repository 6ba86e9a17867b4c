// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
//
// Worst time of one block alone on an SM from the bounds of its warps:
// - a warp's slot may be taken by the others of its scheduler, at its start and after everything
//   that takes longer than arithmetic: 2 cycles for each of them;
// - what a warp does in the units that all share may wait once for everything that the others do
//   there, in whatever order they come;
// - between barriers the slowest warp counts. Where warps do not pass the same regions equally
//   often, one after the other is what is sure.
#pragma once

#include <vector>

#include "timing/wcet/warp_timeline.h"

namespace forewarp::timing {

struct BlockBound {
  double cycles = 0;
  double interference = 0;  ///< of `cycles`: warps in each other's way
  std::array<double, static_cast<std::size_t>(Component::count_)> components{};
  std::map<RegionKey, RegionTime> regions;  ///< of the warp that takes longest there
};

/// `aligned`: the warps' regions are those of one way each, not of all ways together.
[[nodiscard]] BlockBound block_bound(const std::vector<WarpBound>& warps, const WorstRules& rules,
                                     bool aligned);

}  // namespace forewarp::timing
