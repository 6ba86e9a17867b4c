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

/// Blocks that take far longer than the typical one: few, or they would be typical.
struct LongBlocks {
  double blocks = 0;             ///< how many there are; 0: none
  std::uint64_t block = 0;       ///< one of the longest
  std::vector<WarpTrace> warps;  ///< its warps; none: it is too long to be executed
};

/// What one execution of a launch gives, whatever GPU it is for.
struct LaunchProfile {
  ExecutedProfile executed;
  std::vector<std::string> zeroed;       ///< module variables that nobody gave: zero
  std::vector<std::string> unsized;      ///< module variables of unknown size and content
  std::uint64_t spent_instructions = 0;  ///< warp instructions that were executed for all of this
  std::vector<WarpTrace> typical;  ///< the warps of a block from the middle of the work, in turn
  LongBlocks longest;
};

/// Warp instructions within which `forewarp profile` runs a grid whole unless --sample or --budget
/// say otherwise: about a second.
inline constexpr std::uint64_t profile_budget = 40'000'000;

/// Everything that the execution of a launch follows from, as bytes: equal keys, equal profiles.
Expected<std::string> execution_key(const LoadedKernel& loaded, const LaunchDraft& draft,
                                    const PredictOptions& options, std::uint32_t most_shared,
                                    const ExecutionBudget& budget);

/// Executed profiles by content: another GPU, clock or cache size of the same launch executes
/// nothing again. Thread safe.
class ProfileStore {
 public:
  /// Executes the kernel under this launch, or returns what an earlier call found.
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
