// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "prediction/execution.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "base/cache/content_key.h"
#include "execution/grid/needed_values.h"
#include "execution/grid/ordinary_values.h"
#include "execution/grid/warp_trace.h"
#include "execution/lowering/kernel_lowering.h"
#include "execution/storage/device_image.h"

namespace forewarp::prediction {
namespace {

std::string execution_key(const LoadedKernel& loaded, const ExecutionInput& input,
                          const ProfileOptions& options) {
  KeyBytes key;
  key.add_text(loaded.hash).add_text(loaded.kernel->name).add(loaded.kernel->sm);
  for (const Extent& extent : {input.grid, input.block, input.cluster}) {
    for (const std::uint32_t size : extent) key.add(size);
  }
  key.add(input.static_shared).add(input.dynamic_shared).add(input.registers);
  key.add(input.parameters.size());
  for (const std::uint8_t byte : input.parameters) key.add(byte);
  for (const std::uint8_t byte : input.parameters_known) key.add(byte);
  for (const ExecutionBuffer& buffer : input.buffers) {
    key.add(buffer.address).add(buffer.bytes).add(buffer.content.kind).add(buffer.content.seed);
    key.add(buffer.content.low).add(buffer.content.high).add(buffer.content.value);
    key.add_text(buffer.content.path).add_text(buffer.content.type);
    key.add_bytes(buffer.data);
  }
  for (const TensorMap& map : input.tensor_maps) {
    key.add(map.address).add(map.rank).add(map.element_bytes).add(map.swizzle).add(map.fill_nan);
    key.add(map.pixels);
    for (std::uint32_t d = 0; d < map.rank; ++d) {
      key.add(map.size[d]).add(map.stride[d]).add(map.box[d]);
      key.add(map.lower[d]).add(map.upper[d]).add(map.step[d]);
    }
  }
  for (const ConstantBank& bank : input.banks) {
    key.add(bank.bank).add_bytes(bank.bytes).add_bytes(bank.known);
  }
  for (const BranchAssumption& branch : input.assumed_branches) {
    key.add(branch.address).add(branch.taken);
  }
  key.add(input.ordinary_floats);
  key.add(options.sample.mode).add(options.sample.count).add(options.budget);
  key.add(options.grid.most_instructions);
  return key.take();
}

/// Blocks; a larger grid gives none an SM of its own, so that one longer by little decides nothing.
constexpr std::uint64_t few_blocks = 256;

Expected<std::shared_ptr<const LaunchProfile>> execute(const LoadedKernel& loaded,
                                                       const ExecutionLaunch& launch,
                                                       ProfileOptions options) {
  ExecutionInput input = launch.input;
  options.analysis = loaded.analysis.get();
  Kernel placed = *loaded.kernel;  // a copy with the addresses of its module's variables
  put_addresses(placed, launch.module);
  auto program = lower_kernel(placed);
  if (!program) return std::move(program).error();
  std::vector<std::string> ordinary = take_ordinary_values(*program, input);
  leave_out_values(*program);
  auto executed = execute_profile(*program, input, options);
  if (!executed) return std::move(executed).error();
  auto profile = std::make_shared<LaunchProfile>();
  profile->zeroed = launch.module.zeroed;
  profile->unsized = launch.module.unsized;
  profile->ordinary = std::move(ordinary);
  profile->executed = std::move(*executed);
  profile->spent_instructions = profile->executed.spent_instructions;
  std::vector<WarpTrace> recorded = std::exchange(profile->executed.traced, {});
  // If a block was cut, there is no typical path: its loops were not executed to their ends.
  const PathProfile& paths = profile->executed.paths;
  if (paths.cut || paths.stopped) return std::shared_ptr<const LaunchProfile>(std::move(profile));
  const std::uint32_t warps = input.warps_per_block();
  // As they were executed: behind those before them, if these may have steered them.
  const bool together = needs_others(*program) || (program->ordered && paths.complete());
  const std::uint64_t waiting = !together         ? 0
                                : program->moving ? paths.executed_blocks
                                                  : input.blocks();
  if (!together && !recorded.empty() && recorded.front().place.block == paths.typical) {
    profile->typical = std::move(recorded);
  } else {
    auto typical =
        trace_warps(*program, input, places_of(paths.typical, warps), options.grid, waiting);
    if (!typical) return std::move(typical).error();
    profile->typical = *std::move(typical);
  }
  profile->spent_instructions += instructions_of(profile->typical);
  LongBlocks& longest = profile->longest;
  longest = longest_blocks(profile->executed, profile->typical);
  const bool few =
      input.blocks() <= few_blocks && paths.groups.size() > 1 && longest.block != paths.typical;
  if (longest.apart) {
    // Without its beginning nothing is known of it, however much others have taken.
    const std::uint64_t most = options.grid.most_instructions;
    const std::uint64_t left =
        std::max(most / pilot_part, most - std::min(most, profile->spent_instructions));
    profile->spent_instructions +=
        begin_longest(*program, input, options, left, profile->executed.plan.apart, longest);
  } else if (longest.decides() || few) {
    auto traced =
        trace_warps(*program, input, places_of(longest.block, warps), options.grid, waiting);
    if (!traced) return std::move(traced).error();
    if (longest.decides()) profile->spent_instructions += instructions_of(*traced);
    longest.longer =
        (longest.blocks > 0 || few) && instructions_of(*traced) > instructions_of(profile->typical);
    if (longest.decides() || longest.longer) longest.warps = std::move(*traced);
  }
  return std::shared_ptr<const LaunchProfile>(std::move(profile));
}

ProfileOptions profile_options(const PredictOptions& options, const ExecutionBudget& budget) {
  ProfileOptions profiling;
  profiling.sample = options.sample;
  profiling.budget = budget.sample;
  profiling.grid.most_instructions = budget.most;
  profiling.grid.threads = options.jobs;
  return profiling;
}

}  // namespace

Expected<PlannedExecution> plan_execution(const Launch& launch, const PredictOptions& options,
                                          const ExecutionBudget& budget) {
  auto input = execution_launch(*launch.code.kernel, launch.config, launch.arguments, options,
                                launch.gpu->limits.shared_per_block_optin);
  if (!input) return std::move(input).error();
  PlannedExecution planned;
  planned.launch = std::move(*input);
  planned.options = profile_options(options, budget);
  planned.key = execution_key(launch.code, planned.launch.input, planned.options);
  // The contents of a program's memory are not part of the key.
  if (options.device) planned.key += std::to_string(options.device->serial);
  return planned;
}

Expected<std::shared_ptr<const LaunchProfile>> executed(const LoadedKernel& code,
                                                        const PlannedExecution& planned,
                                                        MemoryCache& cache) {
  return cache.get<LaunchProfile>(
      "execution", planned.key, [&] { return execute(code, planned.launch, planned.options); },
      OnFailure::keep);
}

std::size_t kept_bytes(const LaunchProfile& profile) {
  const AccessStreams& streams = profile.executed.accesses;
  const auto of = [](const auto& values) { return values.size() * sizeof(*values.data()); };
  std::size_t bytes = sizeof profile + of(streams.shapes) + of(streams.offsets) +
                      of(streams.wide_offsets) + of(streams.bases) + of(streams.warps) +
                      of(streams.blocks) + of(profile.executed.paths.instructions) +
                      of(profile.executed.paths.groups);
  for (const auto& path : streams.paths) bytes += of(path);
  for (const auto& tallies : streams.tallies) bytes += of(tallies);
  constexpr std::size_t of_step = 64;  // about what a recorded step of a warp takes
  for (const auto* traces : {&profile.typical, &profile.longest.warps}) {
    for (const WarpTrace& trace : *traces) bytes += of_step * trace.steps.size();
  }
  return bytes;
}

}  // namespace forewarp::prediction
