// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/expected.h"
#include "execution/access/access_run.h"
#include "execution/grid/warp_trace.h"
#include "launch/launch_draft.h"
#include "launch/loaded_kernel.h"
#include "request/predict_options.h"
#include "request/tables/work_budget.h"

namespace forewarp::launch {

/// Blocks that take far longer than the typical one; there are few, or they would be typical.
struct LongBlocks {
  double blocks = 0;             ///< how many there are; 0: none
  std::uint64_t block = 0;       ///< one of the longest
  std::vector<WarpTrace> warps;  ///< its warps; empty: it is too long to be executed
};

/// The results of executing a launch that do not depend on the GPU.
struct LaunchProfile {
  ExecutedProfile executed;
  std::vector<std::string> zeroed;       ///< module variables that were not given: taken as zero
  std::vector<std::string> unsized;      ///< module variables of unknown size and content
  std::uint64_t spent_instructions = 0;  ///< warp instructions executed for all of this
  std::vector<WarpTrace> typical;        ///< the warps of a typical block, in order
  LongBlocks longest;
};

/// Up to so many warp instructions, `forewarp profile` executes the whole grid unless --sample or
/// --budget say otherwise: about a second.
inline constexpr std::uint64_t profile_budget = 40'000'000;

/// Everything that the execution of a launch depends on, as bytes: equal keys, equal profiles.
Expected<std::string> execution_key(const LoadedKernel& loaded, const LaunchDraft& draft,
                                    const PredictOptions& options, std::uint32_t most_shared,
                                    const ExecutionBudget& budget);

/// Executed profiles by content: the same launch on another GPU, clock or cache size is not
/// executed again. Thread safe.
class ProfileStore {
 public:
  /// Executes the kernel under this launch, or returns the profile of an earlier call.
  Expected<std::shared_ptr<const LaunchProfile>> profile(const LoadedKernel& loaded,
                                                         const LaunchDraft& draft,
                                                         const PredictOptions& options,
                                                         std::uint32_t most_shared,
                                                         const ExecutionBudget& budget);

 private:
  using Entry = Expected<std::shared_ptr<const LaunchProfile>>;

  std::mutex mutex_;
  std::map<std::string, Entry> profiles_;
};

}  // namespace forewarp::launch
