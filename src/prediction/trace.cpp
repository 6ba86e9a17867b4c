// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "prediction/trace.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>

#include "base/cache/content_key.h"
#include "base/cache/disk_cache.h"
#include "base/text.h"
#include "binding/bound_kernel.h"
#include "hardware/gpu_key.h"
#include "memory/memory_looks.h"
#include "memory/memory_profile.h"
#include "prediction/execution.h"
#include "prediction/execution_report.h"
#include "prediction/launch_checks.h"
#include "prediction/launch_notes.h"
#include "prediction/memory_options.h"
#include "prediction/missing_arguments.h"
#include "prediction/paths/cut_profile.h"
#include "prediction/paths/path_finder.h"
#include "prediction/trace_archive.h"

namespace forewarp::prediction {
namespace {

constexpr double like_another = 0.1;  // blocks whose lengths differ by less are taken as alike

// Lines to replay through the caches. If no line is used twice, a short replay is enough, unless it
// does not reach the ends of blocks, which may come back to what they began with.
constexpr std::uint64_t quick_look = 40'000;
constexpr std::uint64_t middle_look = 160'000;  // enough, if it tells what the quick one does
constexpr std::uint64_t usual_look = 1'000'000;
constexpr double used_again = 0.002;  // hit rate

/// Whether a look at four times the lines changed nothing that counts.
bool tell_the_same(const MemoryProfile& few, const MemoryProfile& more) {
  constexpr double same_rate = 0.01, same_bytes = 0.02;
  const auto near = [](double a, double b, double within) { return std::fabs(a - b) <= within; };
  const double bytes = more.dram_read_bytes + more.dram_write_bytes;
  return near(few.l1_hit_rate, more.l1_hit_rate, same_rate) &&
         near(few.l2_hit_rate, more.l2_hit_rate, same_rate) &&
         near(few.dram_read_bytes + few.dram_write_bytes, bytes, same_bytes * bytes);
}

MemoryProfile replay(const Launch& launch, const Trace& made, const Query& query) {
  const ExecutedProfile& executed = made.profile->executed;
  const MemoryOptions memory = memory_options(launch, query);
  const MemoryLook look = memory_looks(executed.accesses, executed.plan, *launch.gpu, memory);
  const double share = query.budget_seconds.value / usual_budget_seconds;
  if (query.options.exact || share > 1) {
    return look(memory.most_replayed, memory.warm);
  }
  MemoryProfile quick = look(quick_look, false);
  const bool streams = quick.reached >= 1 && quick.l1_hit_rate < used_again &&
                       quick.l2_hit_rate < used_again && quick.atomic_sectors == 0;
  if (!streams && quick.replayed_share < 1) {
    if (share >= 1) {
      MemoryProfile middle = look(middle_look, memory.warm);
      if (memory.warm) quick = look(quick_look, true);
      if (middle.reached >= 1 && tell_the_same(quick, middle)) return middle;
    }
    const double lines = std::max<double>(quick_look, share * usual_look);
    return look(static_cast<std::uint64_t>(std::min<double>(lines, usual_look)), memory.warm);
  }
  return memory.warm ? look(quick_look, true) : quick;
}

bool may_execute(const Query& query) {
  return query.options.execute && query.options.trips.empty();
}

/// Whether the recorded accesses themselves are needed, which are not kept on disk: a program's
/// memory has no key, an upper bound needs every block's path, slow segments of memory addresses.
bool needs_accesses(const Launch& launch, const Query& query) {
  return query.options.device || query.options.worst_case || launch.gpu->memory.segments.size() > 1;
}

/// What of a board a key has: all of it, or what a replay depends on.
using AddBoard = void (*)(const Gpu& gpu, KeyBytes& key);

/// Everything that executing a launch and replaying it on its GPU depend on. `execution`: the key
/// of the execution alone.
std::string trace_key(const Launch& launch, const Query& query, const std::string& execution,
                      AddBoard add) {
  KeyBytes key;
  key.add_text(execution).add_text(launch.code.input);
  add(*launch.gpu, key);
  const MemoryOptions memory = memory_options(launch, query);
  key.add(memory.warm).add(memory.blocks_per_sm).add(memory.shared_per_block);
  key.add(memory.carveout_percent).add(memory.most_replayed).add(query.options.exact);
  key.add(query.budget_seconds.value).add(query.options.execute).add(query.options.cache);
  key.add(needs_accesses(launch, query));
  for (const auto& [address, trips] : query.options.trips) key.add(address).add(trips);
  return key.take();
}

constexpr std::string_view first_layout = "forewarp-launch-5\n";

DiskCache kept_launches() {
  constexpr std::size_t most = std::size_t{4} << 20;
  return DiskCache::named("launches", ".launch", most);
}

/// The key under which other processes find it, of this build alone as it lays out its records;
/// empty if it is not to be kept. A board with other clocks or another memory has it too.
std::string disk_key(const Launch& launch, const Query& query, const std::string& execution) {
  if (!query.options.cache || needs_accesses(launch, query)) return {};
  return content_key(std::string(first_layout) + program_stamp() +
                     trace_key(launch, query, execution, add_replayed));
}

std::optional<ArchivedLaunch> recall(const std::string& key) {
  if (key.empty()) return {};
  const auto body = kept_launches().find(key);
  return body ? unpack_launch(*body) : std::nullopt;
}

void remember(const std::string& key, const LaunchProfile& profile, const MemoryProfile& memory) {
  const DiskCache kept = kept_launches();
  if (key.empty() || !kept.keeps()) return;
  kept.store(key, pack_launch({without_accesses(profile), memory}));
}

/// For when the budget ended the execution inside a block: scales counts and traffic to the trip
/// counts that are foreseen for its loops.
void complete_cut(const Launch& launch, Trace& made, MemoryProfile& memory) {
  const Kernel& kernel = *launch.code.kernel;
  const FoundPaths& foreseen = *made.foreseen;
  const BoundKernel bound(kernel, *launch.gpu, foreseen.paths, foreseen.patterns, launch.clock);
  const std::vector<double> executions = bound.executions();
  auto profile = std::make_shared<LaunchProfile>(*made.profile);
  PathProfile& paths = profile->executed.paths;
  const double warps = made.working_warps();
  made.executed_share = executed_share(paths, executions, made.warps_per_block);
  const std::vector<double> factors = cut_factors(paths, executions, warps);
  paths = completed_paths(std::move(paths), factors, executions, warps);
  made.profile = std::move(profile);
  const std::string executed =
      paths.waits
          ? "blocks wait for some that were not executed: loops that a poll ends are passed "
            "once, and others follow their trip counts"
          : "the budget was spent after " + significant(100 * made.executed_share, 2) +
                " % of a block: the rest of its loops follows from their trip counts";
  made.notes.findings.push_back({"cut", executed + "; give a larger --budget to execute more"});
  if (!factors.empty()) memory = completed_memory(std::move(memory), factors, kernel);
}

/// Notes the part of the budget that is spent, in seconds of counted work.
void account(Trace& made) {
  const WorkRates& rates = own_work_rates();
  double lines = 0;
  for (const auto& [i, access] : made.memory->instructions) lines += access.lines;
  made.work.executed =
      static_cast<double>(made.profile->spent_instructions) / rates.warp_instructions;
  made.work.replayed = lines * made.memory->replayed_share / rates.replayed_lines;
}

/// Replays what was executed through the caches, and sets the shares that scale it to the whole
/// grid.
void complete(const Launch& launch, const Query& query, const std::string& disk_key, Trace& made) {
  const bool cut = made.profile->executed.paths.cut.has_value();
  if (!cut) made.working_share = working_share(*made.profile, launch.gpu->sms);
  MemoryProfile memory = made.memory ? *made.memory : replay(launch, made, query);
  if (!made.memory) remember(disk_key, *made.profile, memory);
  if (cut && made.foreseen) complete_cut(launch, made, memory);
  made.memory = std::make_shared<const MemoryProfile>(std::move(memory));
  account(made);
  note_executed(launch, *made.profile, made.notes.findings, made.notes.assumptions);
  note_memory(*made.memory, made.notes.assumptions);
  note_fetches(*made.memory, made.notes.findings);
  note_far_hits(*made.memory, *launch.gpu, made.notes.assumptions);
}

/// The message when the execution was cut and cannot be completed, as a loop's trip count is
/// unknown.
Diagnostic endless(Diagnostic cut, const Diagnostic& analysis) {
  cut.found += ", and its passes are not known beforehand: " + analysis.found;
  return cut;
}

/// Recalls the launch from disk, then with its traffic, if a process has executed it for this GPU;
/// else executes it.
Expected<std::shared_ptr<const LaunchProfile>> recall_or_execute(const Launch& launch,
                                                                 const PlannedExecution& planned,
                                                                 const std::string& disk_key,
                                                                 MemoryCache& cache, Trace& made) {
  if (auto known = recall(disk_key)) {
    made.memory = std::make_shared<const MemoryProfile>(std::move(known->memory));
    return std::make_shared<const LaunchProfile>(std::move(known->profile));
  }
  return executed(launch.code, planned, cache);
}

/// What may be executed of a launch; a failure says why nothing is.
using Planned = Expected<std::shared_ptr<const PlannedExecution>>;

/// The paths in which no block has to wait: loops that a poll ends are passed once.
Expected<FoundPaths> find_unhindered(const Launch& launch, const Query& query,
                                     const PathProfile& paths) {
  PredictOptions once = query.options;
  for (const std::uint32_t begin : paths.waiting_loops) once.trips.try_emplace(begin, 1);
  return PathFinder(*launch.code.analysis, once).find(launch.config, launch.arguments, *launch.gpu);
}

/// Fills made.profile, or returns why it stays empty; fails if the execution was stopped, or was
/// cut and the analysis has no trip counts to complete it.
Expected<std::optional<Diagnostic>> look(const Launch& launch, const Query& query,
                                         const Planned& planned, Expected<FoundPaths>& found,
                                         MemoryCache& cache, Trace& made) {
  using Unexecuted = std::optional<Diagnostic>;
  if (!planned) return Unexecuted(planned.error());
  auto profile =
      recall_or_execute(launch, **planned, disk_key(launch, query, (*planned)->key), cache, made);
  if (!profile) return Unexecuted(profile.error());
  const PathProfile& paths = (*profile)->executed.paths;
  if (paths.stopped) return *paths.stopped;
  if (paths.cut && !found && !paths.waiting_loops.empty())
    found = find_unhindered(launch, query, paths);
  if (paths.cut && !found) return endless(*paths.cut, found.error());
  if (found && overrules_run(launch.code, query.options, paths)) {
    return Unexecuted(Diagnostic{launch.code.kernel->name,
                                 "--assume-branch overrules what it computes", "",
                                 "leave out --assume-branch"});
  }
  made.profile = *profile;
  return Unexecuted();
}

/// `cache`: null where nothing may be executed.
Expected<std::shared_ptr<const Trace>> trace_of(const Launch& launch, const Query& query,
                                                const std::string& key, const Planned& planned,
                                                MemoryCache* cache) {
  auto shared = std::make_shared<Trace>();
  Trace& made = *shared;
  made.key = key;
  made.work.budget = query.budget_seconds.value;
  made.blocks = launch.config.blocks();
  made.warps_per_block = launch.occupancy.warps_per_block;
  auto found = PathFinder(*launch.code.analysis, query.options)
                   .find(launch.config, launch.arguments, *launch.gpu);
  std::optional<Diagnostic> unexecuted;
  if (cache != nullptr && may_execute(query)) {
    auto looked = look(launch, query, planned, found, *cache, made);
    if (!looked) return std::move(looked).error();
    unexecuted = std::move(*looked);
  }
  if (!made.profile && !found) {
    return without_counts(found.error(), unexecuted, *launch.code.kernel, launch.arguments);
  }
  if (found) made.foreseen = std::make_shared<const FoundPaths>(std::move(*found));
  if (made.profile) {
    complete(launch, query, disk_key(launch, query, (*planned)->key), made);
  } else {
    made.memory.reset();
    note_static_profile(query, launch, *made.foreseen, unexecuted, made.notes);
  }
  return std::shared_ptr<const Trace>(std::move(shared));
}

}  // namespace

double working_share(const LaunchProfile& profile, std::uint32_t sms) {
  double typical = 0;
  for (const WarpTrace& trace : profile.typical) typical += static_cast<double>(trace.instructions);
  const double blocks = static_cast<double>(profile.executed.paths.blocks);
  if (typical <= 0 || blocks <= 0) return 1;
  // A few far longer blocks are timed by themselves: their work makes no others.
  const double apart = profile.longest.blocks > sms ? 0 : profile.longest.beyond;
  const double share = (profile.executed.paths.warp_instructions - apart) / blocks / typical;
  return std::fabs(share - 1) <= like_another ? 1 : share;
}

double Trace::working_blocks() const {
  return std::max(1.0, static_cast<double>(blocks) * working_share);
}

Trace replayed(Trace edited, const Launch& launch, const Query& query) {
  edited.working_share = working_share(*edited.profile, launch.gpu->sms);
  edited.memory = std::make_shared<const MemoryProfile>(replay(launch, edited, query));
  account(edited);
  return edited;
}

TracePlan plan_trace(const Launch& launch, const Query& query) {
  auto execution = plan_execution(launch, query.options, prediction_budget(query.options));
  if (!execution) return {std::move(execution).error(), {}};
  std::string key = content_key(trace_key(launch, query, execution->key, add_board));
  return {std::make_shared<const PlannedExecution>(*std::move(execution)), std::move(key)};
}

Expected<std::shared_ptr<const Trace>> make_trace(const Launch& launch, const Query& query,
                                                  const TracePlan& plan, MemoryCache& cache) {
  return cache.get<Trace>(
      "trace", plan.key, [&] { return trace_of(launch, query, plan.key, plan.execution, &cache); },
      OnFailure::keep);
}

Expected<std::shared_ptr<const Trace>> foreseen_trace(const Launch& launch, const Query& query) {
  return trace_of(launch, query, {}, Diagnostic{}, nullptr);
}

std::size_t kept_bytes(const Trace& trace) {
  std::size_t bytes = sizeof trace;
  if (trace.profile) bytes += kept_bytes(*trace.profile);
  if (trace.memory) bytes += trace.memory->instructions.size() * sizeof(InstructionMemory);
  if (trace.foreseen) bytes += trace.foreseen->patterns.bytes();
  return bytes;
}

}  // namespace forewarp::prediction
