// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "driver/executed_binding.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/text.h"
#include "binding/access_space.h"
#include "driver/cut_profile.h"
#include "driver/executed_paths.h"
#include "driver/launch_recall.h"
#include "driver/profile_result.h"

namespace forewarp {
namespace {

constexpr double same_counts = 0.02;  // of all instructions: blocks at the edges may differ

constexpr double like_another = 0.1;  // blocks whose lengths differ by less are taken as alike

// Lines that the caches are asked for. Where nothing is used twice a short look tells all.
constexpr std::uint64_t quick_look = 40'000;
constexpr std::uint64_t usual_look = 1'000'000;
constexpr double used_again = 0.002;  // hit rate

MemoryProfile replay(const Prepared& prepared, const Case& request, const PredictOptions& options) {
  const ExecutedProfile& executed = prepared.profile->executed;
  const MemoryOptions memory = memory_options(*prepared.gpu, prepared.draft, request, options);
  const auto look = [&](std::uint64_t lines, bool warm) {
    MemoryOptions taken = memory;
    taken.most_replayed = lines;
    taken.warm = warm;
    return profile_memory(executed.accesses, executed.plan, *prepared.gpu, taken);
  };
  if (options.exact || options.budget_seconds) return look(memory.most_replayed, memory.warm);
  MemoryProfile quick = look(quick_look, false);
  const bool streams =
      quick.l1_hit_rate < used_again && quick.l2_hit_rate < used_again && quick.atomic_sectors == 0;
  if (!streams && quick.replayed_share < 1) return look(usual_look, memory.warm);
  return memory.warm ? look(quick_look, true) : quick;
}

/// Each part of a divided L2 keeps copies of what its SMs read, until the kernel's data are more
/// than such a part holds; then hits come from where the data have their home.
double far_share(const MemoryProfile& memory, const Gpu& gpu) {
  const double from = gpu.number("l2.far_from"), to = gpu.number("l2.far_to");
  if (gpu.l2_bytes <= 0 || to <= from) return 0;
  return std::clamp((memory.unique_bytes / gpu.l2_bytes - from) / (to - from), 0.0, 1.0);
}

}  // namespace

double working_share(const LaunchProfile& profile) {
  double typical = 0;
  for (const WarpTrace& trace : profile.typical) typical += static_cast<double>(trace.instructions);
  const double blocks = static_cast<double>(profile.executed.paths.blocks);
  if (typical <= 0 || blocks <= 0) return 1;
  const double share = profile.executed.paths.warp_instructions / blocks / typical;
  return std::fabs(share - 1) <= like_another ? 1 : share;
}

ExecutedCounts executed_counts(const PathProfile& paths, double warps) {
  ExecutedCounts counts;
  for (const InstructionCount& count : paths.instructions) {
    counts.executions.push_back(count.warps / warps);
    counts.lanes.push_back(count.warps > 0 ? count.lanes / count.warps : 0);
  }
  counts.jumps.resize(counts.executions.size());
  for (const auto& [index, branch] : paths.branches) {
    if (branch.active > 0) counts.jumps[index] = branch.taken / branch.active;
  }
  return counts;
}

bool counts_agree(const Kernel& kernel, const std::vector<double>& foreseen,
                  const ExecutedCounts& counts) {
  double apart = 0, all = 0, accesses_apart = 0, accesses = 0;
  for (std::size_t i = 0; i < foreseen.size(); ++i) {
    const double difference = std::fabs(foreseen[i] - counts.executions[i]);
    apart += difference;
    all += counts.executions[i];
    if (access_space(kernel.instructions[i].instruction_class) != AccessSpace::global) continue;
    accesses_apart += difference;
    accesses += counts.executions[i];
  }
  return apart <= same_counts * all && accesses_apart <= same_counts * accesses;
}

MemoryOptions memory_options(const Gpu& gpu, const LaunchDraft& draft, const Case& request,
                             const PredictOptions& options) {
  MemoryOptions memory;
  memory.warm =
      (options.repeat ? *options.repeat : request.repeat.value_or(Repeat::cold)) == Repeat::warm;
  memory.blocks_per_sm = std::max(1U, draft.occupancy.blocks);
  memory.shared_per_block =
      draft.needs.static_shared + draft.needs.dynamic_shared + gpu.limits.shared_reserved;
  return memory;
}

void apply_memory(const Kernel& kernel, const PathProfile& paths, const MemoryProfile& memory,
                  const Gpu& gpu, std::vector<AccessPattern>& patterns) {
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    const InstructionCount& count = paths.instructions[i];
    if (!moves_data(access_space(kernel.instructions[i].instruction_class))) continue;
    if (count.warps <= 0 || count.lanes > 0) continue;
    patterns[i] = AccessPattern{};  // its guard never held: it issues and asks for nothing
    patterns[i].known = true;
    patterns[i].requests = patterns[i].passes = 0;
  }
  const double far_hits = far_share(memory, gpu);
  double missed = 0, stored = 0;  // sectors that device memory's bytes are divided over
  for (const auto& [i, access] : memory.instructions) {
    const bool store = is_store_class(kernel.instructions[i].instruction_class);
    (store ? stored : missed) +=
        store ? access.l2_sectors : access.l2_sectors - access.l2_hit_sectors;
  }
  for (const auto& [i, access] : memory.instructions) {
    const double times = paths.instructions[i].warps;
    if (times <= 0) continue;
    const bool store = is_store_class(kernel.instructions[i].instruction_class);
    AccessPattern& pattern = patterns[i];
    pattern.known = true;
    pattern.bytes_per_lane = std::max(1U, access_bytes(kernel.instructions[i]));
    pattern.requests = access.requests / times;
    pattern.lanes = access.lanes / times;
    pattern.sectors = access.sectors / times;
    pattern.lines = access.lines / times;
    pattern.passes = access.wavefronts / times;
    pattern.turns = access.atomic_turns / times;
    pattern.busiest_slice = memory.hottest_turns;
    pattern.visits = access.slice_visits / times;
    pattern.busiest_sectors = access.busiest_share;
    pattern.stage = access.stage_cycles / times;
    pattern.l2_sectors = access.l2_sectors / times;
    if (!store) {
      pattern.l1_hits = access.l1_hit_rate();
      pattern.l2_hits = access.l2_hit_rate();
      pattern.far_hits = far_hits;
      pattern.waits_for_l2 = access.waits_for_l2;
      pattern.waits_for_memory = std::min(access.waits_for_memory, access.waits_for_l2);
    }
    const double bytes = store ? memory.dram_write_bytes : memory.dram_read_bytes;
    const double all = store ? stored : missed;
    const double mine = store ? access.l2_sectors : access.l2_sectors - access.l2_hit_sectors;
    pattern.device_bytes = all > 0 ? bytes * mine / all / times : 0;
  }
}

