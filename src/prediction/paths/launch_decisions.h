// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/compiled_expression.h"
#include "analysis/kernel_analysis.h"
#include "analysis/thread_dependence.h"
#include "base/expected.h"
#include "binding/path_builder.h"
#include "prediction/paths/launch_symbols.h"
#include "request/predict_options.h"

namespace forewarp::prediction {

/// The decisions of one warp: a way for every conditional branch, a trip count for every loop. Two
/// warps (or launches) with the same decisions execute the same instructions.
struct WarpDecisions {
  std::vector<BranchWay> ways;  ///< parallel to LaunchDecider::branches()
  std::vector<double> trips;    ///< by loop
  bool operator==(const WarpDecisions&) const = default;
};

/// A conditional branch or guarded EXIT at the end of a block.
struct DecidedBranch {
  BlockId block = no_block;
  std::uint32_t instruction = 0;
  CompiledExpression effect;
  ThreadDependence dependence = ThreadDependence::none;
  bool by_pass = false;      ///< its condition may change between passes of a loop
  std::string reason;        ///< the part of its condition that is not known before the run
  bool ends_thread = false;  ///< a guarded EXIT
};

/// The branch conditions and trip formulas of a kernel, compiled once and evaluated for every
/// launch.
class LaunchDecider {
 public:
  /// --trip and --assume-branch of `options` override what was derived.
  LaunchDecider(const Kernel& kernel, const KernelAnalysis& analysis,
                const PredictOptions& options);

  /// Decisions of the warps of the block that `symbols` looks at: one entry if all are alike, else
  /// one per warp. A loop whose count is not known has -1 trips.
  [[nodiscard]] std::vector<WarpDecisions> decide(LaunchSymbols& symbols, std::uint32_t warps,
                                                  std::uint32_t lanes) const;

  [[nodiscard]] const std::vector<DecidedBranch>& branches() const { return branches_; }
  /// A branch that a given share of the warps takes; decide() lets all of them take it.
  struct SharedBranch {
    std::size_t branch = 0;
    double share = 0;  ///< between 0 and 1
  };
  [[nodiscard]] const std::vector<SharedBranch>& shared_branches() const { return shared_; }
  /// Whether the branch's way was neither derived nor given: both sides are assumed to be executed.
  [[nodiscard]] bool assumed(std::size_t branch) const {
    return !stated_[branch] && !branches_[branch].reason.empty();
  }
  /// Whether the branch's way was not derived but follows a compiler's idiom: past the slow path.
  [[nodiscard]] bool usual(std::size_t branch) const { return usual_[branch]; }
  [[nodiscard]] const std::string& trip_formula(LoopId loop) const { return loops_[loop].formula; }
  [[nodiscard]] BlockId exit_block(LoopId loop) const { return analysis_.trip(loop).exit_block; }
  [[nodiscard]] bool trip_varies(LoopId loop) const { return loops_[loop].varies; }
  /// The message why the trips of a loop are not known, and what the user can do.
  [[nodiscard]] Diagnostic unknown_trips(LoopId loop) const;

 private:
  struct DecidedLoop {
    CompiledExpression trips;
    std::string formula;
    std::optional<double> stated;  ///< --trip
    bool known = false;
    bool varies = false;  ///< depends on the pass of an outer loop
    std::string reason;
  };

  /// Trips of the thread that `symbols` looks at.
  void decide_trips(LaunchSymbols& symbols, WarpDecisions& decisions) const;
  /// Trips of a warp: those of the lane that has most.
  void decide_warp_trips(LaunchSymbols& symbols, std::uint32_t warp, std::uint32_t lanes,
                         WarpDecisions& decisions) const;
  [[nodiscard]] std::optional<double> mean_trips(std::size_t loop, LaunchSymbols& symbols) const;
  [[nodiscard]] bool changes_by_pass(const DecidedBranch& branch, LaunchSymbols& symbols) const;
  /// The way of the whole block if all its threads go the same way.
  [[nodiscard]] std::optional<BranchWay> block_way(const DecidedBranch& branch,
                                                   LaunchSymbols& symbols) const;
  [[nodiscard]] BranchWay warp_way(const DecidedBranch& branch, LaunchSymbols& symbols,
                                   std::uint32_t warp, std::uint32_t lanes) const;

  const KernelAnalysis& analysis_;
  std::vector<DecidedBranch> branches_;
  std::vector<std::optional<BranchWay>> stated_;  ///< --assume-branch, parallel to branches_
  std::vector<bool> usual_;                       ///< decided by the idiom, parallel to branches_
  std::vector<SharedBranch> shared_;
  std::vector<DecidedLoop> loops_;
  bool trips_may_differ_ = false;  ///< a trip count depends on the thread's index in its block
};

}  // namespace forewarp::prediction
