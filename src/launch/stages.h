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

/// The stages from a case to its result, each made once from the one before and never changed:
/// Loaded, Drafted, Executed, Bound, Prepared (the models that are asked), Evaluated, Result.
namespace forewarp::launch {

struct FoundPaths;
struct LaunchProfile;

/// What this stage and those before it assumed and found, in that order.
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

/// What the launch does: executed and replayed through the caches, or foreseen by the analysis.
struct Executed {
  std::shared_ptr<const Drafted> drafted;
  /// Key under which the cache of launches keeps what was executed and replayed, before it was
  /// completed or overruled: by content of the code, the launch with its data and the GPU. Empty:
  /// something that it depends on has no content to key by, or nothing is to be kept.
  std::string key;
  std::shared_ptr<const FoundPaths> foreseen;    ///< null: the analysis found no paths
  std::shared_ptr<const LaunchProfile> profile;  ///< null: counts are static
  std::shared_ptr<const MemoryProfile> memory;   ///< traffic of the profile on this GPU
  double executed_share = 1;  ///< below 1: the budget cut a block; its loops go on as foreseen
  double working_share = 1;   ///< work of the grid in typical blocks, over its blocks
  WorkAccount work;           ///< the part of the budget that execution and caches took
  Notes notes;

  /// The work of the grid in blocks like the typical one; surplus blocks, which do nothing, do not
  /// count.
  [[nodiscard]] double working_blocks() const;
  /// The same in warps: what counts per warp are multiplied by.
  [[nodiscard]] double working_warps() const;
};

/// The kernel as this GPU issues it under this launch.
struct Bound {
  std::shared_ptr<const Executed> executed;
  std::unique_ptr<BoundKernel> kernel;
  std::unique_ptr<BoundKernel> longest;  ///< the same of a block far longer than most; null: none
  std::array<MemoryStretch, 3> stretches{};  ///< with data in a slow segment of memory
  Notes notes;
};

}  // namespace forewarp::launch
