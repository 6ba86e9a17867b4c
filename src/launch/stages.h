// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "binding/bound_kernel.h"
#include "hardware/gpu.h"
#include "launch/launch_draft.h"
#include "launch/loaded_kernel.h"
#include "model/model.h"
#include "request/tables/work_budget.h"
#include "result/result.h"

namespace forewarp::memory {
struct MemoryProfile;
}

/// From a case to its result in stages, each made once from the one before and never changed:
/// Loaded, Drafted, Executed, Bound, Prepared (the models that are asked), Evaluated, Result.
namespace forewarp::launch {

struct FoundPaths;
struct LaunchProfile;

/// What this stage and those before it assumed and found, in their order.
struct Notes {
  std::vector<Result::Assumption> assumptions;
  std::vector<Result::Finding> findings;
};

/// The code, and the board that it is for.
struct Loaded {
  LoadedKernel code;
  std::shared_ptr<const Gpu> gpu;
};

/// A launch that the board accepts.
struct Drafted {
  std::shared_ptr<const Loaded> loaded;
  LaunchDraft draft;
  std::vector<std::pair<std::string, std::string>> options;  ///< in effect, for the echo
  Notes notes;
};

/// What the launch does: executed and replayed through the caches, or as the analysis foresees.
struct Executed {
  std::shared_ptr<const Drafted> drafted;
  /// Under which the cache of launches keeps what was executed and replayed, before anything of it
  /// was completed or overruled: by content of the code, the launch with its data and the GPU.
  /// Empty: something in it cannot be told by content, or nothing is to be kept.
  std::string key;
  std::shared_ptr<const FoundPaths> foreseen;    ///< null: the analysis found no paths
  std::shared_ptr<const LaunchProfile> profile;  ///< null: counts are static
  std::shared_ptr<const MemoryProfile> memory;   ///< of the profile, on this GPU
  double executed_share = 1;  ///< below: the budget cut a block, and its loops go on as foreseen
  double working_share = 1;   ///< blocks like the typical one that do the work, of the grid's
  WorkAccount work;           ///< what of the budget execution and caches took
  Notes notes;

  /// So many blocks like the typical one do the work of the grid: surplus blocks are none of them.
  [[nodiscard]] double working_blocks() const;
  /// What counts per warp are multiplied by.
  [[nodiscard]] double working_warps() const;
};

/// The kernel as this GPU issues it under this launch.
struct Bound {
  std::shared_ptr<const Executed> executed;
  std::unique_ptr<BoundKernel> kernel;
  std::unique_ptr<BoundKernel> longest;  ///< of a block far longer than most; null: there is none
  std::array<MemoryStretch, 3> stretches{};  ///< that meet a slow segment of memory
  Notes notes;
};

}  // namespace forewarp::launch
