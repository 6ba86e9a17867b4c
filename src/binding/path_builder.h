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

/// Which way a warp goes at a conditional branch or a guarded EXIT.
enum class BranchWay : std::uint8_t { taken, not_taken, both };

/// Passes of a loop for one warp.
struct LoopPasses {
  double trips = 1;  ///< executions of its latch per entry
  std::string formula;
  bool varies = false;            ///< from entry to entry
  BlockId exit_block = no_block;  ///< the block whose branch ends it, when that is known
};

/// What decides a path: the launch, the symbolic conditions, the user's assumptions.
class PathDecisions {
 public:
  virtual ~PathDecisions() = default;
  /// `instruction` ends a block with two ways out. Called once per visit.
  virtual BranchWay way(BlockId block, std::uint32_t instruction) = 0;
  virtual LoopPasses passes(LoopId loop) = 0;
};

/// The parts of a kernel's analysis that walking needs.
struct PathFacts {
  const Kernel& kernel;
  const ControlFlow& flow;
  const Loops& loops;
  const Dominators& post_dominators;
};

/// Walks from the entry to the exit. Both sides of a `both` branch are executed, one after the
/// other, up to where they meet. A loop body is one pass; what the last pass executes before it
/// leaves from the middle follows the loop once more. No path where there are more than 64 loops on
/// it, or where the walk does not come to an end.
[[nodiscard]] std::optional<WarpPath> build_path(const PathFacts& facts, PathDecisions& decisions);

}  // namespace forewarp::binding
