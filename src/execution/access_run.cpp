// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "execution/access_run.h"

#include <algorithm>
#include <utility>

#include "execution/block_synthesis.h"

namespace forewarp {
namespace {

/// Runs blocks for their accesses alone and adds them to what is recorded.
Expected<void> add_windows(const Program& program, const ExecutionInput& input,
                           const std::vector<std::uint64_t>& blocks, const GridOptions& options,
                           const AccessLimits& limits, AccessSink& sink) {
  if (blocks.empty()) return {};
  AccessSink windows(program, input.grid, blocks.size(), limits);
  const auto run = run_grid(program, input, blocks, options, windows);
  if (!run) return run.error();
  sink.merge(windows);
  return {};
}

}  // namespace

std::vector<std::uint64_t> window_blocks(const Extent& grid, std::uint64_t blocks) {
  constexpr std::uint64_t windows = 3;
  const std::uint64_t all = volume(grid);
  std::vector<std::uint64_t> result;
  if (blocks >= all || blocks < windows) {
    for (std::uint64_t i = 0; i < std::min(all, blocks); ++i) result.push_back(i);
    return result;
  }
  const std::uint64_t size = blocks / windows;
  for (std::uint64_t window = 0; window < windows; ++window) {
    const std::uint64_t first = (all - size) / (windows - 1) * window;
    for (std::uint64_t i = first; i < first + size; ++i) result.push_back(i);
  }
  return result;
}

Expected<ExecutedProfile> execute_profile(const Program& program, const ExecutionInput& input,
                                          const ProfileOptions& options,
                                          const AccessLimits& limits) {
  auto plan = choose_plan(program, input, options);
  if (!plan) return std::move(plan).error();
  std::uint64_t planned = plan->blocks().size();
  AccessSink sink(program, input.grid, planned, limits);
  auto paths = profile_plan_with(program, input, *plan, options.grid, sink);
  while (paths) {
    auto larger = larger_plan(*plan, *paths, input, options);
    if (!larger) break;
    *plan = std::move(*larger);
    planned = plan->blocks().size();
    sink = AccessSink(program, input.grid, planned, limits);
    paths = profile_plan_with(program, input, *plan, options.grid, sink);
  }
  if (!paths) return std::move(paths).error();
  ExecutedProfile result{std::move(*plan), std::move(*paths), {}};
  if (BlockSynthesis(sink.recorded()).complete()) {
    result.accesses = sink.take();
    return result;
  }
  // Addresses that follow from data: only blocks that ran together show what caches do.
  const double per_block = static_cast<double>(result.paths.executed_instructions) /
                           static_cast<double>(std::max<std::uint64_t>(1, planned));
  const auto affordable =
      static_cast<std::uint64_t>(static_cast<double>(options.budget) / std::max(1.0, per_block));
  std::vector<std::uint64_t> windows = window_blocks(input.grid, affordable);
  std::vector<std::uint64_t> missing;
  for (const std::uint64_t block : windows) {
    if (sink.recorded().find(block) == nullptr) missing.push_back(block);
  }
  if (auto done = add_windows(program, input, missing, options.grid, limits, sink); !done)
    return std::move(done).error();
  result.accesses = sink.take();
  result.accesses.window_blocks = std::move(windows);
  return result;
}

}  // namespace forewarp
