// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
//
// Worst time of a warp over all ways through the code that control flow and loop bounds allow:
// the longest way through each loop's pass, inner loops first, times the passes. Where the lanes of
// a warp may part, both sides are executed: everything at that level adds up. Each block begins as
// if the slowest arithmetic had just been issued.
#pragma once

#include <span>

#include "analysis/kernel_analysis.h"
#include "base/expected.h"
#include "timing/wcet/warp_timeline.h"

namespace forewarp::timing {

struct FeasibleInput {
  std::span<const double> passes;         ///< by loop: most passes per entry
  std::span<const std::uint8_t> divides;  ///< by block: lanes may leave it on different ways
};

/// Refuses code whose ways cannot be told from the analysis. Regions are the blocks of the code.
Expected<WarpBound> feasible_bound(const WorstKernel& worst, const KernelAnalysis& analysis,
                                   const FeasibleInput& input);

}  // namespace forewarp::timing
