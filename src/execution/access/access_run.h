// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "execution/access/access_sink.h"
#include "execution/grid/profile_run.h"

namespace forewarp::execution {

/// Everything that one execution of a kernel gives: hardware-free, for any number of GPUs.
struct ExecutedProfile {
  SamplePlan plan;
  PathProfile paths;
  AccessStreams accesses;
  /// Warp instructions of everything that was executed for it, but for the first look at a block.
  std::uint64_t spent_instructions = 0;
};

/// Chooses blocks, executes them and records paths and accesses; where the accesses of a block do
/// not follow from its index, also windows of consecutive blocks.
Expected<ExecutedProfile> execute_profile(const Program& program, const ExecutionInput& input,
                                          const ProfileOptions& options = {},
                                          const AccessLimits& limits = {});

/// Runs of consecutive blocks, evenly spread over the grid: blocks that are resident together.
/// `blocks` of them at most in all.
[[nodiscard]] std::vector<std::uint64_t> window_blocks(const Extent& grid, std::uint64_t blocks);

}  // namespace forewarp::execution
