// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "execution/profile_run.h"

#include <algorithm>
#include <cmath>

namespace forewarp {
namespace {

/// Whether blocks may wait for what other blocks do: atomics, and loads that see other's stores.
bool blocks_wait(const Program& program) {
  if (!program.global_atomics) return false;
  return std::any_of(program.ops.begin(), program.ops.end(), [](const MicroOp& op) {
    return op.operation == Operation::load && op.has(flag::strong) &&
           op.space != MemorySpace::shared;
  });
}

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

/// Grows the sample until its error is small or the budget is used up.
Expected<SamplePlan> automatic_plan(const Program& program, const ExecutionInput& input,
                                    const ProfileOptions& options) {
  constexpr std::uint64_t first_sample = 64, growth = 4;
  for (std::uint64_t count = first_sample;; count *= growth) {
    SamplePlan plan = plan_sample(input.grid, count);
    const std::vector<std::uint64_t> blocks = plan.blocks();
    if (blocks.size() == input.blocks()) return plan;
    TotalSink totals;
    const auto run = run_grid(program, input, blocks, options.grid, totals);
    if (!run) return run.error();
    const Estimate estimate = estimate_total(plan, values_of(totals.totals));
    const auto budget = static_cast<double>(options.budget);
    if (estimate.total <= budget) return plan_all(input.grid);
    const double next = static_cast<double>(run->instructions) * static_cast<double>(growth);
    if (relative_error(estimate) <= options.wanted_error || next > budget) return plan;
  }
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
  profile.findings = run.findings;
  profile.assumed = run.assumed;
  profile.relative_error = relative_error(estimate_total(plan, values_of(sink.block_totals())));
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
  const auto plan = choose_plan(program, input, options);
  if (!plan) return plan.error();
  return profile_plan(program, input, *plan, options.grid);
}

}  // namespace forewarp
