// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "execution/access_stream.h"
#include "execution/sampling.h"
#include "hardware/gpu.h"
#include "memory/access_geometry.h"

namespace forewarp {

/// What the busiest stretch of `l2.slice_bytes` has of a grid's traffic; 0: nothing is recorded.
struct HotSlices {
  double turns = 0;    ///< share of the turns of atomics in global memory
  double sectors = 0;  ///< share of the sectors that L1 cannot keep: stores, atomics, .STRONG loads
};

/// From the recorded blocks. A stretch that several of them touch is touched as often by the blocks
/// that lie between them; one that a single block touches is its own.
[[nodiscard]] HotSlices hot_slices(const AccessStreams& streams, const SamplePlan& plan,
                                   AccessGeometry& geometry, const Gpu& gpu);

}  // namespace forewarp
