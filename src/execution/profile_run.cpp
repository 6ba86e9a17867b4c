// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "execution/profile_run.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace forewarp {
namespace {

/// Nothing but the warp instructions of each block.
struct TotalSink : NoSink {
  std::map<std::uint64_t, std::uint64_t> totals;
  [[nodiscard]] TotalSink empty() const { return {}; }
  void merge(const TotalSink& later) { totals.insert(later.totals.begin(), later.totals.end()); }
  void block_ended(const Block& block) { totals[block.linear] = block.executed; }
};

std::vector<double> values_of(const std::map<std::uint64_t, std::uint64_t>& totals) {
  std::vector<double> values;
  for (const auto& [block, total] : totals) values.push_back(static_cast<double>(total));
  return values;
}

constexpr double two_sigma = 1.96;  // of a normal distribution: 95 %

double relative_error(const Estimate& estimate) {
  return estimate.total > 0 ? two_sigma * estimate.error / estimate.total : 0;
}

/// Warp instructions of one block; endless where they are more than the budget has.
Expected<double> pilot(const Program& program, const ExecutionInput& input,
                       const ProfileOptions& options, std::uint64_t block) {
  const std::vector<std::uint64_t> blocks{block};
  GridOptions grid = options.grid;
  grid.most_instructions /= pilot_part;
  grid.keep_cut = true;
  TotalSink totals;
  const auto run = run_grid(program, input, blocks, grid, totals);
  if (!run) return run.error();
  if (run->cut) return std::numeric_limits<double>::infinity();
  return static_cast<double>(run->instructions);
}

constexpr std::uint64_t few_blocks = 4, usual_blocks = 64;
constexpr double first_share = 0.25;       // of the budget: what a first sample takes
constexpr std::uint64_t looked_at = 1024;  // blocks whose beginning tells their kind

/// Of each kind the middle one of the blocks that were looked at.
std::vector<std::uint64_t> block_of_each(const BlockKinds& kinds) {
  const SamplePlan plan = plan_kinds(kinds, std::vector<double>(kinds.blocks.size(), 0), 0);
  std::vector<std::uint64_t> blocks;
  for (const Stratum& stratum : plan.strata) blocks.push_back(stratum.blocks.front());
  return blocks;
}

/// The same for blocks that differ from the start.
Expected<SamplePlan> plan_by_kinds(const Program& program, const ExecutionInput& input,
                                   const ProfileOptions& options, const BlockKinds& kinds) {
  const std::vector<std::uint64_t> first = block_of_each(kinds);
  std::vector<double> work;
  double all = 0, largest = 0;
  for (std::size_t kind = 0; kind < first.size(); ++kind) {
    const auto one = pilot(program, input, options, first[kind]);
    if (!one) return one.error();
    if (std::isinf(*one)) return plan_middle(input.grid);
    work.push_back(*one);
    all += work.back() * static_cast<double>(kinds.blocks[kind]);
    largest = std::max(largest, work.back());
  }
  const auto budget = static_cast<double>(options.budget);
  if (all <= budget) return plan_all(input.grid);
  const double affordable = first_share * budget / std::max(1.0, largest);
  return plan_kinds(kinds, work,
                    std::clamp(static_cast<std::uint64_t>(std::min(1e6, affordable)),
                               std::uint64_t{1}, usual_blocks));
}

/// The whole grid where that is cheap, else a first sample: larger_plan() says whether it will do.
Expected<SamplePlan> automatic_plan(const Program& program, const ExecutionInput& input,
                                    const ProfileOptions& options) {
  if (input.blocks() <= few_blocks) return plan_all(input.grid);
  const BlockKinds kinds = find_block_kinds(program, input, looked_at);
  if (kinds.differ()) return plan_by_kinds(program, input, options, kinds);
  const auto middle = pilot(program, input, options, input.blocks() / 2);
  if (!middle) return middle.error();
  const double block = *middle;
  if (std::isinf(block)) return plan_middle(input.grid);
  const auto budget = static_cast<double>(options.budget);
  if (block * static_cast<double>(input.blocks()) <= budget) return plan_all(input.grid);
  const double affordable = first_share * budget / std::max(1.0, block);
  return plan_sample(input.grid, std::clamp(static_cast<std::uint64_t>(std::min(1e6, affordable)),
                                            std::uint64_t{1}, usual_blocks));
}

}  // namespace

