// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "execution/access/access_sink.h"
#include "execution/grid/profile_run.h"
#include "execution/grid/warp_trace.h"

namespace forewarp::execution {

/// All results of one execution of a kernel: independent of the GPU, usable for any number of GPUs.
struct ExecutedProfile {
  SamplePlan plan;
  PathProfile paths;
  AccessStreams accesses;
  /// Warp instructions of all executions made for it, except for the pilot block.
  std::uint64_t spent_instructions = 0;
  std::vector<WarpTrace> traced;  ///< warps of the only block of the plan; empty: it has several
};

/// Chooses blocks, executes them and records paths and accesses. If a block's accesses do not
/// follow from its index, executes windows of consecutive blocks too.
Expected<ExecutedProfile> execute_profile(const Program& program, const ExecutionInput& input,
                                          const ProfileOptions& options = {},
                                          const AccessLimits& limits = {});

/// Runs of consecutive blocks, spread evenly over the grid, to stand for blocks that are resident
/// together; at most `blocks` blocks in all.
[[nodiscard]] std::vector<std::uint64_t> window_blocks(const Extent& grid, std::uint64_t blocks);

}  // namespace forewarp::execution
