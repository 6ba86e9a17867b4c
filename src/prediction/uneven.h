// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "model/model.h"
#include "prediction/launch.h"
#include "prediction/trace.h"

namespace forewarp::prediction {

/// What the blocks of a grid come to, over what the typical one does.
struct UnevenBlocks {
  struct Part {
    double blocks = 0;
    double all = 1;      ///< instructions of all warps
    double longest = 1;  ///< instructions of the longest warp
  };
  std::vector<Part> parts;  ///< in the order of the grid, without a few that are far longer
  /// Instructions of the longest warp of LaunchShape::longest_block, over those of the typical
  /// block's; 0: no such block is known.
  double traced_longest = 0;
};

/// Of an executed launch; null: its blocks are alike, or not all are known.
[[nodiscard]] std::shared_ptr<const UnevenBlocks> uneven_blocks(const Launch& launch,
                                                                const Trace& trace);

/// A model's time for a grid of blocks like the typical one, as the same grid of different blocks
/// takes it: longer by as much as the SM with most to do is behind the others. What device memory
/// or L2 decide is shared by all SMs and stays as it is.
void spread_unevenly(const UnevenBlocks& uneven, const ModelInput& input, Prediction& prediction);

}  // namespace forewarp::prediction
