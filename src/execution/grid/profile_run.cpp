// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "execution/grid/profile_run.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

#include "base/normal.h"
#include "execution/grid/block_decisions.h"
#include "execution/grid/block_survey.h"
#include "execution/grid/typical_block.h"
#include "execution/grid/work_kinds.h"

namespace forewarp::execution {
namespace {

/// Counts only the warp instructions of each block.
struct TotalSink : NoSink {
  std::map<std::uint64_t, std::uint64_t> totals;
  [[nodiscard]] TotalSink empty() const { return {}; }
  void merge(const TotalSink& later) { totals.insert(later.totals.begin(), later.totals.end()); }
  void block_ended(const Block& block) { totals[block.linear] = block.executed; }
};

std::vector<double> values_of(const std::map<std::uint64_t, BlockTotal>& totals) {
  std::vector<double> values;
  for (const auto& [block, total] : totals) values.push_back(static_cast<double>(total.all));
  return values;
}

/// What the blocks of the grid come to, in their order, where every one is known.
std::vector<BlockLoad> loads_of(const SamplePlan& plan,
                                const std::map<std::uint64_t, BlockTotal>& totals) {
  if (plan.apart.blocks > 0) return {};
  if (totals.size() == plan.size()) return loads_of_all(totals);
  return loads_of_places(plan.surveyed);
}

double relative_error(const Estimate& estimate) {
  return estimate.total > 0 ? two_sigma * estimate.error / estimate.total : 0;
}

/// Warp instructions of one block; infinite if they exceed the pilot's part of the limit.
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
constexpr double first_share = 0.25;       // share of the budget for a first sample
constexpr std::uint64_t looked_at = 1024;  // blocks whose beginning decides their kind

/// Warp instructions up to which a grid whose blocks differ runs whole: a sample of them is worth
/// less than what it saves.
double whole_budget(const ProfileOptions& options) {
  return static_cast<double>(std::max(options.budget, options.grid.most_instructions / plan_part));
}

/// How many blocks a first sample can afford if the longest takes `longest` instructions.
std::uint64_t affordable_blocks(const ProfileOptions& options, double longest) {
  const double blocks = first_share * static_cast<double>(options.budget) / std::max(1.0, longest);
  return std::clamp(static_cast<std::uint64_t>(std::min(1e6, blocks)), std::uint64_t{1},
                    usual_blocks);
}

/// Warp instructions of one block of each kind: the middle one of those looked at.
Expected<std::vector<double>> work_of_each(const Program& program, const ExecutionInput& input,
                                           const ProfileOptions& options, const BlockKinds& kinds) {
  std::vector<double> work;
  for (const BlockKind& kind : kinds.kinds) {
    const auto one = pilot(program, input, options, kind.places[kind.places.size() / 2].block);
    if (!one) return one.error();
    work.push_back(*one);
  }
  return work;
}

double work_of_all(const BlockKinds& kinds, const std::vector<double>& work) {
  double all = 0;
  for (std::size_t k = 0; k < work.size(); ++k)
    all += work[k] * static_cast<double>(kinds.kinds[k].blocks);
  return all;
}

/// Where not all blocks were looked at: of those drawn none belongs to a kind that is missing, so
/// with 95 % its share is below 3 / drawn (rule of three); its blocks are taken to be as long as
/// the longest.
double unseen_error(const SamplePlan& plan) {
  if (plan.kinds.unlooked <= 0 || plan.kinds.looked_at == 0 || plan.work.empty()) return 0;
  const double mean =
      work_of_all(plan.kinds, plan.work) / std::max(1.0, static_cast<double>(plan.kinds.all()));
  const double longest = *std::max_element(plan.work.begin(), plan.work.end());
  const double share = 3 / static_cast<double>(plan.kinds.looked_at);
  return plan.kinds.unlooked * share * longest / std::max(1.0, mean);
}

/// A first sample of blocks of several kinds, or all blocks; kinds that take too long are set
/// apart.
SamplePlan plan_by_kinds(const ExecutionInput& input, const ProfileOptions& options,
                         BlockKinds kinds, std::vector<double> work) {
  std::vector<BlockPlace> apart;
  for (std::size_t k = work.size(); k-- > 0;) {
    if (!std::isinf(work[k])) continue;
    apart.insert(apart.end(), kinds.kinds[k].places.begin(), kinds.kinds[k].places.end());
    kinds.kinds.erase(kinds.kinds.begin() + static_cast<std::ptrdiff_t>(k));
    work.erase(work.begin() + static_cast<std::ptrdiff_t>(k));
  }
  if (work.empty()) return plan_middles(input.grid);
  const auto budget = static_cast<double>(options.budget);
  if (apart.empty() && work_of_all(kinds, work) <= budget) return plan_all(input.grid);
  const double largest = *std::max_element(work.begin(), work.end());
  SamplePlan plan = plan_kinds(kinds, work, affordable_blocks(options, largest));
  std::ranges::sort(apart, {}, &BlockPlace::block);
  plan.apart = blocks_apart(apart);
  return plan;
}

/// Makes each block of a small kind a kind of its own, as the few may still differ.
void split_small(BlockKinds& kinds) {
  constexpr std::uint64_t small = 8;
  BlockKinds split;
  for (BlockKind& kind : kinds.kinds) {
    if (kind.blocks > small || kind.places.size() < 2 || kind.error > 0) {
      split.kinds.push_back(std::move(kind));
      continue;
    }
    for (const BlockPlace& place : kind.places) split.kinds.push_back({place.size, 0, {place}});
  }
  kinds.kinds = std::move(split.kinds);
}

/// Merges kinds whose blocks take about equally long.
void join_alike(BlockKinds& kinds, std::vector<double>& work) {
  constexpr double alike = 1.25;
  std::vector<std::size_t> order(work.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](auto a, auto b) { return work[a] < work[b]; });
  BlockKinds joined;
  std::vector<double> own;
  double last = -1;
  for (const std::size_t k : order) {
    if (last < 0 || work[k] > alike * last) {
      joined.kinds.emplace_back();
      own.push_back(0);
    }
    last = work[k];
    BlockKind& into = joined.kinds.back();
    const auto before = static_cast<double>(into.blocks);
    const BlockKind& from = kinds.kinds[k];
    into.blocks += from.blocks;
    into.error = std::max(into.error, from.error);
    into.places.insert(into.places.end(), from.places.begin(), from.places.end());
    own.back() += (work[k] - own.back()) * (1 - before / static_cast<double>(into.blocks));
  }
  for (BlockKind& kind : joined.kinds) {
    std::sort(kind.places.begin(), kind.places.end(),
              [](const BlockPlace& a, const BlockPlace& b) { return a.block < b.block; });
  }
  kinds = std::move(joined);
  work = std::move(own);
}

/// Whether a few blocks of the last kinds take much longer than the others; `work` ascends.
bool few_are_long(const BlockKinds& kinds, const std::vector<double>& work) {
  constexpr double few = 0.05, longer = 2;
  const auto all = static_cast<double>(kinds.all());
  double shorter = 0, blocks = 0;
  for (std::size_t k = 0; k + 1 < work.size(); ++k) {
    const auto own = static_cast<double>(kinds.kinds[k].blocks);
    shorter += work[k] * own;
    blocks += own;
    if (all - blocks < few * all && work[k + 1] > longer * shorter / blocks) return true;
  }
  return false;
}

double number(std::uint64_t count) {
  return static_cast<double>(count);
}

/// Warp instructions of one block of each kind, without those that are too long to be executed.
double one_of_each(const std::vector<double>& work) {
  double all = 0;
  for (const double own : work) all += std::isinf(own) ? 0 : own;
  return all;
}

std::vector<BlockPlace> places_with_work(const BlockSurvey& survey) {
  std::vector<BlockPlace> places = survey.places;
  for (std::size_t i = 0; i < places.size(); ++i) {
    places[i].work = survey.work[i];
    places[i].longest = survey.longest[i];
  }
  return places;
}

/// A plan by what each block executes, where blocks differ in that; nullopt: they do not, or it
/// cannot be found out. `unasked`: share of the grid of which decisions by the index are unknown.
std::optional<SamplePlan> plan_by_work(const Program& program, const ExecutionInput& input,
                                       const ProfileOptions& options, double unasked) {
  // A step of the survey takes a fraction of the time of one that is executed and recorded.
  constexpr std::uint64_t survey_part = 4;
  constexpr double longest_part = 0.8;  // of all work, for one block that is known to be so long
  constexpr double whole_part = 0.9;    // of all work, for one block of each kind
  constexpr double fewer_kinds = 6;     // where one of each of the usual number takes too long
  const std::uint64_t most = options.grid.most_instructions;
  auto survey = survey_blocks(program, input, std::max(options.budget, most / survey_part));
  if (!survey) return {};
  if (survey->by_index) survey->unlooked = std::min(survey->unlooked, unasked);
  std::vector<BlockPlace> apart;
  for (std::size_t i = 0; i < survey->work.size(); ++i) {
    double& work = survey->work[i];
    if (work <= longest_part * static_cast<double>(most)) continue;
    apart.push_back(survey->places[i]);
    if (std::isfinite(work)) {
      apart.back().work = work;
      apart.back().longest = survey->longest[i];
    }
    work = std::numeric_limits<double>::infinity();
  }
  if (survey->unlooked == 0 && survey->total() <= static_cast<double>(options.budget))
    return plan_all(input.grid);
  std::vector<double> work;
  BlockKinds kinds = kinds_by_work(*survey, work);
  if (kinds.kinds.size() < 2) return {};
  if (survey->total() <= whole_budget(options)) return plan_all(input.grid);
  for (double fewer = fewer_kinds; fewer >= 2 && one_of_each(work) > whole_part * number(most);
       fewer /= 2)
    kinds = kinds_by_work(*survey, work, fewer);
  SamplePlan plan = plan_by_kinds(input, options, std::move(kinds), std::move(work));
  plan.unasked = survey->unlooked;
  plan.surveyed = places_with_work(*survey);
  if (!plan.kinds.kinds.empty()) plan.unseen = survey->unseen;
  if (plan.apart.blocks > 0) plan.apart = blocks_apart(apart);
  plan.work_error = survey->error();
  return plan;
}

double longest_of(const SamplePlan& plan) {
  return plan.work.empty() ? 0 : *std::max_element(plan.work.begin(), plan.work.end());
}

/// Whether a survey, which may not have got through all blocks, is to be believed rather than
/// decisions, which tell all blocks apart but not the work within a kind: where it met the longest
/// blocks and the work of all differs by more than its error.
bool overrules(const SamplePlan& surveyed, const SamplePlan& decided) {
  constexpr double as_long = 0.8;
  if (surveyed.unasked == 0) return true;
  if (decided.apart.blocks > 0 || longest_of(surveyed) < as_long * longest_of(decided))
    return false;
  const double own = work_of_all(surveyed.kinds, surveyed.work);
  const double other = work_of_all(decided.kinds, decided.work);
  return std::fabs(other / std::max(1.0, own) - 1) > surveyed.work_error.value_or(0);
}

/// The whole grid if that is cheap, else a first sample, which larger_plan() may extend.
Expected<SamplePlan> automatic_plan(const Program& program, const ExecutionInput& input,
                                    const ProfileOptions& options) {
  if (input.blocks() <= few_blocks) return plan_all(input.grid);
  double unasked = options.analysis == nullptr ? 1 : 0;
  if (options.analysis != nullptr) {
    BlockKinds kinds = decided_kinds(*options.analysis, input, most_decided);
    unasked = kinds.unlooked;
    auto plan = plan_long_blocks(program, input, options, std::move(kinds));
    if (!plan) return std::move(plan).error();
    if (*plan) {
      auto surveyed = plan_by_work(program, input, options, unasked);
      if (surveyed && (unasked > 0 || overrules(*surveyed, **plan))) return *std::move(surveyed);
      return **std::move(plan);
    }
  }
  const BlockKinds kinds = find_block_kinds(program, input, looked_at);
  if (kinds.differ()) {
    if (auto plan = plan_by_work(program, input, options, unasked)) return *std::move(plan);
    const auto work = work_of_each(program, input, options, kinds);
    if (!work) return work.error();
    return plan_by_kinds(input, options, kinds, *work);
  }
  const auto middle = pilot(program, input, options, input.blocks() / 2);
  if (!middle) return middle.error();
  const double block = *middle;
  const auto budget = static_cast<double>(options.budget);
  if (block * static_cast<double>(input.blocks()) <= budget) return plan_all(input.grid);
  if (auto plan = plan_by_work(program, input, options, unasked)) return *std::move(plan);
  if (std::isinf(block)) return plan_middles(input.grid);
  SamplePlan plan = plan_sample(input.grid, affordable_blocks(options, block));
  if (options.analysis != nullptr) plan.unasked = unasked;
  return plan;
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
  profile.unasked = plan.unasked;
  profile.executed_instructions = run.instructions;
  profile.blocks = plan.size() + plan.apart.blocks;
  profile.cut = run.cut;
  profile.stopped = run.stopped;
  profile.waits = run.waits;
  profile.findings = run.findings;
  profile.assumed = run.assumed;
  profile.halved = run.halved;
  profile.unmet = run.unmet;
  profile.forgets = run.forgets;
  profile.scattered = run.scattered;
  profile.typical = typical_block(sink.block_totals(), block_weights(plan));
  if (!run.cut && !run.stopped) profile.loads = loads_of(plan, sink.block_totals());
  const std::vector<double> totals = values_of(sink.block_totals());
  const double work = std::max(1.0, work_of_all(plan.kinds, plan.work));
  if (totals.size() == plan.blocks().size()) {
    const Estimate estimate = estimate_total(plan, totals);
    profile.relative_error = relative_error(estimate);
    if (plan.work_error) {
      const double unlike = std::fabs(estimate.total / work - 1);
      profile.relative_error = *plan.work_error + unlike + unseen_error(plan);
      return;
    }
  }
  const std::uint64_t blocks = plan.kinds.all();
  for (std::size_t k = 0; k < plan.work.size(); ++k) {
    const BlockKind& kind = plan.kinds.kinds[k];
    const double share = plan.work[k] * static_cast<double>(kind.blocks) / work;
    // A block more of one kind is one less of another: only the smaller kinds' errors count.
    if (2 * kind.blocks < blocks) profile.relative_error += share * kind.error;
  }
  profile.relative_error += unseen_error(plan);
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

SamplePlan plan_first(const Extent& grid, std::uint64_t count) {
  const std::uint64_t blocks = volume(grid);
  std::vector<std::uint64_t> first(std::min(count, blocks));
  std::iota(first.begin(), first.end(), std::uint64_t{0});
  SamplePlan plan;
  plan.strata.push_back({blocks, 0, std::move(first)});
  return plan;
}

SamplePlan plan_middles(const Extent& grid, std::uint64_t count) {
  const std::uint64_t blocks = volume(grid), parts = std::min(count, blocks);
  SamplePlan plan;
  plan.strata.push_back({blocks, 0, {}});
  for (std::uint64_t i = 0; i < parts; ++i)
    plan.strata.back().blocks.push_back((2 * i + 1) * blocks / (2 * parts));
  return plan;
}

// Blocks wait where work moves between them, or where atomics meet loads that see others' stores.
bool blocks_wait(const Program& program) {
  if (program.moving) return true;
  if (!program.global_atomics) return false;
  return std::any_of(program.ops.begin(), program.ops.end(), [](const MicroOp& op) {
    return op.operation == Operation::load && op.has(flag::strong) &&
           op.space != MemorySpace::shared;
  });
}

bool needs_others(const Program& program) {
  return program.moving || !program.waiting_loops.empty();
}

Expected<SamplePlan> choose_plan(const Program& program, const ExecutionInput& input,
                                 const ProfileOptions& options) {
  // Of a grid that large, the beginning shows what the others do, if anything does.
  constexpr std::uint64_t most_waiting_blocks = 1 << 14;
  if (blocks_wait(program) && input.blocks() <= most_waiting_blocks) return plan_all(input.grid);
  if (program.moving) return plan_first(input.grid, most_waiting_blocks);
  switch (options.sample.mode) {
    case SampleChoice::Mode::all:
      return plan_all(input.grid);
    case SampleChoice::Mode::count:
      return plan_sample(input.grid, options.sample.count);
    default:
      return automatic_plan(program, input, options);
  }
}

std::optional<SamplePlan> plan_surveyed(const Program& program, const ExecutionInput& input,
                                        const ProfileOptions& options) {
  const double unasked = options.analysis == nullptr
                             ? 1
                             : decided_kinds(*options.analysis, input, most_decided).unlooked;
  return plan_by_work(program, input, options, unasked);
}

Expected<std::optional<SamplePlan>> plan_long_blocks(const Program& program,
                                                     const ExecutionInput& input,
                                                     const ProfileOptions& options,
                                                     BlockKinds kinds) {
  std::optional<SamplePlan> none;
  if (kinds.kinds.size() < 2) return none;
  split_small(kinds);
  auto work = work_of_each(program, input, options, kinds);
  if (!work) return std::move(work).error();
  join_alike(kinds, *work);
  if (!few_are_long(kinds, *work)) return none;
  return std::optional(plan_by_kinds(input, options, std::move(kinds), std::move(*work)));
}

std::optional<SamplePlan> larger_plan(const SamplePlan& plan, const PathProfile& profile,
                                      const ExecutionInput& input, const ProfileOptions& options) {
  constexpr std::uint64_t growth = 4;
  if (options.sample.mode != SampleChoice::Mode::automatic || profile.complete()) return {};
  if (profile.cut || profile.stopped || profile.uneven) return {};
  const auto budget = static_cast<double>(options.budget);
  const bool all_run = plan.apart.blocks == 0,
             unsure = profile.relative_error > options.wanted_error;
  const double most = unsure ? whole_budget(options) : budget;
  if (all_run && profile.warp_instructions <= most) return plan_all(input.grid);
  const double next = static_cast<double>(profile.executed_instructions) * growth;
  if (!unsure || next > budget) return {};
  const std::uint64_t count = growth * plan.blocks().size();
  SamplePlan larger = !plan.kinds.kinds.empty() ? plan_kinds(plan.kinds, plan.work, count)
                                                : plan_sample(input.grid, count);
  if (larger.blocks().size() <= plan.blocks().size()) return {};
  larger.apart = plan.apart;
  larger.unasked = plan.unasked;
  larger.work_error = plan.work_error;
  larger.surveyed = plan.surveyed;
  larger.unseen = plan.unseen;
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
  profile.ordered = program.ordered;
  profile.waiting_loops = program.waiting_loops;
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

}  // namespace forewarp::execution
