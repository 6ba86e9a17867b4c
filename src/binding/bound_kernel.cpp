// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "binding/bound_kernel.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "binding/operation_counts.h"

namespace forewarp::binding {
namespace {

constexpr double same_count = 1e-6;

double product(std::uint64_t loops, std::span<const double> trips) {
  double value = 1;
  for (std::uint64_t rest = loops; rest != 0; rest &= rest - 1) {
    value *= trips[static_cast<std::size_t>(std::countr_zero(rest))];
  }
  return value;
}

/// EXIT is not among them: nothing is fetched after it.
bool is_jump(const Instruction& instruction) {
  return instruction.instruction_class == InstructionClass::branch ||
         instruction.instruction_class == InstructionClass::branch_indirect;
}

}  // namespace

BoundKernel::BoundKernel(const Kernel& kernel, const Gpu& gpu, std::vector<WarpPath> paths,
                         AccessPatterns patterns, Megahertz clock)
    : kernel_(kernel),
      gpu_(gpu),
      table_(gpu, &kernel),
      paths_(std::move(paths)),
      patterns_(std::move(patterns)),
      clock_(clock),
      executions_(kernel.instructions.size()) {
  if (paths_.empty()) paths_.emplace_back();
  for (const PathLoop& loop : loops()) trips_.push_back(loop.trips);
  for (const WarpPath& path : paths_) {
    pair_open_ = false;
    add_steps(path.steps, 0, path.share);
  }
}

LoopContext& BoundKernel::context(std::uint64_t loops) {
  for (LoopContext& known : contexts_) {
    if (known.loops == loops) return known;
  }
  contexts_.push_back({loops, 1, Demand(table_.resources().size())});
  return contexts_.back();
}

void BoundKernel::add_steps(const std::vector<PathStep>& steps, std::uint64_t loops, double share) {
  for (const PathStep& step : steps) {
    if (step.is_loop()) {
      add_steps(step.body, loops | (std::uint64_t{1} << step.loop), share);
    } else {
      add_run(step, loops, share);
    }
  }
}

Demand BoundKernel::demand_of(const Place& place) const {
  const std::uint32_t i = place.instruction;
  Demand demand = table_.demand_of(kernel_.instructions[i], patterns_[i], place.second_of_pair);
  if (place.lanes >= 0) demand.count(Count::thread_instructions) = place.lanes;
  table_.add_register_reads(kernel_, place.run, i, demand);
  count_operations(kernel_, place.run, i, demand);
  table_.add_jumps(place.jumps, demand);
  return demand;
}

void BoundKernel::add_run(const PathStep& run, std::uint64_t loops, double share) {
  LoopContext& context_of_run = context(loops);
  for (std::uint32_t i = run.first; i < run.last; ++i) {
    const Instruction& instruction = kernel_.instructions[i];
    const bool jumps = run.jumps && i + 1 == run.last && is_jump(instruction);
    places_.push_back({i, run.first, loops, share, -1, jumps ? 1.0 : 0.0, pair_open_});
    context_of_run.demand.add(demand_of(places_.back()), share);
    executions_[i].add(share, loops);
    if (pair_open_) static_dual_pairs_ += share;
    pair_open_ = instruction.dual_with_next;
  }
}

void BoundKernel::count_as(const ExecutedCounts& counts, bool foreseen) {
  if (foreseen) foreseen_ = std::move(contexts_);
  contexts_.clear();
  places_.clear();
  counted_ = counts.executions;
  static_dual_pairs_ = 0;
  LoopContext& all = context(0);
  bool pair_open = false;
  for (std::uint32_t i = 0; i < kernel_.instructions.size(); ++i) {
    const Instruction& instruction = kernel_.instructions[i];
    const double times = counts.executions[i];
    if (times > 0) {
      const bool follows = i > 0 && counts.executions[i - 1] == times;
      const bool jumps = !counts.jumps.empty() && is_jump(instruction);
      places_.push_back({i, follows ? i - 1 : i, 0, times, counts.lanes[i],
                         jumps ? counts.jumps[i] : 0, pair_open});
      all.demand.add(demand_of(places_.back()), times);
      const bool same = std::fabs(executions_[i].evaluate(trips_) - times) < same_count * times;
      if (!foreseen || !same) executions_[i] = TripPolynomial(times);
      if (pair_open) static_dual_pairs_ += 1;
    }
    pair_open = times > 0 && instruction.dual_with_next;
  }
}

std::vector<double> BoundKernel::instruction_cycles(std::size_t resource) const {
  std::vector<double> cycles(kernel_.instructions.size());
  for (const Place& place : places_) {
    cycles[place.instruction] +=
        demand_of(place).cycles(resource) * place.times * product(place.loops, trips_);
  }
  return cycles;
}

Demand BoundKernel::demand(std::span<const double> trips) const {
  Demand sum(table_.resources().size());
  for (const LoopContext& place : contexts_) sum.add(place.demand, product(place.loops, trips));
  return sum;
}

TripPolynomial BoundKernel::count_formula(Count kind) const {
  TripPolynomial formula;
  for (const LoopContext& place : formula_contexts()) {
    formula.add(place.demand.count(kind), place.loops);
  }
  return formula;
}

TripPolynomial BoundKernel::cycles_formula(std::size_t resource) const {
  TripPolynomial formula;
  for (const LoopContext& place : formula_contexts()) {
    formula.add(place.demand.cycles(resource), place.loops);
  }
  return formula;
}

std::vector<double> BoundKernel::executions() const {
  if (!counted_.empty()) return counted_;
  std::vector<double> counts;
  counts.reserve(executions_.size());
  for (const TripPolynomial& formula : executions_) counts.push_back(formula.evaluate(trips_));
  return counts;
}

TripPolynomial BoundKernel::execution_formula(std::size_t instruction) const {
  return executions_[instruction];
}

LoadPlaces BoundKernel::places_of(const AccessPattern& access, double memory) const {
  LoadPlaces places;
  places.memory = memory;
  if (access.known) places.share_none = std::clamp(1 - access.requests, 0.0, 1.0);
  if (access.waits_for_memory >= 1) return places;
  places.l2 = std::min(memory, gpu_.l2.latency > 0 ? l2_latency(access, gpu_) : memory);
  places.l1 = std::min(places.l2, gpu_.l1.latency > 0 ? gpu_.l1.latency : places.l2);
  const double asks = 1 - places.share_none;
  places.share_l1 = asks * (1 - access.waits_for_l2);
  places.share_l2 = asks * (access.waits_for_l2 - access.waits_for_memory);
  return places;
}

/// Under a what-if no place is farther than the one given; `at_once`: nothing to wait for.
LoadPlaces BoundKernel::places_of(const AccessPattern& access, double memory,
                                  const Freed& freed) const {
  LoadPlaces places = places_of(access, memory);
  const LoadCaps caps{gpu_.l1.latency, gpu_.l2.latency};
  places.memory = caps.capped(places.memory, freed.loads);
  places.l2 = caps.capped(places.l2, freed.loads);
  places.l1 = caps.capped(places.l1, freed.loads);
  return places;
}

/// Sets mean latencies: loads that hit a cache return sooner, loads whose guard fails at once. The
/// last of a load's sectors counts.
void BoundKernel::add_cache_latencies(BoundTiming& timing, const Freed& freed) const {
  for (std::size_t i = 0; i < patterns_.size(); ++i) {
    double& latency = timing.instructions[i].latency;
    const LoadPlaces places = places_of(patterns_[i], latency, freed);
    if (places.varies()) latency = places.mean();
  }
}

/// `timing` must not include the caches' latencies: in the replay each execution draws one of them.
double BoundKernel::block_cycles(const BoundTiming& timing, const Freed& freed,
                                 std::uint64_t most_issues) const {
  std::vector<ReplayInstruction> instructions(kernel_.instructions.size());
  for (std::size_t i = 0; i < instructions.size(); ++i) {
    const Instruction& instruction = kernel_.instructions[i];
    instructions[i].uses = table_.uses_of(instruction, patterns_[i]);
    std::erase_if(instructions[i].uses,
                  [&](const ResourceUse& use) { return freed.frees(use.resource); });
    instructions[i].memory = access_space(instruction.instruction_class) != AccessSpace::none;
    instructions[i].places = places_of(patterns_[i], timing.instructions[i].latency, freed);
  }
  ReplayMachine machine = table_.machine();
  if (freed.launch) machine.warp_launch = 0;
  return replay_block(timing, instructions, machine, paths_, block_warps_, most_issues).cycles;
}

/// Schedules the same warps again, with loads that answer at once.
void BoundKernel::add_memory_part(BoundLatency& latency, std::size_t slowest,
                                  LoopCounting counting) const {
  BoundTiming at_once = latency.timing;
  bool loads = false;
  for (BoundInstruction& instruction : at_once.instructions) {
    if (!instruction.is_load) continue;
    loads = true;
    instruction.latency = 0;
  }
  if (!loads) return;
  const LatencyPath path = latency_paths(at_once, paths_, counting)[slowest];
  latency.memory_cycles = std::max(0.0, latency.cycles - path.cycles);
  latency.memory_formula = latency.formula;
  latency.memory_formula.add(path.formula, -1);
}

BoundTiming BoundKernel::timing_under(const LatencyRules& rules) const {
  BoundTiming timing = bind_timing(kernel_, gpu_, rules, memory_latencies(gpu_, clock_));
  for (std::size_t i = 0; i < patterns_.size(); ++i) {  // a conflict's last pass delivers the value
    const AccessPattern& pattern = patterns_[i];
    const InstructionClass c = kernel_.instructions[i].instruction_class;
    if (!pattern.known || pattern.requests <= 0) continue;
    double more = 0;
    if (access_space(c) == AccessSpace::shared) {
      more = (pattern.passes / pattern.requests - 1) * gpu_.shared_cycles_per_pass +
             beyond_own_shared(pattern, gpu_);
    } else if (access_space(c) == AccessSpace::global && !is_store_class(c)) {
      more = later_in_stage(pattern, gpu_);
    }
    timing.instructions[i].latency += std::max(0.0, more);
  }
  const double from_memory = memory_latencies(gpu_, clock_).global;
  for (std::size_t i = 0; i < patterns_.size(); ++i) {  // spills that no cache kept
    const InstructionClass c = kernel_.instructions[i].instruction_class;
    const bool load = access_space(c) == AccessSpace::local && !is_store_class(c);
    if (load && patterns_[i].known) timing.instructions[i].latency = from_memory;
  }
  return timing;
}

/// `known_block_cycles`: of the same rules, as the block executes its loops as they are, whatever
/// the way of counting them; 0: not replayed yet.
BoundLatency BoundKernel::scheduled(const LatencyRules& rules, LoopCounting counting,
                                    double known_block_cycles) const {
  BoundLatency made;
  made.timing = timing_under(rules);
  if (block_warps_ > 0) {
    made.block_cycles = known_block_cycles > 0 ? known_block_cycles
                                               : block_cycles(made.timing, {}, followed_issues_);
  }
  add_cache_latencies(made.timing, {});
  std::vector<LatencyPath> warps = latency_paths(made.timing, paths_, counting);
  const auto slowest = std::max_element(
      warps.begin(), warps.end(),
      [](const LatencyPath& a, const LatencyPath& b) { return a.cycles < b.cycles; });
  made.path = std::move(*slowest);
  made.cycles = made.path.cycles;
  made.formula = made.path.formula;
  made.formula_valid = made.path.formula_valid;
  made.replacement_included = rules.replacement > 0;
  add_memory_part(made, static_cast<std::size_t>(slowest - warps.begin()), counting);
  return made;
}

const BoundLatency& BoundKernel::latency(const LatencyRules& rules, LoopCounting counting) const {
  // Held while it is computed: another thread that asks needs the same, or its block's cycles.
  const std::lock_guard lock(latencies_->mutex);
  auto& known = latencies_->by_rules;
  if (const auto found = known.find({rules.name, counting}); found != known.end()) {
    return found->second;
  }
  const auto same = std::find_if(known.begin(), known.end(), [&](const auto& other) {
    return other.first.first == rules.name && other.second.block_cycles > 0;
  });
  const double block = same != known.end() ? same->second.block_cycles : 0;
  return known.emplace(std::pair(rules.name, counting), scheduled(rules, counting, block))
      .first->second;
}

WarpTimes BoundKernel::latency_if(const LatencyRules& rules, LoopCounting counting,
                                  const Freed& freed, std::uint64_t most_issues) const {
  const auto slowest = [&](const BoundTiming& timing) {
    double most = 0;
    for (const LatencyPath& warp : latency_paths(timing, paths_, counting)) {
      most = std::max(most, warp.cycles);
    }
    return most;
  };
  const auto under = [&](const Freed& what) {
    BoundTiming timing = timing_under(rules);
    apply_freed(kernel_, what, {gpu_.l1.latency, gpu_.l2.latency}, gpu_.issue_interval, timing);
    return timing;
  };
  WarpTimes times;
  BoundTiming timing = under(freed);
  if (block_warps_ > 0) times.block_cycles = block_cycles(timing, freed, most_issues);
  add_cache_latencies(timing, freed);
  times.cycles = slowest(timing);
  Freed at_once = freed;
  at_once.loads = LoadsFrom::at_once;
  BoundTiming without = under(at_once);
  add_cache_latencies(without, at_once);
  times.memory_cycles = std::max(0.0, times.cycles - slowest(without));
  return times;
}

}  // namespace forewarp::binding
