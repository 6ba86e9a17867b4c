// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "driver/stages/executed.h"

#include <cmath>
#include <utility>

#include "base/text.h"
#include "driver/stages/launch_recall.h"
#include "driver/stages/preparation_checks.h"
#include "explain/execution_report.h"
#include "explain/launch_notes.h"
#include "explain/missing_arguments.h"
#include "launch/cache/launch_cache.h"
#include "launch/cut_profile.h"
#include "launch/memory_options.h"
#include "launch/path_finder.h"
#include "launch/profile_store.h"

namespace forewarp::driver {
namespace {

constexpr double like_another = 0.1;  // blocks whose lengths differ by less are taken as alike

// Lines to replay through the caches. If no line is used twice, a short replay is enough.
constexpr std::uint64_t quick_look = 40'000;
constexpr std::uint64_t usual_look = 1'000'000;
constexpr double used_again = 0.002;  // hit rate

MemoryProfile replay(const Executed& made, const Case& request, const PredictOptions& options) {
  const ExecutedProfile& executed = made.profile->executed;
  const Gpu& gpu = *made.drafted->loaded->gpu;
  const MemoryOptions memory = memory_options(gpu, made.drafted->draft, request, options);
  const auto look = [&](std::uint64_t lines, bool warm) {
    MemoryOptions taken = memory;
    taken.most_replayed = lines;
    taken.warm = warm;
    return profile_memory(executed.accesses, executed.plan, gpu, taken);
  };
  const double share = options.budget_seconds.value_or(usual_budget_seconds) / usual_budget_seconds;
  if (options.exact || share > 1) {
    return look(memory.most_replayed, memory.warm);
  }
  MemoryProfile quick = look(quick_look, false);
  const bool streams =
      quick.l1_hit_rate < used_again && quick.l2_hit_rate < used_again && quick.atomic_sectors == 0;
  if (!streams && quick.replayed_share < 1) {
    const double lines = std::max<double>(quick_look, share * usual_look);
    return look(static_cast<std::uint64_t>(std::min<double>(lines, usual_look)), memory.warm);
  }
  return memory.warm ? look(quick_look, true) : quick;
}

/// For when the budget ended the execution inside a block: scales counts and traffic to the trip
/// counts that are foreseen for its loops.
void complete_cut(Executed& made, MemoryProfile& memory) {
  const Drafted& drafted = *made.drafted;
  const Kernel& kernel = *drafted.loaded->code.kernel;
  const FoundPaths& foreseen = *made.foreseen;
  const BoundKernel bound(kernel, *drafted.loaded->gpu, foreseen.paths, foreseen.patterns,
                          drafted.draft.clock);
  const std::vector<double> executions = bound.executions();
  auto profile = std::make_shared<LaunchProfile>(*made.profile);
  PathProfile& paths = profile->executed.paths;
  const double warps = made.working_warps();
  made.executed_share = executed_share(paths, executions, drafted.draft.occupancy.warps_per_block);
  const std::vector<double> factors = cut_factors(paths, executions, warps);
  paths = completed_paths(std::move(paths), factors, executions, warps);
  made.profile = std::move(profile);
  made.notes.findings.push_back(
      {"cut", "the budget was spent after " + significant(100 * made.executed_share, 2) +
                  " % of a block: the rest of its loops follows from their trip counts; give a "
                  "larger --budget to execute more"});
  if (!factors.empty()) memory = completed_memory(std::move(memory), factors, kernel);
}

/// Notes the part of the budget that is spent, in seconds of counted work.
void account(Executed& made) {
  const WorkRates& rates = own_work_rates();
  double lines = 0;
  for (const auto& [i, access] : made.memory->instructions) lines += access.lines;
  made.work.executed =
      static_cast<double>(made.profile->spent_instructions) / rates.warp_instructions;
  made.work.replayed = lines * made.memory->replayed_share / rates.replayed_lines;
}

/// Replays what was executed through the caches, and sets the shares that scale it to the whole
/// grid.
void complete(const Case& request, const PredictOptions& options, Executed& made) {
  const bool cut = made.profile->executed.paths.cut.has_value();
  if (!cut) made.working_share = working_share(*made.profile);
  MemoryProfile memory = made.memory ? *made.memory : replay(made, request, options);
  if (!made.memory) remember(made.key, *made.profile, memory);
  if (cut && made.foreseen) complete_cut(made, memory);
  made.memory = std::make_shared<const MemoryProfile>(std::move(memory));
  account(made);
  note_executed(*made.drafted, *made.profile, made.notes.findings, made.notes.assumptions);
  note_memory(*made.memory, made.notes.assumptions);
  note_far_hits(*made.memory, *made.drafted->loaded->gpu, made.notes.assumptions);
}

/// The message when the execution was cut and cannot be completed, as a loop's trip count is
/// unknown.
Diagnostic endless(Diagnostic cut, const Diagnostic& analysis) {
  cut.found += ", and its passes are not known beforehand: " + analysis.found;
  return cut;
}

/// Recalls the launch from disk, then with its traffic, if a process has executed it for this GPU;
/// else executes it.
Expected<std::shared_ptr<const LaunchProfile>> recall_or_execute(const Case& request,
                                                                 const PredictOptions& options,
                                                                 ProfileStore& store,
                                                                 Executed& made) {
  made.key = recall_key(*made.drafted, request, options);
  if (!made.key.empty()) {
    if (auto known = LaunchCache::from_environment().find(made.key)) {
      made.memory = std::make_shared<const MemoryProfile>(std::move(known->memory));
      return std::make_shared<const LaunchProfile>(std::move(known->profile));
    }
  }
  const Loaded& loaded = *made.drafted->loaded;
  return store.profile(loaded.code, made.drafted->draft, options,
                       loaded.gpu->limits.shared_per_block_optin, prediction_budget(options));
}

/// Fills made.profile, or returns why it stays empty; fails if the execution was stopped, or was
/// cut and the analysis has no trip counts to complete it.
Expected<std::optional<Diagnostic>> look(const Expected<FoundPaths>& found, const Case& request,
                                         const PredictOptions& options, ProfileStore& store,
                                         Executed& made) {
  using Unexecuted = std::optional<Diagnostic>;
  const LoadedKernel& code = made.drafted->loaded->code;
  auto executed = recall_or_execute(request, options, store, made);
  if (!executed) return Unexecuted(executed.error());
  const PathProfile& paths = (*executed)->executed.paths;
  if (paths.stopped) return *paths.stopped;
  if (paths.cut && !found) return endless(*paths.cut, found.error());
  if (found && overrules_run(code, options, paths)) {
    return Unexecuted(Diagnostic{code.kernel->name, "--assume-branch overrules what it computes",
                                 "", "leave out --assume-branch"});
  }
  made.profile = *executed;
  return Unexecuted();
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

Executed replayed(Executed edited, const Case& request, const PredictOptions& options) {
  edited.working_share = working_share(*edited.profile);
  edited.memory = std::make_shared<const MemoryProfile>(replay(edited, request, options));
  account(edited);
  return edited;
}

Expected<Executed> execute(std::shared_ptr<const Drafted> drafted, const Case& request,
                           const PredictOptions& options, ProfileStore* store) {
  Executed made;
  made.notes = drafted->notes;
  made.work.budget = options.budget_seconds.value_or(usual_budget_seconds);
  made.drafted = std::move(drafted);
  const Loaded& loaded = *made.drafted->loaded;
  auto found = PathFinder(*loaded.code.analysis, options)
                   .find(made.drafted->draft.launch, made.drafted->draft.arguments, *loaded.gpu);
  std::optional<Diagnostic> unexecuted;
  if (store != nullptr && options.execute && options.trips.empty()) {
    auto looked = look(found, request, options, *store, made);
    if (!looked) return std::move(looked).error();
    unexecuted = std::move(*looked);
  }
  if (!made.profile && !found) {
    return without_counts(found.error(), unexecuted, *loaded.code.kernel,
                          made.drafted->draft.arguments);
  }
  if (found) made.foreseen = std::make_shared<const FoundPaths>(std::move(*found));
  if (made.profile) {
    complete(request, options, made);
    return made;
  }
  made.memory.reset();
  note_static_profile(request, options, *made.drafted, *made.foreseen, unexecuted, made.notes);
  return made;
}

}  // namespace forewarp::driver
