// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "execution/access/access_stream.h"
#include "execution/access/block_synthesis.h"
#include "execution/grid/sampling.h"
#include "hardware/gpu.h"
#include "memory/access_geometry.h"
#include "memory/memory_options.h"

namespace forewarp::memory {

/// Share of the grid's turns of atomics in global memory that the busiest stretch of
/// `l2.slice_bytes` has; 0: nothing is recorded. From the recorded blocks. A stretch that several
/// of them touch is touched as often by the blocks that lie between them; one that a single block
/// touches is its own.
[[nodiscard]] double hot_turns(const AccessStreams& streams, const SamplePlan& plan,
                               AccessGeometry& geometry, const Gpu& gpu);

/// By instruction: which share of its sectors lies in the stretch that blocks resident at one time
/// ask for most, of what L1 cannot keep: stores, atomics and loads that pass it by. Mean of a few
/// parts of the grid, as many blocks each as are resident; all 0 where the accesses of one of them
/// are not known.
[[nodiscard]] std::vector<double> busiest_shares(const AccessStreams& streams,
                                                 const BlockSynthesis& synthesis,
                                                 const MemoryOptions& options,
                                                 AccessGeometry& geometry, const Gpu& gpu);

}  // namespace forewarp::memory
