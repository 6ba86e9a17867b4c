// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "driver/executed_binding.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/text.h"
#include "driver/launch_recall.h"
#include "explain/execution_report.h"
#include "launch/cut_profile.h"
#include "launch/executed_counts.h"
#include "launch/executed_paths.h"
#include "launch/memory_options.h"

namespace forewarp::driver {
namespace {

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

}  // namespace

double working_share(const LaunchProfile& profile) {
  double typical = 0;
  for (const WarpTrace& trace : profile.typical) typical += static_cast<double>(trace.instructions);
  const double blocks = static_cast<double>(profile.executed.paths.blocks);
  if (typical <= 0 || blocks <= 0) return 1;
  const double share = profile.executed.paths.warp_instructions / blocks / typical;
  return std::fabs(share - 1) <= like_another ? 1 : share;
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

}  // namespace forewarp::driver
