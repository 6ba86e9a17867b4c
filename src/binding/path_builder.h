// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "analysis/control_flow.h"
#include "analysis/dominators.h"
#include "analysis/loops.h"
#include "binding/path.h"

namespace forewarp::binding {

/// Which way a warp takes at a conditional branch or guarded EXIT.
enum class BranchWay : std::uint8_t { taken, not_taken, both };

/// Iterations of a loop for one warp.
struct LoopPasses {
  double trips = 1;  ///< executions of its latch per entry
  std::string formula;
  bool varies = false;            ///< differs between entries
  BlockId exit_block = no_block;  ///< the block whose branch ends it, if known
};

/// Decides a path: by the launch, symbolic conditions and the user's assumptions.
class PathDecisions {
 public:
  virtual ~PathDecisions() = default;
  /// Decides the branch `instruction` at the end of `block`. Called once per visit.
  virtual BranchWay way(BlockId block, std::uint32_t instruction) = 0;
  virtual LoopPasses passes(LoopId loop) = 0;
};

/// Those parts of a kernel's analysis that the walk needs.
struct PathFacts {
  const Kernel& kernel;
  const ControlFlow& flow;
  const Loops& loops;
  const Dominators& post_dominators;
};

/// Walks from entry to exit. Both sides of a `both` branch are executed, one after the other, up to
/// where they meet. A loop's body is one iteration; if the last iteration leaves from the middle,
/// what it executes before that follows the loop once more. nullopt if there are more than 64 loops
/// on the path, or if the walk does not end.
[[nodiscard]] std::optional<WarpPath> build_path(const PathFacts& facts, PathDecisions& decisions);

}  // namespace forewarp::binding
