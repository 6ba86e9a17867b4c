// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "execution/access/access_run.h"

#include <algorithm>
#include <array>
#include <utility>

#include "execution/access/block_synthesis.h"
#include "execution/grid/block_decisions.h"
#include "execution/grid/unseen_code.h"
#include "execution/lowering/moving_work.h"

namespace forewarp::execution {
namespace {

// Enough blocks to fill a large GPU several times, and the fewest instructions per warp: enough to
// reach its loads and to reuse some of their lines.
constexpr std::uint64_t wide = 6144, fewest_of_warp = 96;

// Whole blocks that show what caches do: about one for each SM of a large GPU. The windows may take
// 1/windows_part of what is left of all instructions.
constexpr std::uint64_t enough_whole = 128, windows_part = 2;

constexpr std::array<std::uint64_t, 3> few_that_represent = {8, 3, 1};  // blocks, if no more fit
constexpr unsigned most_shapes = 3;  // of the grid that are tried
// Of what is left of all instructions, for blocks that may show where all others access memory: if
// they do not, windows take as much again.
constexpr std::uint64_t probing_part = 2;
constexpr std::uint64_t few_waiting = 128;  // blocks that show how each waits for those before it

/// Executes blocks for their accesses alone and adds them to the recorded ones. Returns the warp
/// instructions that took.
Expected<std::uint64_t> add_windows(const Program& program, const ExecutionInput& input,
                                    const std::vector<std::uint64_t>& blocks,
                                    const GridOptions& options, const AccessLimits& limits,
                                    AccessSink& sink) {
  if (blocks.empty()) return std::uint64_t{0};
  AccessSink windows(program, input.grid, blocks.size(), limits);
  const auto run = run_grid(program, input, blocks, options, windows);
  if (!run) return run.error();
  sink.merge(windows);
  return run->instructions;
}

/// Blocks of the list that are not recorded.
std::vector<std::uint64_t> missing_of(const std::vector<std::uint64_t>& blocks,
                                      const AccessSink& sink) {
  std::vector<std::uint64_t> missing;
  for (const std::uint64_t block : blocks) {
    if (sink.recorded().find(block) == nullptr) missing.push_back(block);
  }
  return missing;
}

/// Whether the recorded blocks determine the addresses of all blocks, in the grid's own shape or
/// folded. Executes a few more blocks for it if the budget allows and the addresses may still
/// follow the index; adds their instructions to `spent`.
Expected<bool> all_foreseen(const Program& program, const ExecutionInput& input, double per_block,
                            const ProfileOptions& options, const GridOptions& grid,
                            const AccessLimits& limits, AccessSink& sink, std::uint64_t& spent) {
  Extent shape = input.grid;
  for (unsigned round = 0; round < most_shapes; ++round) {
    const BlockSynthesis synthesis(sink.recorded());
    if (synthesis.complete()) return true;
    if (synthesis.follows_data()) {
      const auto folded = synthesis.folded();
      if (!folded) return false;
      shape = *folded;
    }
    const auto more = missing_of(probing_blocks(shape), sink);
    const double cost = per_block * static_cast<double>(more.size());
    const std::uint64_t left = grid.most_instructions - std::min(grid.most_instructions, spent);
    if (cost > static_cast<double>(std::max(options.budget, left / probing_part))) return false;
    const auto shown = add_windows(program, input, more, grid, limits, sink);
    if (!shown) return shown.error();
    spent += *shown;
    sink.fold(shape);
    if (BlockSynthesis(sink.recorded()).complete()) return true;
    sink.fold(input.grid);  // blocks that were not in the sample may show the right shape
    if (more.empty()) return false;
  }
  return false;
}

/// The execution of one plan, before its records are taken out.
struct PlanRun {
  SamplePlan plan;
  PathProfile paths;
  AccessSink sink;
  std::vector<WarpTrace> traced{};  ///< of the plan's only block
};

Expected<PlanRun> run_plan(const Program& program, const ExecutionInput& input, SamplePlan plan,
                           const GridOptions& options, const AccessLimits& limits) {
  const std::vector<std::uint64_t> blocks = plan.blocks();
  AccessSink sink(program, input.grid, blocks.size(), limits);
  if (blocks.size() != 1 || needs_others(program)) {
    auto paths = profile_plan_with(program, input, plan, options, sink);
    if (!paths) return std::move(paths).error();
    return PlanRun{std::move(plan), std::move(*paths), std::move(sink)};
  }
  // A lone block is the typical one: what it executes is traced at once.
  const auto warps = places_of(blocks.front(), input.warps_per_block());
  BothSinks<AccessSink, WarpTracer> both{std::move(sink), WarpTracer(program, warps)};
  auto paths = profile_plan_with(program, input, plan, options, both);
  if (!paths) return std::move(paths).error();
  return PlanRun{std::move(plan), std::move(*paths), std::move(both.first),
                 both.second.take(warps)};
}

/// The error when blocks must run together but cannot: none of them shows what the others do.
Diagnostic too_long_together(const Program& program, const ExecutionInput& input) {
  const std::string why =
      program.moving ? "work moves between its blocks: " + moving_text(program, *program.moving)
                     : "its blocks wait for each other";
  return {program.kernel->name,
          why + "; all " + std::to_string(input.blocks()) +
              " of them must be executed together, and that takes more than the budget",
          "", "a larger --budget, or a smaller launch"};
}

/// Whether the run may have been cut because a few blocks are much longer than the others.
bool can_divide(const PlanRun& run, const ProfileOptions& options) {
  return run.paths.cut && !run.paths.stopped && run.plan.blocks().size() > 1 &&
         options.analysis != nullptr;
}

/// Where data may lead a few blocks, missed by the sample, to code that takes long: a new sample
/// that includes some of them.
Expected<PlanRun> with_unseen_code(const Program& program, const ExecutionInput& input,
                                   const ProfileOptions& options, const GridOptions& grid,
                                   const AccessLimits& limits, PlanRun run) {
  const PathProfile& paths = run.paths;
  if (options.analysis == nullptr || options.sample.mode != SampleChoice::Mode::automatic ||
      paths.complete() || paths.cut || paths.stopped || paths.uneven) {
    return run;
  }
  const std::vector<UnseenCode> code = unseen_code(*options.analysis, program, paths);
  if (code.empty()) return run;
  auto kinds = kinds_by_code(program, input, code, paths, options);
  if (!kinds) return run;  // a fault outside the sample must not fail the prediction
  if (kinds->kinds.size() < 2) {
    run.paths.unseen_branch = code.front().branch;
    run.paths.looked_for_code = std::min(kinds->looked_at, input.blocks());
    return run;
  }
  auto plan = plan_long_blocks(program, input, options, *std::move(kinds));
  if (!plan) return std::move(plan).error();
  if (!*plan) return run;
  auto next = run_plan(program, input, **std::move(plan), grid, limits);
  if (!next || next->paths.cut) run.paths.uneven = true;
  return next && !next->paths.cut ? std::move(next) : std::move(run);
}

/// Warp instructions of the blocks that are to be executed, if the kinds of blocks are known.
double planned_work(const SamplePlan& plan) {
  double work = 0;
  for (const Stratum& stratum : plan.strata) {
    if (stratum.kind < plan.work.size())
      work += plan.work[stratum.kind] * static_cast<double>(stratum.blocks.size());
  }
  return work;
}

/// The group of warps that executed most before they ended, or the run did.
std::optional<PathGroup> longest_group(const PathProfile& paths) {
  const auto most = std::ranges::max_element(paths.groups, {}, &PathGroup::instructions);
  return most == paths.groups.end() ? std::nullopt : std::optional(*most);
}

/// Whether it has warps about as long as `most`, which another run ended.
bool has_as_long(const PlanRun& run, const PathGroup& most) {
  constexpr std::uint64_t about = 2;  // times as long
  const auto longest = longest_group(run.paths);
  return longest && longest->instructions * about >= most.instructions;
}

/// A sample that took more than the budget.
bool exceeds(const PlanRun& run) {
  return run.paths.cut && !run.paths.stopped && run.plan.blocks().size() > 1;
}

/// Blocks far apart that stand for all, as many as can be executed; `most`: the warps of what had
/// to be given up that executed most.
Expected<PlanRun> with_middles(const Program& program, const ExecutionInput& input,
                               const GridOptions& grid, const AccessLimits& limits, PlanRun run,
                               std::optional<PathGroup>& most, std::uint64_t& spent) {
  for (const std::uint64_t count : few_that_represent) {
    if (!exceeds(run)) break;
    most = longest_group(run.paths);
    SamplePlan plan = plan_middles(input.grid, count);
    if (plan.blocks().size() >= run.plan.blocks().size()) continue;
    auto next = run_plan(program, input, std::move(plan), grid, limits);
    // Only the block in the middle has been executed before; a fault of others is not the launch's.
    if (!next && count > 1) continue;
    if (!next) return next;
    spent += run.paths.executed_instructions;
    run = *std::move(next);
    if (run.paths.cut) continue;
    run.paths.uneven = true;
    run.paths.relative_error = 1;
  }
  return run;
}

/// Where blocks are longer than the one in the middle, and the sample took more than the budget:
/// one by what a survey counts, else a few far apart. If none of those is as long as one that was
/// given up, those that are too long are known to the survey, or it is that one. `spent` grows by
/// what was given up.
Expected<PlanRun> with_fewer_blocks(const Program& program, const ExecutionInput& input,
                                    const ProfileOptions& options, const GridOptions& grid,
                                    const AccessLimits& limits, PlanRun run, std::uint64_t& spent) {
  std::optional<SamplePlan> surveyed;
  const auto run_surveyed = [&] {
    GridOptions known = grid;
    const auto most = static_cast<double>(options.grid.most_instructions);
    if (planned_work(*surveyed) <= most) known.most_instructions = options.grid.most_instructions;
    auto next = run_plan(program, input, *surveyed, known, limits);
    if (next && next->paths.cut) spent += next->paths.executed_instructions;
    return next;
  };
  const bool automatic = options.sample.mode == SampleChoice::Mode::automatic;
  if (automatic && exceeds(run) && run.plan.kinds.kinds.empty())
    surveyed = plan_surveyed(program, input, options);
  if (surveyed && surveyed->apart.blocks == 0) {  // the survey came to the end of each
    auto next = run_surveyed();
    if (next && !next->paths.cut) return next;
  }
  std::optional<PathGroup> most;
  auto few = with_middles(program, input, grid, limits, std::move(run), most, spent);
  if (!few || !few->paths.uneven || !most || has_as_long(*few, *most)) return few;
  if (surveyed && surveyed->apart.blocks > 0) {
    auto next = run_surveyed();
    if (next && !next->paths.cut) return next;
  }
  few->plan.apart = {1, most->block, most->block, 1, {}};  // the launch waits for it, too
  return few;
}

/// The buffers of known size, by address.
std::vector<BufferRange> ranges_of(const ExecutionInput& input) {
  std::vector<BufferRange> ranges;
  for (const ExecutionBuffer& buffer : input.buffers) {
    if (buffer.sized) ranges.push_back({buffer.address, buffer.bytes});
  }
  std::sort(ranges.begin(), ranges.end(),
            [](const BufferRange& a, const BufferRange& b) { return a.address < b.address; });
  return ranges;
}

}  // namespace

std::vector<std::uint64_t> window_blocks(const Extent& grid, std::uint64_t blocks) {
  constexpr std::uint64_t windows = 3;
  const std::uint64_t all = volume(grid);
  std::vector<std::uint64_t> result;
  if (blocks >= all || blocks < windows) {
    for (std::uint64_t i = 0; i < std::min(all, blocks); ++i) result.push_back(i);
    return result;
  }
  const std::uint64_t size = blocks / windows;
  for (std::uint64_t window = 0; window < windows; ++window) {
    const std::uint64_t first = (all - size) / (windows - 1) * window;
    for (std::uint64_t i = first; i < first + size; ++i) result.push_back(i);
  }
  return result;
}

Expected<ExecutedProfile> execute_profile(const Program& program, const ExecutionInput& input,
                                          const ProfileOptions& options,
                                          const AccessLimits& limits) {
  auto plan = choose_plan(program, input, options);
  if (!plan) return std::move(plan).error();
  GridOptions grid = options.grid;
  grid.keep_cut = true;
  // What is known to fit may take all of the budget.
  grid.most_instructions = options.grid.most_instructions;
  const double known = planned_work(*plan);
  const bool fits = known > 0 && known <= static_cast<double>(options.grid.most_instructions);
  // Where blocks hang on each other nothing can stand for all of them, so that all may be spent.
  if (!fits && !program.ordered && !blocks_wait(program)) grid.most_instructions /= plan_part;
  auto run = run_plan(program, input, *std::move(plan), grid, limits);
  // Without a loop that waits (the last block that adds up what others left) each runs alone, too.
  const bool together = needs_others(program);
  const bool too_long = run && run->paths.cut && !run->paths.stopped && together;
  if (too_long) {
    if (!run->paths.waits) run->paths.cut = too_long_together(program, input);
    // Those that wait for blocks before them need not all run.
    if (!program.waiting_loops.empty() && run->plan.blocks().size() > few_waiting) {
      auto first = run_plan(program, input, plan_first(input.grid, few_waiting), grid, limits);
      if (first && !first->paths.cut && !first->paths.stopped) run = std::move(first);
    }
  }
  const bool waiting = run && run->paths.cut && together;
  if (run && !waiting && can_divide(*run, options)) {
    // The long block may be at an end of the grid.
    auto divided = plan_long_blocks(program, input, options,
                                    decided_kinds(*options.analysis, input, most_decided, true));
    if (divided && *divided) run = run_plan(program, input, **std::move(divided), grid, limits);
  }
  std::uint64_t spent = 0;
  if (run && !waiting)
    run = with_fewer_blocks(program, input, options, grid, limits, *std::move(run), spent);
  while (run) {
    spent += run->paths.executed_instructions;
    if (too_long) break;  // all blocks together have been tried
    auto larger = larger_plan(run->plan, run->paths, input, options);
    if (!larger) break;
    auto next = run_plan(program, input, *std::move(larger), grid, limits);
    if (next && next->paths.cut) break;
    run = std::move(next);
  }
  if (run) run = with_unseen_code(program, input, options, grid, limits, *std::move(run));
  if (!run) return std::move(run).error();
  ExecutedProfile result{
      std::move(run->plan), std::move(run->paths), {}, spent, std::move(run->traced)};
  AccessSink& sink = run->sink;
  const double per_block =
      static_cast<double>(result.paths.executed_instructions) /
      static_cast<double>(std::max<std::uint64_t>(1, result.paths.executed_blocks));
  const bool ended = result.paths.cut || result.paths.stopped;
  const auto foreseen = ended ? Expected<bool>(true)
                              : all_foreseen(program, input, per_block, options, grid, limits, sink,
                                             result.spent_instructions);
  if (!foreseen) return foreseen.error();
  if (*foreseen) {
    result.accesses = sink.take();
    return result;
  }
  // The addresses depend on data: only blocks that ran together show what the caches do.
  const std::uint64_t left =
      grid.most_instructions - std::min(grid.most_instructions, result.spent_instructions);
  const bool automatic = options.sample.mode == SampleChoice::Mode::automatic;
  const std::uint64_t most =
      automatic ? std::max(options.budget, left / windows_part) : options.budget;
  const auto affordable =
      static_cast<std::uint64_t>(static_cast<double>(most) / std::max(1.0, per_block));
  // Breadth before depth: if only a few blocks can run to their end, run the beginnings of as many
  // blocks as are resident together. Enough whole ones show what a block uses again, however late.
  GridOptions running = grid;
  std::uint64_t width = affordable;
  if (affordable < std::min(automatic ? enough_whole : wide, input.blocks())) {
    const std::uint64_t warps = input.warps_per_block();
    width = std::min({wide, input.blocks(),
                      std::max<std::uint64_t>(1, options.budget / (warps * fewest_of_warp))});
    width = std::max(width, affordable);
    running.most_of_block = std::max(options.budget / width, warps * fewest_of_warp);
  }
  std::vector<std::uint64_t> windows = window_blocks(input.grid, width);
  const auto shown = add_windows(program, input, missing_of(windows, sink), running, limits, sink);
  if (!shown) return shown.error();
  result.spent_instructions += *shown;
  result.accesses = sink.take();
  result.accesses.buffers = ranges_of(input);
  result.accesses.window_blocks = std::move(windows);
  return result;
}

}  // namespace forewarp::execution
