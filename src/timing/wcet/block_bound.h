// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
//
// Upper bound of the time of one block alone on an SM, from the bounds of its warps:
// - at its start, and after each instruction that takes longer than arithmetic, a warp may find its
//   issue slot taken by the other warps of its scheduler: 2 cycles for each of them;
// - what a warp does in units that all warps share may wait once for everything that the others do
//   there, whatever their order;
// - between barriers the slowest warp counts. Where warps do not pass through the same regions
//   equally often, only the sum over all warps is a safe bound.
#pragma once

#include <vector>

#include "timing/wcet/warp_timeline.h"

namespace forewarp::timing {

struct BlockBound {
  double cycles = 0;
  double interference = 0;  ///< the part of `cycles` in which warps are in each other's way
  std::array<double, static_cast<std::size_t>(Component::count_)> components{};
  std::map<RegionKey, RegionTime> regions;  ///< by region, of the warp that takes longest there
};

/// `aligned`: each warp's regions are those of one path, not of all possible paths together.
[[nodiscard]] BlockBound block_bound(const std::vector<WarpBound>& warps, const WorstRules& rules,
                                     bool aligned);

}  // namespace forewarp::timing
