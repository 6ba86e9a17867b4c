// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "binding/path.h"
#include "timing/machine/stream.h"
#include "timing/units/block_supply.h"

namespace forewarp::timing {

/// What the warps of a block execute, with fewer passes of outermost loops where asked.
struct BlockWork {
  /// Outermost loops make `share` of their passes, but at least `least` if they have so many.
  BlockWork(std::span<const WarpPath> paths, std::uint32_t warps, double share, double least);

  BlockWork(const BlockWork&) = delete;
  BlockWork& operator=(const BlockWork&) = delete;

  std::vector<Stream> streams;
  std::vector<BlockPlan> plans;  ///< of consecutive blocks; repeated from the first
  double instructions = 0;       ///< warp instructions per block, mean over the plans

  [[nodiscard]] std::vector<const BlockPlan*> kinds() const {
    std::vector<const BlockPlan*> all;
    for (const BlockPlan& plan : plans) all.push_back(&plan);
    return all;
  }
};

}  // namespace forewarp::timing