namespace detail {

std::unordered_map<std::uint64_t, double> block_weights(const SamplePlan& plan) {
  std::unordered_map<std::uint64_t, double> weights;
  for (const Stratum& stratum : plan.strata) {
    if (stratum.weight() == 1) continue;
    for (const std::uint64_t block : stratum.blocks) weights[block] = stratum.weight();
  }
  return weights;
}

void finish_profile(PathProfile& profile, const ProfileSink& sink, const SamplePlan& plan,
                    const GridRun& run) {
  sink.report(profile);
  profile.executed_blocks = run.blocks;
  profile.executed_instructions = run.instructions;
  profile.blocks = plan.size();
  profile.cut = run.cut;
  profile.stopped = run.stopped;
  profile.findings = run.findings;
  profile.assumed = run.assumed;
  profile.halved = run.halved;
  profile.scattered = run.scattered;
  const std::vector<double> totals = values_of(sink.block_totals());
  if (totals.size() == plan.blocks().size()) {
    profile.relative_error = relative_error(estimate_total(plan, totals));
  }
}

}  // namespace detail

double LoopTrips::mean() const {
  double entries = 0, passes = 0;
  for (const auto& [count, times] : histogram) {
    entries += times;
    passes += times * static_cast<double>(count);
  }
  return entries > 0 ? passes / entries : 0;
}

double PathProfile::branch_efficiency() const {
  double executed = 0, divergent = 0;
  for (const auto& [instruction, count] : branches) {
    executed += count.executed;
    divergent += count.divergent;
  }
  return executed > 0 ? 1 - divergent / executed : 1;
}

SamplePlan plan_middle(const Extent& grid) {
  const std::uint64_t blocks = volume(grid);
  SamplePlan plan;
  plan.strata.push_back({blocks, 0, {blocks / 2}});
  return plan;
}

// Work that moves; atomics, and loads that see others' stores.
bool blocks_wait(const Program& program) {
  if (program.moving) return true;
  if (!program.global_atomics) return false;
  return std::any_of(program.ops.begin(), program.ops.end(), [](const MicroOp& op) {
    return op.operation == Operation::load && op.has(flag::strong) &&
           op.space != MemorySpace::shared;
  });
}

Expected<SamplePlan> choose_plan(const Program& program, const ExecutionInput& input,
                                 const ProfileOptions& options) {
  constexpr std::uint64_t most_waiting_blocks = 1 << 14;
  if (blocks_wait(program)) {
    if (input.blocks() <= most_waiting_blocks) return plan_all(input.grid);
    return Diagnostic{program.kernel->name,
                      "its blocks wait for each other, and " + std::to_string(input.blocks()) +
                          " cannot run at the same time",
                      "at most " + std::to_string(most_waiting_blocks) + " blocks",
                      "a smaller --grid"};
  }
  switch (options.sample.mode) {
    case SampleChoice::Mode::all:
      return plan_all(input.grid);
    case SampleChoice::Mode::count:
      return plan_sample(input.grid, options.sample.count);
    default:
      return automatic_plan(program, input, options);
  }
}

std::optional<SamplePlan> larger_plan(const SamplePlan& plan, const PathProfile& profile,
                                      const ExecutionInput& input, const ProfileOptions& options) {
  constexpr std::uint64_t growth = 4;
  if (options.sample.mode != SampleChoice::Mode::automatic || profile.complete()) return {};
  if (profile.cut || profile.stopped || profile.uneven) return {};
  const auto budget = static_cast<double>(options.budget);
  if (profile.warp_instructions <= budget) return plan_all(input.grid);
  const double next = static_cast<double>(profile.executed_instructions) * growth;
  if (profile.relative_error <= options.wanted_error || next > budget) return {};
  const std::uint64_t count = growth * plan.blocks().size();
  SamplePlan larger = plan.kinds.differ() ? plan_kinds(plan.kinds, plan.work, count)
                                          : plan_sample(input.grid, count);
  if (larger.blocks().size() <= plan.blocks().size()) return {};
  return larger;
}

Expected<PathProfile> profile_plan(const Program& program, const ExecutionInput& input,
                                   const SamplePlan& plan, const GridOptions& options) {
  const LoopMarks marks(*program.kernel);
  const auto weights = detail::block_weights(plan);
  const std::vector<std::uint64_t> blocks = plan.blocks();
  ProfileSink sink(program, marks, weights);
  const auto run = run_grid(program, input, blocks, options, sink);
  if (!run) return run.error();
  PathProfile profile;
  detail::finish_profile(profile, sink, plan, *run);
  return profile;
}

Expected<PathProfile> profile_paths(const Program& program, const ExecutionInput& input,
                                    const ProfileOptions& options) {
  auto plan = choose_plan(program, input, options);
  if (!plan) return plan.error();
  for (;;) {
    auto profile = profile_plan(program, input, *plan, options.grid);
    if (!profile) return profile;
    auto larger = larger_plan(*plan, *profile, input, options);
    if (!larger) return profile;
    *plan = std::move(*larger);
  }
}

}  // namespace forewarp
