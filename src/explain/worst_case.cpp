// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "explain/worst_case.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/quantities.h"
#include "base/text.h"
#include "memory/memory_profile.h"
#include "prediction/execution.h"
#include "prediction/paths/path_finder.h"
#include "timing/wcet/block_bound.h"
#include "timing/wcet/feasible_bound.h"

namespace forewarp::explain {
namespace {

/// Bounds of the block's warps, and how they were found.
struct WarpBounds {
  std::vector<WarpBound> warps;
  bool executed = false;
  std::vector<std::string> assumptions;
};

Expected<void> check_extent(const Evaluation& evaluation, const WorstRules& rules) {
  const double blocks = static_cast<double>(evaluation.launch->config.blocks());
  const std::uint32_t warps = evaluation.launch->occupancy.warps_per_block;
  if (blocks > 1) {
    return Diagnostic{"--grid",
                      significant(blocks) +
                          " blocks interfere with each other, and no bound of that is known " +
                          blame(Component::memory),
                      "one block", "--grid 1 bounds a block that is alone"};
  }
  if (warps > rules.warps) {
    return Diagnostic{
        "--block",
        std::to_string(warps) + " warps on an SM have no proven bound " +
            blame(Component::warp_scheduler_full),
        "at most " + significant(rules.warps) + " warps",
        "--block " + significant(rules.warps * evaluation.launch->gpu->limits.warp_lanes)};
  }
  return {};
}

/// Whether every instruction of every warp was executed and recorded, with nothing assumed.
bool fully_executed(const Evaluation& evaluation) {
  if (!evaluation.trace->profile) return false;
  const LaunchProfile& profile = *evaluation.trace->profile;
  const bool whole = profile.executed.paths.complete() && profile.executed.paths.assumed.empty();
  return whole && std::all_of(profile.typical.begin(), profile.typical.end(),
                              [](const WarpTrace& t) { return t.recorded == t.instructions; });
}

std::vector<WorstAccess> executed_accesses(const Evaluation& evaluation) {
  std::vector<WorstAccess> accesses(evaluation.launch->code.kernel->instructions.size());
  const auto& blocks = evaluation.trace->profile->executed.accesses.blocks;
  const bool all = std::all_of(blocks.begin(), blocks.end(),
                               [](const BlockStream& block) { return block.recorded_share >= 1; });
  if (!all) return accesses;
  for (WorstAccess& access : accesses) access.known = true;  // without requests: nothing is asked
  for (const auto& [index, memory] : evaluation.trace->memory->instructions) {
    accesses[index].transactions = memory.most_transactions;
    accesses[index].passes = memory.most_wavefronts;
  }
  return accesses;
}

Expected<WarpBounds> along_executed(const Evaluation& evaluation, const WorstRules& rules) {
  const Kernel& kernel = *evaluation.launch->code.kernel;
  std::vector<std::uint8_t> reached(kernel.instructions.size());
  const auto& counts = evaluation.trace->profile->executed.paths.instructions;
  for (std::size_t i = 0; i < reached.size(); ++i) reached[i] = counts[i].warps > 0 ? 1 : 0;
  const auto worst = bind_worst(kernel, rules, executed_accesses(evaluation), reached);
  if (!worst) return worst.error();
  WarpBounds bounds;
  bounds.executed = true;
  for (const WarpTrace& trace : evaluation.trace->profile->typical) {
    WarpTimeline timeline(*worst);
    timeline.follow(trace.steps);
    bounds.warps.push_back(timeline.finish());
  }
  bounds.assumptions.emplace_back("the input data lead the warps along the ways executed here");
  return bounds;
}

/// The most passes of each loop per entry, of any warp of the block.
Expected<std::vector<double>> loop_passes(const Evaluation& evaluation, const PathFinder& finder) {
  const KernelAnalysis& analysis = *evaluation.launch->code.analysis;
  const std::size_t loops = analysis.loops().all().size();
  std::vector<double> passes(loops, 0);
  LaunchSymbols symbols(evaluation.launch->config, evaluation.launch->arguments);
  for (const WarpKind& kind :
       finder.kinds(symbols, evaluation.launch->config, *evaluation.launch->gpu)) {
    for (LoopId loop = 0; loop < loops; ++loop) {
      const double trips = kind.decisions.trips[loop];
      if (trips < 0 || finder.decider().trip_varies(loop)) {
        Diagnostic unknown = finder.decider().unknown_trips(loop);
        if (unknown.found.empty()) unknown.found = "a loop's trip count differs between entries";
        unknown.found += "; without them there is no bound " + blame(Component::simt_stack);
        return unknown;
      }
      passes[loop] = std::max(passes[loop], trips + 1);  // one more for the test that ends the loop
    }
  }
  return passes;
}

std::vector<std::uint8_t> dividing_blocks(const Evaluation& evaluation, const PathFinder& finder) {
  std::vector<std::uint8_t> divides(evaluation.launch->code.analysis->flow().blocks().size());
  for (const DecidedBranch& branch : finder.decider().branches()) {
    const bool same = branch.dependence == ThreadDependence::none && branch.reason.empty();
    divides[branch.block] = same ? 0 : 1;
  }
  return divides;
}

Expected<WarpBounds> along_feasible(const Evaluation& evaluation, const PredictOptions& options,
                                    const WorstRules& rules) {
  const Kernel& kernel = *evaluation.launch->code.kernel;
  const PathFinder finder(*evaluation.launch->code.analysis, options);
  const auto passes = loop_passes(evaluation, finder);
  if (!passes) return passes.error();
  std::vector<std::uint8_t> reached(kernel.instructions.size());
  for (std::uint32_t i = 0; i < reached.size(); ++i) {
    reached[i] = evaluation.launch->code.analysis->flow().block_of(i) != no_block ? 1 : 0;
  }
  const std::vector<WorstAccess> accesses(kernel.instructions.size());
  const auto worst = bind_worst(kernel, rules, accesses, reached);
  if (!worst) return worst.error();
  const auto divides = dividing_blocks(evaluation, finder);
  auto bound = feasible_bound(*worst, *evaluation.launch->code.analysis, {*passes, divides});
  if (!bound) return std::move(bound).error();
  WarpBounds bounds;
  bounds.warps.assign(evaluation.launch->occupancy.warps_per_block, *bound);
  bounds.assumptions.emplace_back("no loop exceeds the trip count given by the analysis or --trip");
  bounds.assumptions.push_back("every access has " + significant(rules.unknown_degree) +
                               " conflicts or transactions: its addresses were not looked at");
  return bounds;
}

std::string main_part(const WorkCycles& cycles) {
  if (cycles.load >= cycles.compute && cycles.load >= cycles.store && cycles.load > 0)
    return "load";
  return cycles.store > cycles.compute ? "store" : "compute";
}

Result::WorstCase::Region region_of(const Kernel& kernel, const RegionKey& key,
                                    const RegionTime& time) {
  const auto address = [&](std::uint32_t index) {
    const auto& all = kernel.instructions;
    if (index < all.size()) return all[index].address;
    constexpr std::uint32_t slot = 8;  // bytes per instruction
    return all.back().address + slot;
  };
  Result::WorstCase::Region region;
  region.begin = address(key.first);
  region.end = address(key.second);
  region.part = main_part(time.cycles);
  region.count = time.count;
  region.cycles = time.cycles.total();
  region.longest = time.most;
  region.load_cycles = time.cycles.load;
  region.compute_cycles = time.cycles.compute;
  region.store_cycles = time.cycles.store;
  return region;
}

void fill_components(const BlockBound& block, Result::WorstCase& worst) {
  Component hardest = Component::warp_scheduler;
  double cycles = 0;
  for (std::size_t c = 0; c < block.components.size(); ++c) {
    const auto component = static_cast<Component>(c);
    const bool scheduler = component == Component::warp_scheduler;
    if (block.components[c] <= 0 && !scheduler) continue;
    const ComponentInfo& info = component_info(component);
    worst.components.push_back({std::string(info.name),
                                std::string(timing_class_name(info.timing_class)),
                                std::string(info.reason), block.components[c]});
    const TimingClass known = component_info(hardest).timing_class;
    const bool harder =
        info.timing_class > known || (info.timing_class == known && block.components[c] > cycles);
    if (!harder) continue;
    hardest = component;
    cycles = block.components[c];
  }
  worst.component = component_info(hardest).name;
  worst.timing_class = timing_class_name(component_info(hardest).timing_class);
}

void add_common_assumptions(const WorstRules& rules, std::vector<std::string>& assumptions) {
  assumptions.push_back("a load takes at most " + significant(rules.load) + " cycles, a store " +
                        significant(rules.store + rules.store_penalty) +
                        ", each further transaction " + significant(rules.transaction) + " more");
  assumptions.emplace_back("nothing else runs on the GPU");
  assumptions.emplace_back("instructions and kernel parameters are in their caches");
  assumptions.emplace_back("the launch itself is not part of the bound");
}

}  // namespace

Expected<Result::WorstCase> worst_case(const Evaluation& evaluation,
                                       const PredictOptions& options) {
  const auto rules = worst_rules(*evaluation.launch->gpu);
  if (!rules) return rules.error();
  if (auto ok = check_extent(evaluation, *rules); !ok) return ok.error();
  auto bounds = fully_executed(evaluation) ? along_executed(evaluation, *rules)
                                           : along_feasible(evaluation, options, *rules);
  if (!bounds) return std::move(bounds).error();
  const BlockBound block = block_bound(bounds->warps, *rules, bounds->executed);
  Result::WorstCase worst;
  worst.cycles = block.cycles;
  worst.time_ms = time_of(Cycles(block.cycles), evaluation.launch->clock).value();
  worst.interference_cycles = block.interference;
  worst.warps = static_cast<std::uint32_t>(bounds->warps.size());
  worst.path = bounds->executed ? "executed" : "feasible";
  worst.assumptions = std::move(bounds->assumptions);
  add_common_assumptions(*rules, worst.assumptions);
  fill_components(block, worst);
  for (const auto& [key, time] : block.regions) {
    worst.per_region.push_back(region_of(*evaluation.launch->code.kernel, key, time));
  }
  return worst;
}

}  // namespace forewarp::explain
