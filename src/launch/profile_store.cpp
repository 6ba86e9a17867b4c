// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "launch/profile_store.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "execution/grid/typical_block.h"
#include "execution/lowering/kernel_lowering.h"
#include "execution/storage/device_image.h"
#include "launch/execution_launch.h"

namespace forewarp::launch {
namespace {

constexpr std::size_t most_profiles = 64;  // profiles kept at a time

/// A key made of the bytes of plain values, one after the other.
class Key {
 public:
  template <class T>
  Key& add(const T& value) {
    text_.append(reinterpret_cast<const char*>(&value), sizeof value);
    return *this;
  }
  Key& add_text(std::string_view text) {
    add(text.size());
    text_ += text;
    return *this;
  }
  Key& add_bytes(const std::vector<std::uint8_t>& bytes) {
    return add_text({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  }
  [[nodiscard]] std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

std::string key_of(const LoadedKernel& loaded, const ExecutionInput& input,
                   const ProfileOptions& options) {
  Key key;
  key.add_text(loaded.hash).add_text(loaded.kernel->name).add(loaded.kernel->sm);
  for (const Extent& extent : {input.grid, input.block}) {
    for (const std::uint32_t size : extent) key.add(size);
  }
  key.add(input.static_shared).add(input.dynamic_shared);
  key.add(input.parameters.size());
  for (const std::uint8_t byte : input.parameters) key.add(byte);
  for (const std::uint8_t byte : input.parameters_known) key.add(byte);
  for (const ExecutionBuffer& buffer : input.buffers) {
    key.add(buffer.address).add(buffer.bytes).add(buffer.content.kind).add(buffer.content.seed);
    key.add(buffer.content.low).add(buffer.content.high).add(buffer.content.value);
    key.add_text(buffer.content.path).add_text(buffer.content.type);
    key.add_bytes(buffer.data);
  }
  for (const ConstantBank& bank : input.banks) {
    key.add(bank.bank).add_bytes(bank.bytes).add_bytes(bank.known);
  }
  for (const BranchAssumption& branch : input.assumed_branches) {
    key.add(branch.address).add(branch.taken);
  }
  key.add(options.sample.mode).add(options.sample.count).add(options.budget);
  key.add(options.grid.most_instructions);
  return key.take();
}

constexpr double far_longer = 2;  // times the warps of a typical block

/// Blocks far longer than typical; none if the longest warp is like the typical ones.
LongBlocks longest_blocks(const ExecutedProfile& executed, const std::vector<WarpTrace>& typical) {
  LongBlocks longest;
  if (executed.plan.apart.blocks > 0) {
    const std::vector<BlockPlace>& places = executed.plan.apart.places;
    longest.blocks = static_cast<double>(executed.plan.apart.blocks);
    longest.block = places[places.size() / 2].block;
    return longest;
  }
  std::uint64_t usual = 0, most = 0;
  for (const WarpTrace& trace : typical) usual = std::max(usual, trace.instructions);
  double warps = 0;
  for (const PathGroup& group : executed.paths.groups) {
    if (static_cast<double>(group.instructions) <= far_longer * static_cast<double>(usual))
      continue;
    warps += group.warps;
    if (group.instructions <= most) continue;
    most = group.instructions;
    longest.block = group.block;
  }
  longest.blocks = warps / static_cast<double>(typical.size());
  return longest;
}

/// The warps of one block.
std::vector<WarpPlace> places_of(std::uint64_t block, std::uint32_t warps) {
  std::vector<WarpPlace> places;
  for (std::uint32_t warp = 0; warp < warps; ++warp) places.push_back({block, warp});
  return places;
}

Expected<std::shared_ptr<const LaunchProfile>> execute(const LoadedKernel& loaded,
                                                       const ExecutionLaunch& launch,
                                                       ProfileOptions options) {
  const ExecutionInput& input = launch.input;
  options.analysis = loaded.analysis.get();
  Kernel placed = *loaded.kernel;  // a copy with the addresses of its module's variables
  put_addresses(placed, launch.module);
  auto program = lower_kernel(placed);
  if (!program) return std::move(program).error();
  auto executed = execute_profile(*program, input, options);
  if (!executed) return std::move(executed).error();
  auto profile = std::make_shared<LaunchProfile>();
  profile->zeroed = launch.module.zeroed;
  profile->unsized = launch.module.unsized;
  profile->executed = std::move(*executed);
  profile->spent_instructions = profile->executed.spent_instructions;
  // If a block was cut, there is no typical path: its loops were not executed to their ends.
  const PathProfile& paths = profile->executed.paths;
  if (paths.cut || paths.stopped) return std::shared_ptr<const LaunchProfile>(std::move(profile));
  const std::uint32_t warps = input.warps_per_block();
  for (const std::uint64_t block : {typical_block(paths), input.blocks() / 2}) {
    auto traced = trace_warps(*program, input, places_of(block, warps), options.grid);
    if (!traced) return std::move(traced).error();
    profile->spent_instructions += instructions_of(*traced);
    if (more_typical(*traced, profile->typical, paths)) profile->typical = std::move(*traced);
    if (stands_for(profile->typical, paths)) break;
  }
  LongBlocks& longest = profile->longest;
  longest = longest_blocks(profile->executed, profile->typical);
  if (longest.blocks > 0 && profile->executed.plan.apart.blocks == 0) {
    auto traced = trace_warps(*program, input, places_of(longest.block, warps), options.grid);
    if (!traced) return std::move(traced).error();
    longest.warps = std::move(*traced);
    for (const WarpTrace& trace : longest.warps) profile->spent_instructions += trace.instructions;
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

Expected<std::string> execution_key(const LoadedKernel& loaded, const LaunchDraft& draft,
                                    const PredictOptions& options, std::uint32_t most_shared,
                                    const ExecutionBudget& budget) {
  const auto launch =
      execution_launch(*loaded.kernel, draft.launch, draft.arguments, options, most_shared);
  if (!launch) return launch.error();
  return key_of(loaded, launch->input, profile_options(options, budget));
}

Expected<std::shared_ptr<const LaunchProfile>> ProfileStore::profile(
    const LoadedKernel& loaded, const LaunchDraft& draft, const PredictOptions& options,
    std::uint32_t most_shared, const ExecutionBudget& budget) {
  auto launch =
      execution_launch(*loaded.kernel, draft.launch, draft.arguments, options, most_shared);
  if (!launch) return std::move(launch).error();
  const ProfileOptions profiling = profile_options(options, budget);
  std::string key = key_of(loaded, launch->input, profiling);
  // The contents of a program's memory are not part of the key.
  if (options.device) key += std::to_string(options.device->serial);
  {
    const std::lock_guard lock(mutex_);
    const auto found = profiles_.find(key);
    if (found != profiles_.end()) return found->second;
  }
  Entry made = execute(loaded, *launch, profiling);
  const std::lock_guard lock(mutex_);
  if (profiles_.size() >= most_profiles) profiles_.clear();
  return profiles_.try_emplace(key, std::move(made)).first->second;
}

}  // namespace forewarp::launch