namespace {

/// The budget ended the execution inside a block: what is foreseen for its loops says how often
/// they go on. Returns by how much each instruction's counts grow.
std::vector<double> complete_cut(const Kernel& kernel, const FoundPaths& foreseen, double warps,
                                 Prepared& prepared) {
  const BoundKernel bound(kernel, *prepared.gpu, foreseen.paths, foreseen.patterns,
                          prepared.draft.clock_mhz);
  const std::vector<double> executions = bound.executions();
  auto profile = std::make_shared<LaunchProfile>(*prepared.profile);
  PathProfile& paths = profile->executed.paths;
  prepared.executed_share =
      executed_share(paths, executions, prepared.draft.occupancy.warps_per_block);
  const std::vector<double> factors = cut_factors(paths, executions, warps);
  paths = completed_paths(std::move(paths), factors, executions, warps);
  prepared.profile = std::move(profile);
  prepared.findings.push_back(
      {"cut", "the budget was spent after " + significant(100 * prepared.executed_share, 2) +
                  " % of a block: its loops go on as often as their trip counts say; give a "
                  "larger --budget to execute more"});
  return factors;
}

/// What of the budget is spent, in seconds of counted work.
void account(const Prepared& prepared, WorkAccount& work) {
  const WorkRates& rates = own_work_rates();
  double lines = 0;
  for (const auto& [i, access] : prepared.memory->instructions) lines += access.lines;
  work.executed =
      static_cast<double>(prepared.profile->spent_instructions) / rates.warp_instructions;
  work.replayed = lines * prepared.memory->replayed_share / rates.replayed_lines;
}

}  // namespace

void bind_profile(const LoadedKernel& loaded, const Case& request, const PredictOptions& options,
                  FoundPaths* foreseen, Prepared& prepared) {
  const Kernel& kernel = *loaded.kernel;
  if (!prepared.profile->executed.paths.cut)
    prepared.draft.working_share = working_share(*prepared.profile);
  const double warps = prepared.draft.working_warps();
  MemoryProfile memory = prepared.memory ? *prepared.memory : replay(prepared, request, options);
  if (!prepared.memory) remember(prepared.recall_key, *prepared.profile, memory);
  std::vector<double> factors;
  if (prepared.profile->executed.paths.cut && foreseen != nullptr) {
    factors = complete_cut(kernel, *foreseen, warps, prepared);
  }
  const LaunchProfile& profile = *prepared.profile;
  const ExecutedCounts counts = executed_counts(profile.executed.paths, warps);
  std::vector<AccessPattern> patterns(kernel.instructions.size());
  const auto bind = [&](std::vector<WarpPath> paths) {
    prepared.bound = std::make_unique<BoundKernel>(kernel, *prepared.gpu, std::move(paths),
                                                   patterns, prepared.draft.clock_mhz);
  };
  if (foreseen != nullptr) patterns = foreseen->patterns;
  if (!factors.empty()) memory = completed_memory(std::move(memory), factors, kernel);
  prepared.memory = std::make_shared<const MemoryProfile>(std::move(memory));
  account(prepared, prepared.work);
  apply_memory(kernel, profile.executed.paths, *prepared.memory, *prepared.gpu, patterns);
  if (foreseen != nullptr) {
    bind(std::move(foreseen->paths));
    if (!counts_agree(kernel, prepared.bound->executions(), counts)) prepared.bound.reset();
  }
  const bool agrees = prepared.bound != nullptr;
  if (!agrees) bind(executed_paths(kernel, profile.typical));
  prepared.bound->count_as(counts, agrees);
  prepared.bound->follow_block(prepared.draft.occupancy.warps_per_block);
  note_executed(kernel, profile, prepared.findings, prepared.assumptions);
  note_memory(*prepared.memory, prepared.assumptions);
}

}  // namespace forewarp
