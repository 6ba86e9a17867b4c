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

/// Share of the grid's global atomic turns that falls on the busiest stretch of `l2.slice_bytes`; 0
/// if nothing is recorded. Estimated from the recorded blocks: a stretch touched by several of them
/// is touched equally by the blocks between them; one touched by a single block belongs to it.
/// `lines`: that a request touches on average; the more, the fewer are examined.
[[nodiscard]] double hot_turns(const AccessStreams& streams, const SamplePlan& plan, double lines,
                               AccessGeometry& geometry, const Gpu& gpu);

/// By instruction: the share of its sectors in the stretch of L2 that concurrently resident blocks
/// access most, counting what L1 cannot keep: stores, atomics and loads that bypass it. Mean over a
/// few windows of as many blocks as are resident; all 0 if the accesses of one of them are unknown.
[[nodiscard]] std::vector<double> busiest_shares(const AccessStreams& streams,
                                                 const BlockSynthesis& synthesis,
                                                 const MemoryOptions& options, double lines,
                                                 AccessGeometry& geometry, const Gpu& gpu);

}  // namespace forewarp::memory
