// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
//
// Upper bound of a warp's time over all paths that control flow and loop bounds allow: the longest
// path through each loop's body, inner loops first, times its passes. Where the lanes of a warp may
// diverge, both sides are executed: all blocks at that level add up. Each block is taken to begin
// just after the slowest arithmetic has issued.
#pragma once

#include <span>

#include "analysis/kernel_analysis.h"
#include "base/expected.h"
#include "timing/wcet/warp_timeline.h"

namespace forewarp::timing {

struct FeasibleInput {
  std::span<const double> passes;         ///< by loop: the most passes per entry
  std::span<const std::uint8_t> divides;  ///< by block: nonzero where lanes may diverge at its end
};

/// Refuses code whose control flow the analysis cannot follow. Regions are the basic blocks.
Expected<WarpBound> feasible_bound(const WorstKernel& worst, const KernelAnalysis& analysis,
                                   const FeasibleInput& input);

}  // namespace forewarp::timing
