// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "analysis/kernel_analysis.h"
#include "base/expected.h"
#include "binding/access_patterns.h"
#include "binding/path.h"
#include "prediction/arguments/signature.h"
#include "prediction/paths/launch_decisions.h"
#include "request/predict_options.h"
#include "result/result.h"

namespace forewarp::prediction {

/// Warps of a block with the same decisions.
struct WarpKind {
  WarpDecisions decisions;
  double share = 0;
  bool operator==(const WarpKind&) const = default;
};

/// The paths of the warps of a typical block, derived from the code and the launch without
/// executing it.
struct FoundPaths {
  std::vector<WarpPath> paths;  ///< kinds of warps of one interior block, one loop table
  AccessPatterns patterns;      ///< parallel to the kernel's instructions
  std::vector<Result::Assumption> assumptions;
};

/// Follows the warps of an interior block: a branch is decided by its symbolic condition for the
/// warp's threads, a loop by its trip formula. --trip and --assume-branch override both.
class PathFinder {
 public:
  PathFinder(const KernelAnalysis& analysis, const PredictOptions& options)
      : analysis_(analysis), decider_(analysis.kernel(), analysis, options) {
    compile_addresses();
  }

  /// The decisions and access patterns of a launch; cheap enough for every point of a sweep.
  [[nodiscard]] std::vector<WarpKind> kinds(LaunchSymbols& symbols, const LaunchConfig& launch,
                                            const Gpu& gpu,
                                            std::optional<std::uint64_t> block = {}) const;
  [[nodiscard]] AccessPatterns patterns(LaunchSymbols& symbols, const LaunchConfig& launch,
                                        const Gpu& gpu) const;

  /// A key of everything that patterns() depends on: equal keys, equal patterns.
  [[nodiscard]] std::vector<std::uint8_t> pattern_key(const LaunchConfig& launch,
                                                      const BoundArguments& arguments) const;

  /// The paths themselves, of an interior block or of the block with this linear index. Fails if a
  /// loop on them has an unknown trip count, and names it.
  Expected<FoundPaths> find(const LaunchConfig& launch, const BoundArguments& arguments,
                            const Gpu& gpu, std::optional<std::uint64_t> block = {}) const;

  /// Trip counts for the loop table of find()'s paths under other decisions of the same shape.
  [[nodiscard]] const LaunchDecider& decider() const { return decider_; }

 private:
  void compile_addresses();
  [[nodiscard]] std::vector<std::int64_t> active_lanes(std::uint32_t instruction,
                                                       const std::vector<std::int64_t>& addresses,
                                                       LaunchSymbols& symbols) const;

  const KernelAnalysis& analysis_;
  LaunchDecider decider_;
  std::vector<CompiledExpression> addresses_;  ///< parallel to analysis.addresses()
  /// Parameters that addresses depend on: (offset, size), bytes of the parameter area.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> address_parameters_;
};

}  // namespace forewarp::prediction
