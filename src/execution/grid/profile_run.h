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
  /// Of the kernel: few blocks that its index makes long are found by it. Null: they are not.
  const KernelAnalysis* analysis = nullptr;
  SampleChoice sample;
  /// Automatic sampling: a grid of which all blocks together are expected to execute no more warp
  /// instructions than this runs whole, and samples grow up to it.
  std::uint64_t budget = 40'000'000;
  double wanted_error = 0.01;  ///< automatic sampling stops here: relative, 95 %
};

/// The first block to run, to see how long one is, may take this part of all instructions; what is
/// chosen by it half of them; what is left goes to windows and larger samples.
inline constexpr std::uint64_t pilot_part = 4, plan_part = 2;

/// Two sinks that see the same execution.
template <class First, class Second>
struct BothSinks {
  First first;
  Second second;

  [[nodiscard]] BothSinks empty() const { return {first.empty(), second.empty()}; }
  void merge(const BothSinks& later) {
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
  void warp_ended(const Warp& warp) {
    first.warp_ended(warp);
    second.warp_ended(warp);
  }
  void block_ended(const Block& block) {
    first.block_ended(block);
    second.block_ended(block);
  }
};

/// One block of the middle for all.
[[nodiscard]] SamplePlan plan_middle(const Extent& grid);

/// Whether blocks may wait for what other blocks do: none of them can run by itself. So where work
/// moves between them.
[[nodiscard]] bool blocks_wait(const Program& program);

/// Blocks to execute: what the choice says or, automatically, the whole grid or a first sample.
/// Kernels whose blocks wait for each other run whole; refused where that is too much.
Expected<SamplePlan> choose_plan(const Program& program, const ExecutionInput& input,
                                 const ProfileOptions& options);

inline constexpr std::size_t most_decided = 16;  ///< kinds by what a block's index decides

/// A sample where few blocks take much longer than the others, of kinds that differ by that;
/// nothing where none do.
Expected<std::optional<SamplePlan>> plan_long_blocks(const Program& program,
                                                     const ExecutionInput& input,
                                                     const ProfileOptions& options,
                                                     BlockKinds kinds);

/// A larger sample where the automatic one does not do yet: its error is above what is wanted and
/// the budget allows more.
std::optional<SamplePlan> larger_plan(const SamplePlan& plan, const PathProfile& profile,
                                      const ExecutionInput& input, const ProfileOptions& options);

/// Executes a kernel and says what its warps did.
Expected<PathProfile> profile_paths(const Program& program, const ExecutionInput& input,
                                    const ProfileOptions& options = {});

/// The same for the blocks of one plan.
Expected<PathProfile> profile_plan(const Program& program, const ExecutionInput& input,
                                   const SamplePlan& plan, const GridOptions& options);

namespace detail {

[[nodiscard]] std::unordered_map<std::uint64_t, double> block_weights(const SamplePlan& plan);
void finish_profile(PathProfile& profile, const ProfileSink& sink, const SamplePlan& plan,
                    const GridRun& run);

}  // namespace detail

/// profile_plan with a second sink; that one gets plain events, without weights.
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
  detail::finish_profile(profile, both.first, plan, *run);
  return profile;
}

}  // namespace forewarp::execution
