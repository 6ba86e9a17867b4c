// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/cache/memory_cache.h"
#include "base/expected.h"
#include "execution/access/access_run.h"
#include "execution/grid/profile_run.h"
#include "execution/grid/warp_trace.h"
#include "prediction/execution_launch.h"
#include "prediction/launch.h"
#include "prediction/long_blocks.h"
#include "request/predict_options.h"
#include "request/tables/work_budget.h"

namespace forewarp::prediction {

/// The results of executing a launch that do not depend on the GPU.
struct LaunchProfile {
  ExecutedProfile executed;
  std::vector<std::string> zeroed;       ///< module variables that were not given: taken as zero
  std::vector<std::string> unsized;      ///< module variables of unknown size and content
  std::vector<std::string> ordinary;     ///< buffers that are taken to hold ordinary numbers
  std::uint64_t spent_instructions = 0;  ///< warp instructions executed for all of this
  std::vector<WarpTrace> typical;        ///< the warps of a typical block, in order
  LongBlocks longest;
};

/// Up to so many warp instructions, `forewarp profile` executes the whole grid unless --sample or
/// --budget say otherwise: about a second.
inline constexpr std::uint64_t profile_budget = 40'000'000;

/// An execution that is ready to begin.
struct PlannedExecution {
  ExecutionLaunch launch;
  ProfileOptions options;
  std::string key;  ///< everything that it depends on, as bytes: equal keys, equal profiles
};

/// Fails as execution_launch().
Expected<PlannedExecution> plan_execution(const Launch& launch, const PredictOptions& options,
                                          const ExecutionBudget& budget);

/// Executes it, or returns what an earlier call made: the same launch on another GPU, clock or
/// cache size is not executed again.
Expected<std::shared_ptr<const LaunchProfile>> executed(const LoadedKernel& code,
                                                        const PlannedExecution& planned,
                                                        MemoryCache& cache);

/// Bytes of memory that it takes, for the cache.
[[nodiscard]] std::size_t kept_bytes(const LaunchProfile& profile);

}  // namespace forewarp::prediction
