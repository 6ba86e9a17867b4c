// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "driver/stages/bound.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/text.h"
#include "launch/executed_counts.h"
#include "launch/executed_paths.h"
#include "launch/memory_stretches.h"
#include "launch/path_finder.h"
#include "launch/profile_store.h"
#include "memory/memory_profile.h"

namespace forewarp::driver {
namespace {

const Kernel& kernel_of(const Bound& made) {
  return *made.executed->drafted->loaded->code.kernel;
}

std::unique_ptr<BoundKernel> bind_paths(const Bound& made, std::vector<WarpPath> paths,
                                        std::vector<AccessPattern> patterns) {
  const Drafted& drafted = *made.executed->drafted;
  return std::make_unique<BoundKernel>(kernel_of(made), *drafted.loaded->gpu, std::move(paths),
                                       std::move(patterns), drafted.draft.clock);
}

/// Issues for which a block is replayed: fewer if the prediction has a smaller budget than usual.
std::uint64_t followed_issues(const PredictOptions& options) {
  constexpr double fewest = 10'000;
  constexpr auto usual = static_cast<double>(BoundKernel::whole_block);
  const double share = options.budget_seconds.value_or(usual_budget_seconds) / usual_budget_seconds;
  return static_cast<std::uint64_t>(std::clamp(usual * share, fewest, usual));
}

void bind_executed(const PredictOptions& options, Bound& made) {
  const Executed& executed = *made.executed;
  const Kernel& kernel = kernel_of(made);
  const LaunchProfile& profile = *executed.profile;
  const ExecutedCounts counts = executed_counts(profile.executed.paths, executed.working_warps());
  std::vector<AccessPattern> patterns(kernel.instructions.size());
  if (executed.foreseen) patterns = executed.foreseen->patterns;
  apply_memory(kernel, profile.executed.paths, *executed.memory, *executed.drafted->loaded->gpu,
               patterns);
  if (executed.foreseen) {
    made.kernel = bind_paths(made, executed.foreseen->paths, patterns);
    if (!counts_agree(kernel, made.kernel->executions(), counts)) made.kernel.reset();
  }
  const bool agrees = made.kernel != nullptr;
  if (!agrees) made.kernel = bind_paths(made, executed_paths(kernel, profile.typical), patterns);
  made.kernel->count_as(counts, agrees);
  made.kernel->follow_block(executed.drafted->draft.occupancy.warps_per_block,
                            followed_issues(options));
}

/// Patterns as executed; of instructions that no executed block reached, the foreseen ones.
std::vector<AccessPattern> patterns_of(const Bound& made, std::vector<AccessPattern> foreseen) {
  const std::vector<AccessPattern>& seen = made.kernel->patterns();
  const auto& counts = made.executed->profile->executed.paths.instructions;
  for (std::size_t i = 0; i < foreseen.size(); ++i) {
    if (counts[i].warps > 0) foreseen[i] = seen[i];
  }
  return foreseen;
}

/// The foreseen paths of a block that is too long to be executed; if there are none, a finding.
std::optional<FoundPaths> foresee_longest(const PredictOptions& options, Bound& made) {
  const Drafted& drafted = *made.executed->drafted;
  const LongBlocks& longest = made.executed->profile->longest;
  const std::string which = significant(longest.blocks, 6) + " of " +
                            std::to_string(drafted.draft.launch.blocks()) +
                            " blocks are too long to be executed: ";
  auto found =
      PathFinder(*drafted.loaded->code.analysis, options)
          .find(drafted.draft.launch, drafted.draft.arguments, *drafted.loaded->gpu, longest.block);
  if (!found) {
    made.notes.findings.push_back({"cut", which + "they are left out, as " + found.error().found +
                                              "; give a larger --budget"});
    return std::nullopt;
  }
  made.notes.findings.push_back({"cut", which + "the rest of their loops follows from trip "
                                                "counts; give a larger --budget to execute them"});
  return std::move(*found);
}

void bind_longest(const PredictOptions& options, Bound& made) {
  const LongBlocks& longest = made.executed->profile->longest;
  if (!(longest.blocks > 0)) return;
  if (!longest.warps.empty()) {
    made.longest =
        bind_paths(made, executed_paths(kernel_of(made), longest.warps), made.kernel->patterns());
  } else {
    auto found = foresee_longest(options, made);
    if (!found) return;
    made.longest =
        bind_paths(made, std::move(found->paths), patterns_of(made, std::move(found->patterns)));
  }
  made.longest->follow_block(made.executed->drafted->draft.occupancy.warps_per_block,
                             followed_issues(options));
}

}  // namespace

Bound bind(std::shared_ptr<const Executed> executed, const PredictOptions& options) {
  Bound made;
  made.notes = executed->notes;
  made.executed = std::move(executed);
  if (made.executed->profile) {
    bind_executed(options, made);
    bind_longest(options, made);
  } else {
    const FoundPaths& foreseen = *made.executed->foreseen;
    made.kernel = bind_paths(made, foreseen.paths, foreseen.patterns);
  }
  made.stretches = memory_stretches(*made.executed);
  return made;
}

Cycles longest_block(const Bound& bound, const LatencyRules& rules, LoopCounting counting) {
  if (!bound.longest) return {};
  const BoundLatency& latency = bound.longest->latency(rules, counting);
  const double alone = std::max(latency.cycles, latency.block_cycles);
  const LongBlocks& longest = bound.executed->profile->longest;
  if (!longest.warps.empty()) return Cycles(alone);  // the counts include all such blocks
  const Drafted& drafted = *bound.executed->drafted;
  double busiest = 0;
  const Demand demand = bound.longest->demand();
  for (const double cycles : demand.cycles()) busiest = std::max(busiest, cycles);
  const double warps = longest.blocks * drafted.draft.occupancy.warps_per_block;
  return Cycles(std::max(alone, busiest * warps / drafted.loaded->gpu->sms));
}

}  // namespace forewarp::driver
