// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "prediction/bound.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "base/cache/content_key.h"
#include "base/counted.h"
#include "base/text.h"
#include "binding/bound_kernel.h"
#include "hardware/gpu.h"
#include "memory/memory_profile.h"
#include "prediction/executed_code.h"
#include "prediction/execution.h"
#include "prediction/memory_stretches.h"
#include "prediction/ordered.h"
#include "prediction/paths/executed_counts.h"
#include "prediction/paths/executed_paths.h"
#include "prediction/paths/path_finder.h"

namespace forewarp::prediction {
namespace {

/// What one launch is bound from.
struct Parts {
  const Launch& launch;
  const Trace& trace;
  const Query& query;
  std::shared_ptr<const Kernel> code;

  [[nodiscard]] const Kernel& kernel() const { return *code; }
  [[nodiscard]] std::shared_ptr<BoundKernel> bound(std::vector<WarpPath> paths,
                                                   AccessPatterns patterns) const {
    return std::make_shared<BoundKernel>(kernel(), *launch.gpu, std::move(paths),
                                         std::move(patterns), launch.clock);
  }
  /// Issues for which a block is replayed: fewer if the prediction has a smaller budget than usual.
  [[nodiscard]] std::uint64_t followed_issues() const {
    constexpr double fewest = 10'000;
    constexpr auto usual = static_cast<double>(BoundKernel::whole_block);
    const double share = query.budget_seconds.value / usual_budget_seconds;
    return static_cast<std::uint64_t>(std::clamp(usual * share, fewest, usual));
  }
};

/// The warps of the block whose latency is the launch's: where every block has an SM of its own,
/// the longest one ends the launch; else a typical one. Blocks far longer than that are bound
/// apart.
const std::vector<WarpTrace>& deciding_block(const Parts& from) {
  const LaunchProfile& profile = *from.trace.profile;
  const bool alone = from.trace.working_blocks() <= from.launch.gpu->sms;
  const bool longer = profile.longest.longer && !(profile.longest.blocks > 0);
  return alone && longer ? profile.longest.warps : profile.typical;
}

std::shared_ptr<const BoundKernel> bound_as_executed(const Parts& from) {
  const Trace& trace = from.trace;
  const Kernel& kernel = from.kernel();
  const LaunchProfile& profile = *trace.profile;
  const ExecutedCounts counts = executed_counts(profile.executed.paths, trace.working_warps());
  AccessPatterns patterns(kernel.instructions.size());
  if (trace.foreseen) patterns = trace.foreseen->patterns;
  apply_memory(kernel, profile.executed.paths, *trace.memory, *from.launch.gpu, patterns);
  std::shared_ptr<BoundKernel> made;
  // What waits for copies and for other warps is known of warps that were executed alone.
  const std::vector<WarpTrace>& warps = deciding_block(from);
  const bool waits = std::any_of(warps.begin(), warps.end(),
                                 [](const WarpTrace& warp) { return !warp.events.empty(); });
  if (trace.foreseen && !waits) {
    made = from.bound(trace.foreseen->paths, patterns);
    if (!counts_agree(kernel, made->executions(), counts)) made.reset();
  }
  const bool agrees = made != nullptr;
  if (!agrees) made = from.bound(executed_paths(kernel, warps), std::move(patterns));
  made->count_as(counts, agrees);
  made->follow_block(from.launch.occupancy.warps_per_block, from.followed_issues());
  return made;
}

/// Patterns as executed; of instructions that no executed block reached, the foreseen ones.
AccessPatterns patterns_of(const Parts& from, const BoundKernel& executed,
                           AccessPatterns foreseen) {
  const AccessPatterns& seen = executed.patterns();
  const auto& counts = from.trace.profile->executed.paths.instructions;
  for (std::size_t i = 0; i < foreseen.size(); ++i) {
    if (counts[i].warps > 0 && foreseen[i] != seen[i]) foreseen.at(i) = seen[i];
  }
  return foreseen;
}

std::string number_of_long(const Parts& from) {
  return significant(from.trace.profile->longest.blocks, 6) + " of " +
         std::to_string(from.launch.config.blocks()) + " blocks are too long to be executed";
}

/// Says what stands for a block whose loops no analysis foresees.
void note_unforeseen(const Parts& from, const std::string& why, Notes& notes) {
  const LongBlocks& longest = from.trace.profile->longest;
  const std::string all = counted(longest.work.all) + " warp instructions";
  std::string kind = "cut", text;
  if (longest.warps.empty()) {
    text = "they are left out, as none of them can be executed alone, and ";
  } else if (longest.work.ended) {
    const auto begun = static_cast<double>(instructions_of(longest.warps));
    text = "the first " + counted(begun) + " of one stand for all of its " + all + ", as ";
  } else {
    kind = "endless-block";
    text = longest.counted ? "one has not ended after " + all : "of one, " + all + " are known";
    text += ", and the time is the least that it takes, as ";
  }
  notes.findings.push_back(
      {std::move(kind), number_of_long(from) + ": " + text + why + "; give a larger --budget"});
}

/// A block far longer than most; null: there is none.
std::shared_ptr<const BoundKernel> bound_longest(const Parts& from, const BoundKernel& executed,
                                                 Bound& whole) {
  const Launch& launch = from.launch;
  const LongBlocks& longest = from.trace.profile->longest;
  if (!longest.decides()) return nullptr;
  std::shared_ptr<BoundKernel> made;
  if (longest.apart) {
    auto found = PathFinder(*launch.code.analysis, from.query.options)
                     .find(launch.config, launch.arguments, *launch.gpu, longest.block);
    if (found) {
      whole.notes.findings.push_back({"cut", number_of_long(from) +
                                                 ": the rest of their loops follows from trip "
                                                 "counts; give a larger --budget to execute them"});
      made = from.bound(std::move(found->paths),
                        patterns_of(from, executed, std::move(found->patterns)));
    } else {
      note_unforeseen(from, found.error().found, whole.notes);
      if (longest.warps.empty()) return nullptr;
      whole.longest_begun = true;
    }
  }
  if (!made) made = from.bound(executed_paths(from.kernel(), longest.warps), executed.patterns());
  made->follow_block(from.launch.occupancy.warps_per_block, from.followed_issues());
  return made;
}

std::string bound_key(const Launch& launch, const Trace& trace) {
  if (trace.key.empty()) return {};
  KeyBytes key;
  key.add_text(trace.key).add(launch.clock.value());
  return content_key(key.take());
}

Expected<std::shared_ptr<const Bound>> bound_of(const Parts& from) {
  auto made = std::make_shared<Bound>();
  made->key = bound_key(from.launch, from.trace);
  made->code = from.code;
  made->gpu = from.launch.gpu;
  if (from.trace.profile) {
    made->kernel = bound_as_executed(from);
    made->longest = bound_longest(from, *made->kernel, *made);
    auto order = follow_order(from.launch, from.trace, from.query, *made->kernel, made->notes);
    if (!order) return std::move(order).error();
    made->order = *std::move(order);
  } else {
    const FoundPaths& foreseen = *from.trace.foreseen;
    made->kernel = from.bound(foreseen.paths, foreseen.patterns);
  }
  made->stretches = memory_stretches(from.launch, from.trace);
  return std::shared_ptr<const Bound>(std::move(made));
}

}  // namespace

Expected<std::shared_ptr<const Bound>> make_bound(const Launch& launch, const Trace& trace,
                                                  const Query& query, MemoryCache* cache) {
  const Parts from{launch, trace, query, executed_code(launch.code.kernel, trace.memory.get())};
  if (cache == nullptr) return bound_of(from);
  return cache->get<Bound>("bound", bound_key(launch, trace), [&] { return bound_of(from); });
}

Cycles longest_block(const Launch& launch, const Trace& trace, const Bound& bound,
                     const LatencyRules& rules, LoopCounting counting, double beyond) {
  if (!bound.longest) return {};
  const BoundLatency& latency = bound.longest->latency(rules, counting);
  // It begins like every other block: a grid of it alone takes no longer than with others beside
  // it.
  const LongBlocks& longest = trace.profile->longest;
  const double rest = bound.longest_begun ? longest.beyond_longest() : 1,
               rest_of_all = bound.longest_begun ? longest.beyond_all() : 1;
  const double alone =
      beyond * rest * std::max(latency.cycles, latency.block_cycles) + launch.gpu->block_turnaround;
  if (!longest.apart) return Cycles(alone);  // the counts include all such blocks
  double busiest = 0;
  const Demand demand = bound.longest->demand();
  for (const double cycles : demand.cycles()) busiest = std::max(busiest, cycles);
  const double warps =
      rest_of_all * longest.mean_share * longest.blocks * launch.occupancy.warps_per_block;
  return Cycles(std::max(alone, busiest * warps / launch.gpu->sms));
}

double longest_begins(const Launch& launch, const Trace& trace) {
  const double sms = launch.gpu->sms;
  if (!trace.profile) return 0;
  const LongBlocks& longest = trace.profile->longest;
  if (!(longest.blocks > 0) || longest.blocks > sms) return 0;
  const auto blocks = static_cast<double>(launch.config.blocks());
  const double at_once = sms * launch.occupancy.blocks;
  return std::max(0.0, (static_cast<double>(longest.last) - at_once) / blocks);
}

std::size_t kept_bytes(const Bound& bound) {
  const auto of = [](const BoundKernel* kernel) {
    if (kernel == nullptr) return std::size_t{0};
    constexpr std::size_t of_instruction = 344;  // places, polynomials, latencies
    return sizeof *kernel + of_instruction * kernel->patterns().size() + kernel->patterns().bytes();
  };
  return sizeof bound + of(bound.kernel.get()) + of(bound.longest.get());
}

}  // namespace forewarp::prediction
