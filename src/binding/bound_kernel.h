// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/quantities.h"
#include "binding/access_patterns.h"
#include "binding/bind_timing.h"
#include "binding/demand.h"
#include "binding/freed.h"
#include "binding/latency_path.h"
#include "binding/resource_table.h"

namespace forewarp::binding {

/// Latency of a block's warps under one rule set and one way of counting loops.
struct BoundLatency {
  double cycles = 0;  ///< of the slowest warp kind, for which its block waits
  bool replacement_included = false;
  double memory_cycles = 0;  ///< of `cycles`: those saved if global loads answered at once
  TripPolynomial formula;    ///< in the trips of BoundKernel::loops
  bool formula_valid = false;
  TripPolynomial memory_formula;  ///< of memory_cycles
  LatencyPath path;               ///< of the slowest warp kind
  double block_cycles = 0;        ///< of a whole block alone on an SM; 0: not replayed
  BoundTiming timing;
};

/// Times of a warp under a what-if.
struct WarpTimes {
  double cycles = 0, memory_cycles = 0;  ///< as in BoundLatency
  double block_cycles = 0;               ///< 0: not replayed
};

/// What the warps of a launch executed: means over all warps of the grid.
struct ExecutedCounts {
  std::vector<double> executions;  ///< by instruction: per warp
  std::vector<double> lanes;       ///< by instruction: lanes with a true guard, per execution
  std::vector<double> jumps;       ///< by instruction: taken branches, per execution
};

/// A kernel on one GPU along the paths of one launch, as numbers only. Counts and cycles are
/// polynomials in the trip counts, so another launch with the same paths costs a few products.
/// Once its counts are set it is const, and threads may share it.
class BoundKernel {
 public:
  /// `patterns`: one per instruction of the kernel. `paths` share one loop table.
  BoundKernel(const Kernel& kernel, const Gpu& gpu, std::vector<WarpPath> paths,
              AccessPatterns patterns, Megahertz clock);

  /// Replaces the counts that follow from the paths; latencies remain those of the paths. With
  /// `foreseen` the formulas are kept, as the paths gave nearly the same counts.
  void count_as(const ExecutedCounts& counts, bool foreseen);

  static constexpr std::uint64_t whole_block = 25'000;  ///< most issues that are replayed
  /// From now on latencies include the time of a whole block of `warps` warps.
  void follow_block(std::uint32_t warps, std::uint64_t most_issues = whole_block) {
    block_warps_ = warps;
    followed_issues_ = most_issues;
  }
  [[nodiscard]] std::uint64_t followed_issues() const { return followed_issues_; }

  [[nodiscard]] const std::vector<ResourceInfo>& resources() const { return table_.resources(); }
  [[nodiscard]] const std::vector<PathLoop>& loops() const { return paths_.front().loops; }
  [[nodiscard]] const std::vector<WarpPath>& paths() const { return paths_; }
  [[nodiscard]] const AccessPatterns& patterns() const { return patterns_; }
  [[nodiscard]] const std::vector<double>& trips() const { return trips_; }

  /// Mean demand of a warp for these trip counts (parallel to loops()).
  [[nodiscard]] Demand demand(std::span<const double> trips) const;
  [[nodiscard]] Demand demand() const { return demand(trips_); }
  /// A count, or a resource's cycles, as a polynomial in the trip counts.
  [[nodiscard]] TripPolynomial count_formula(Count kind) const;
  [[nodiscard]] TripPolynomial cycles_formula(std::size_t resource) const;
  /// A resource's cycles by instruction, for this launch's trip counts; they add up to demand().
  [[nodiscard]] std::vector<double> instruction_cycles(std::size_t resource) const;
  /// Dual-issued pairs on the paths, each counted once regardless of trip counts.
  [[nodiscard]] double static_dual_pairs() const { return static_dual_pairs_; }
  /// Executions per warp of each instruction, for this launch's trip counts.
  [[nodiscard]] std::vector<double> executions() const;
  [[nodiscard]] TripPolynomial execution_formula(std::size_t instruction) const;

  /// Latency under a rule set of the GPU, computed on first use and kept as long as the kernel.
  /// Thread safe, as is everything that is const.
  const BoundLatency& latency(const LatencyRules& rules, LoopCounting counting) const;

  /// The latency with something taken away. The block is replayed for `most_issues`; compare a
  /// short replay with the equally short one of Freed{}.
  [[nodiscard]] WarpTimes latency_if(const LatencyRules& rules, LoopCounting counting,
                                     const Freed& freed, std::uint64_t most_issues) const;

 private:
  /// An instruction where it stands on a path, or in the counts of an execution.
  struct Place {
    std::uint32_t instruction = 0, run = 0;  ///< run: the first of the straight run before it
    std::uint64_t loops = 0;
    double times = 0;   ///< per warp and pass of these loops
    double lanes = -1;  ///< with a true guard; negative: a full warp
    double jumps = 0;   ///< taken, per execution
    bool second_of_pair = false;
  };
  void add_steps(const std::vector<PathStep>& steps, std::uint64_t loops, double share);
  void add_run(const PathStep& run, std::uint64_t loops, double share);
  LoopContext& context(std::uint64_t loops);
  [[nodiscard]] Demand demand_of(const Place& place) const;
  [[nodiscard]] const std::vector<LoopContext>& formula_contexts() const {
    return foreseen_.empty() ? contexts_ : foreseen_;
  }
  [[nodiscard]] BoundTiming timing_under(const LatencyRules& rules) const;
  void add_cache_latencies(BoundTiming& timing, const Freed& freed) const;
  [[nodiscard]] LoadPlaces places_of(const AccessPattern& access, double memory) const;
  [[nodiscard]] LoadPlaces places_of(const AccessPattern& access, double memory,
                                     const Freed& freed) const;
  [[nodiscard]] double block_cycles(const BoundTiming& timing, const Freed& freed,
                                    std::uint64_t most_issues) const;
  [[nodiscard]] BoundLatency scheduled(const LatencyRules& rules, LoopCounting counting,
                                       double known_block_cycles) const;
  void add_memory_part(BoundLatency& latency, std::size_t slowest, LoopCounting counting) const;

  const Kernel& kernel_;
  const Gpu& gpu_;
  ResourceTable table_;
  std::vector<WarpPath> paths_;
  AccessPatterns patterns_;
  Megahertz clock_;
  std::vector<double> trips_;
  std::vector<LoopContext> contexts_;
  /// Those of the paths, kept when executed counts replace them.
  std::vector<LoopContext> foreseen_;
  std::vector<Place> places_;
  std::vector<double> counted_;  ///< executions per warp; empty while the paths' counts are used
  std::vector<TripPolynomial> executions_;
  double static_dual_pairs_ = 0;
  bool pair_open_ = false;
  std::uint32_t block_warps_ = 0;
  std::uint64_t followed_issues_ = whole_block;
  /// What latency() computed; behind a pointer, so that a kernel can be moved.
  struct Latencies {
    std::mutex mutex;
    std::map<std::pair<std::string, LoopCounting>, BoundLatency> by_rules;
  };
  std::unique_ptr<Latencies> latencies_ = std::make_unique<Latencies>();
};

}  // namespace forewarp::binding
