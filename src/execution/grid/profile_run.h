// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "execution/grid/grid_runner.h"
#include "execution/grid/path_profile.h"
#include "execution/grid/profile_sink.h"
#include "execution/grid/sampling.h"

namespace forewarp::analysis {
class KernelAnalysis;
}

namespace forewarp::execution {

struct ProfileOptions {
  GridOptions grid;
  /// Of the kernel, to find the few blocks that run long because of their index; null: no search.
  const KernelAnalysis* analysis = nullptr;
  SampleChoice sample;
  /// Automatic sampling: a grid that is expected to execute no more warp instructions than this
  /// runs whole; otherwise samples grow up to it.
  std::uint64_t budget = 40'000'000;
  double wanted_error = 0.01;  ///< automatic sampling stops at this relative error, 95 %
};

/// The pilot block, run to see how long a block takes, may use 1/pilot_part of all instructions,
/// and the plan chosen from it 1/plan_part; the rest is for windows and larger samples.
inline constexpr std::uint64_t pilot_part = 4, plan_part = 2;

/// Passes the events of one execution to two sinks.
template <class First, class Second>
struct BothSinks {
  First first;
  Second second;

  [[nodiscard]] BothSinks empty() const { return {first.empty(), second.empty()}; }
  void merge(BothSinks& later) {
    first.merge(later.first);
    second.merge(later.second);
  }
  void block_started(Block& block) {
    first.block_started(block);
    second.block_started(block);
  }
  void executed(const Warp& warp, std::uint32_t instruction, LaneMask active, LaneMask lanes) {
    first.executed(warp, instruction, active, lanes);
    second.executed(warp, instruction, active, lanes);
  }
  void branched(const Warp& warp, std::uint32_t instruction, LaneMask active, LaneMask taken) {
    first.branched(warp, instruction, active, taken);
    second.branched(warp, instruction, active, taken);
  }
  void accessed(const Warp& warp, const MemoryAccess& access) {
    first.accessed(warp, access);
    second.accessed(warp, access);
  }
  void happened(const Warp& warp, const AsyncEvent& event) requires requires(Second& sink) {
    sink.happened(warp, event);
  }
  { second.happened(warp, event); }
  void warp_ended(const Warp& warp) {
    first.warp_ended(warp);
    second.warp_ended(warp);
  }
  void block_ended(const Block& block) {
    first.block_ended(block);
    second.block_ended(block);
  }
};

/// Blocks from the middle of as many even parts of the grid, which represent all.
[[nodiscard]] SamplePlan plan_middles(const Extent& grid, std::uint64_t count = 1);

/// The first blocks of the grid, which represent all.
[[nodiscard]] SamplePlan plan_first(const Extent& grid, std::uint64_t count);

/// Whether what blocks write may show in others, so that a grid that is not too large runs whole.
[[nodiscard]] bool blocks_wait(const Program& program);

/// Whether a block may wait for other blocks or take work from them, so that none can run alone.
[[nodiscard]] bool needs_others(const Program& program);

/// Chooses the blocks to execute: by the user's choice or, automatically, the whole grid or a first
/// sample. Kernels whose blocks wait for each other run whole, of very large grids the beginning.
Expected<SamplePlan> choose_plan(const Program& program, const ExecutionInput& input,
                                 const ProfileOptions& options);

inline constexpr std::size_t most_decided = 16;  ///< kinds that the block's index may distinguish

/// A sample by kinds, where a few blocks take much longer than the others; nullopt where none do.
Expected<std::optional<SamplePlan>> plan_long_blocks(const Program& program,
                                                     const ExecutionInput& input,
                                                     const ProfileOptions& options,
                                                     BlockKinds kinds);

/// A sample by what a survey of all blocks counts; nullopt where they are alike, or it cannot be
/// found out.
[[nodiscard]] std::optional<SamplePlan> plan_surveyed(const Program& program,
                                                      const ExecutionInput& input,
                                                      const ProfileOptions& options);

/// A larger sample if the automatic one is not accurate enough and the budget allows more.
std::optional<SamplePlan> larger_plan(const SamplePlan& plan, const PathProfile& profile,
                                      const ExecutionInput& input, const ProfileOptions& options);

/// Executes a kernel and returns its path profile.
Expected<PathProfile> profile_paths(const Program& program, const ExecutionInput& input,
                                    const ProfileOptions& options = {});

/// The same for the blocks of a given plan.
Expected<PathProfile> profile_plan(const Program& program, const ExecutionInput& input,
                                   const SamplePlan& plan, const GridOptions& options);

namespace detail {

[[nodiscard]] std::unordered_map<std::uint64_t, double> block_weights(const SamplePlan& plan);
void finish_profile(PathProfile& profile, const ProfileSink& sink, const SamplePlan& plan,
                    const GridRun& run);

}  // namespace detail

/// profile_plan with a second sink, which receives unweighted events.
template <class Extra>
Expected<PathProfile> profile_plan_with(const Program& program, const ExecutionInput& input,
                                        const SamplePlan& plan, const GridOptions& options,
                                        Extra& extra) {
  const LoopMarks marks(*program.kernel);
  const auto weights = detail::block_weights(plan);
  const std::vector<std::uint64_t> blocks = plan.blocks();
  BothSinks<ProfileSink, Extra> both{ProfileSink(program, marks, weights), extra.empty()};
  auto run = run_grid(program, input, blocks, options, both);
  if (!run) return std::move(run).error();
  extra.merge(both.second);
  PathProfile profile;
  profile.ordered = program.ordered;
  profile.waiting_loops = program.waiting_loops;
  detail::finish_profile(profile, both.first, plan, *run);
  return profile;
}

}  // namespace forewarp::execution
