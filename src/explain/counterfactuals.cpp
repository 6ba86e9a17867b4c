// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "explain/counterfactuals.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "binding/bound_kernel.h"

namespace forewarp::explain {
namespace {

constexpr double worth_telling = 0.005;  // share of the time
constexpr double worth_a_pair = 0.02;    // share of the time, beyond what both gain alone
constexpr double near_the_limit = 0.5;   // share of the tightest bound: may be the next limit
constexpr std::size_t most_paired = 3;   // bounds that pairs are made from
constexpr std::size_t most_pairs = 3;    // pairs shown
constexpr std::size_t most_peeled = 4;   // units that get a share of their own

struct Candidate {
  std::string id, label;
  World world;
  double bound = 0;    ///< cycles per warp; 0: it is no unit
  double time_ms = 0;  ///< 0: the model gives none
};

/// The bit of the resource of that name, as models order their bounds differently; 0: there is
/// none.
std::uint64_t resource_bit(const Evaluation& evaluation, std::string_view name) {
  const auto& resources = evaluation.bound->kernel->resources();
  for (std::size_t r = 0; r < resources.size(); ++r) {
    if (resources[r].name == name) return std::uint64_t{1} << r;
  }
  return 0;
}

/// Whether a time can be used: outside a model's range it means nothing, also for a what-if.
bool usable(const Prediction& p) {
  return p.applies && std::isfinite(p.time_ms) && p.time_ms > 0;
}

/// Everything that has a rate: units of the SM, all register ports as one, device memory, block
/// launch.
std::vector<Candidate> units(const Evaluation& evaluation, const ModelRun& run,
                             const Prediction& prediction) {
  const std::vector<ResourceInfo> infos = run.model->bounds(evaluation.bound->kernel->resources());
  std::vector<Candidate> list;
  for (std::size_t b = 0; b < prediction.bound_count && b < infos.size(); ++b) {
    const double cycles = prediction.bound_cycles[b];
    if (cycles <= 0) continue;
    const bool bank = infos[b].role == ResourceRole::registers;
    const ResourceInfo shown = bank ? ResourceInfo(infos[b].role) : infos[b];
    Candidate unit{shown.name, shown.label, {}, cycles};
    if (infos[b].role == ResourceRole::device_memory) {
      unit.label = "device memory bandwidth";
      unit.world.memory_rate = true;
    } else {
      unit.world.freed.resources = resource_bit(evaluation, infos[b].name);
      // Launching blocks counts as launch overhead, and a model's own roofs are not of one unit.
      if (unit.world.freed.resources == 0) continue;
    }
    const auto known = std::find_if(list.begin(), list.end(),
                                    [&](const Candidate& other) { return other.id == unit.id; });
    if (known == list.end()) {
      list.push_back(std::move(unit));
    } else {
      known->world = known->world.with(unit.world);
      known->bound = std::max(known->bound, unit.bound);
    }
  }
  std::stable_sort(list.begin(), list.end(),
                   [](const Candidate& a, const Candidate& b) { return a.bound > b.bound; });
  return list;
}

/// Loads from this level; those that return at once also take no place among requests in flight.
World loads_from(const Evaluation& evaluation, LoadsFrom place) {
  World world;
  world.freed.loads = place;
  if (place == LoadsFrom::at_once)
    world.freed.resources = resource_bit(evaluation, resource_name(ResourceRole::requests).name);
  return world;
}

std::vector<Candidate> others(const Evaluation& evaluation, const Demand& demand) {
  std::vector<Candidate> list;
  const auto add = [&](const char* id, std::string label) -> World& {
    list.push_back({id, std::move(label), {}});
    return list.back().world;
  };
  if (demand.count(Count::load_requests) > 0 || demand.count(Count::local_sectors) > 0) {
    add("memory_latency", "memory latency") = loads_from(evaluation, LoadsFrom::at_once);
    add("perfect_l2", "perfect L2 (nothing reaches device memory)").perfect = Perfect::l2;
    add("perfect_l1", "perfect L1 (every load hits it)").perfect = Perfect::l1;
  }
  add("arithmetic_latency", "arithmetic latency").freed.arithmetic = true;
  if (demand.count(Count::shared_instructions) > 0) {
    add("shared_latency", "latency of shared memory").freed.shared = true;
  }
  if (demand.count(Count::barriers) > 0) add("barriers", "barriers").freed.barriers = true;
  add("launch", "launch overhead").launch = true;
  add("uneven_shares", "uneven shares over SMs and waves").even_shares = true;
  const std::uint32_t most = evaluation.launch->gpu->limits.warps_per_sm;
  if (evaluation.launch->occupancy.warps < most) {
    add("occupancy", "full occupancy (" + std::to_string(most) + " warps per SM)").occupancy = true;
  }
  return list;
}

std::string limit_of(const ModelRun& run, const Evaluation& evaluation, const Prediction& p) {
  const std::vector<ResourceInfo> infos = run.model->bounds(evaluation.bound->kernel->resources());
  if (p.limiting == Prediction::latency_limit) return "latency";
  const auto limit = static_cast<std::size_t>(p.limiting);
  return limit < infos.size() ? infos[limit].label : std::string("latency");
}

Result::Counterfactual row(std::vector<std::string> free, const std::string& label, double time_ms,
                           std::string then, const Prediction& now) {
  return {std::move(free), label, time_ms, time_ms / now.time_ms, std::move(then)};
}

/// Pairs of the tightest units with each other and with the latencies.
std::vector<std::pair<const Candidate*, const Candidate*>> pairs_of(
    const std::vector<Candidate>& all) {
  std::vector<const Candidate*> first;
  std::vector<const Candidate*> latencies;
  const double tightest = all.empty() ? 0 : all.front().bound;
  for (const Candidate& candidate : all) {
    const bool unit = candidate.bound > 0;
    if (candidate.time_ms <= 0) continue;
    if (unit && first.size() < most_paired && candidate.bound >= near_the_limit * tightest) {
      first.push_back(&candidate);
    }
    if (candidate.id == "memory_latency" || candidate.id == "arithmetic_latency") {
      latencies.push_back(&candidate);
    }
  }
  std::vector<std::pair<const Candidate*, const Candidate*>> pairs;
  for (std::size_t i = 0; i < first.size(); ++i) {
    for (std::size_t j = i + 1; j < first.size(); ++j) pairs.emplace_back(first[i], first[j]);
    for (const Candidate* latency : latencies) pairs.emplace_back(first[i], latency);
  }
  return pairs;
}

void sort_by_time(std::vector<Result::Counterfactual>& rows) {
  std::stable_sort(rows.begin(), rows.end(),
                   [](const auto& a, const auto& b) { return a.time_ms < b.time_ms; });
}

/// An order between blocks, and blocks far longer than the others, where the launch has them.
void add_waits(const ModelRun& run, std::vector<Candidate>& all) {
  if (run.ordered > Cycles(0)) {
    all.push_back({"order", "order between blocks", {}});
    all.back().world.order = true;
  }
  if (run.longest_block > Cycles(0)) {
    all.push_back({"uneven_blocks", "blocks that take far longer than the others", {}});
    all.back().world.longest = true;
  }
}

std::vector<Candidate> candidates(const Evaluation& evaluation, const ModelRun& run,
                                  const Prediction& prediction, const Demand& demand) {
  std::vector<Candidate> all = units(evaluation, run, prediction);
  for (Candidate& other : others(evaluation, demand)) all.push_back(std::move(other));
  add_waits(run, all);
  return all;
}

/// Runs every candidate alone and keeps its time; returns a row for each that shortens the launch.
std::vector<Result::Counterfactual> single_rows(const Evaluation& evaluation, const ModelRun& run,
                                                const Prediction& prediction, WhatIf& what_if,
                                                std::vector<Candidate>& all) {
  std::vector<Result::Counterfactual> rows;
  for (Candidate& candidate : all) {
    const Prediction p = what_if.predict(candidate.world);
    if (!usable(p)) continue;
    candidate.time_ms = p.time_ms;
    // Nothing takes longer for being free: a longer time comes from where the model's pieces do not
    // join.
    if (p.time_ms >= (1 - worth_telling) * prediction.time_ms) continue;
    rows.push_back(
        row({candidate.id}, candidate.label, p.time_ms, limit_of(run, evaluation, p), prediction));
  }
  sort_by_time(rows);
  return rows;
}

}  // namespace

std::vector<Result::Counterfactual> best_counterfactuals(const Evaluation& evaluation,
                                                         const ModelRun& run,
                                                         const Prediction& prediction,
                                                         WhatIf& what_if) {
  if (!usable(prediction)) return {};
  std::vector<Candidate> all = candidates(evaluation, run, prediction, what_if.demand());
  std::erase_if(all, [](const Candidate& c) { return c.world.perfect != Perfect::none; });
  auto rows = single_rows(evaluation, run, prediction, what_if, all);
  return rows.empty() ? counterfactuals(evaluation, run, prediction, what_if) : rows;
}

std::vector<Result::Counterfactual> counterfactuals(const Evaluation& evaluation,
                                                    const ModelRun& run,
                                                    const Prediction& prediction, WhatIf& what_if) {
  if (!usable(prediction)) return {};
  std::vector<Candidate> all = candidates(evaluation, run, prediction, what_if.demand());
  auto rows = single_rows(evaluation, run, prediction, what_if, all);
  std::vector<Result::Counterfactual> pairs;
  for (const auto& [a, b] : pairs_of(all)) {
    const Prediction p = what_if.predict(a->world.with(b->world));
    if (!usable(p)) continue;
    const auto gain = [&](double time_ms) { return std::max(0.0, prediction.time_ms - time_ms); };
    if (gain(p.time_ms) - gain(a->time_ms) - gain(b->time_ms) <=
        worth_a_pair * prediction.time_ms) {
      continue;
    }
    pairs.push_back(row({a->id, b->id}, a->label + " and " + b->label, p.time_ms,
                        limit_of(run, evaluation, p), prediction));
  }
  sort_by_time(pairs);
  if (pairs.size() > most_pairs) pairs.resize(most_pairs);
  for (Result::Counterfactual& pair : pairs) rows.push_back(std::move(pair));
  return rows;
}

std::map<std::string, double> stall_shares(const Evaluation& evaluation, const ModelRun& run,
                                           const Prediction& prediction, WhatIf& what_if) {
  std::map<std::string, double> shares;
  if (!usable(prediction)) return shares;
  World world;
  double left = prediction.time_ms;
  bool all_told = true;
  const auto take = [&](const std::string& name, const World& further) {
    const World next = world.with(further);
    const Prediction p = what_if.predict(next);
    if (!usable(p)) {
      all_told = false;
      return;
    }
    world = next;
    const double now = std::min(left, p.time_ms);
    const double share = (left - now) / prediction.time_ms;
    if (share > 0) shares[name] += share;
    left = now;
  };
  World change;
  change.launch = true;
  take("launch", change);
  if (prediction.waves > 1) {
    change = {};
    change.even_shares = true;
    take("tail", change);
  }
  // Barriers before units: a warp at a barrier waits for another one, whatever delays that.
  const Demand& demand = what_if.demand();
  change = {};
  change.freed.barriers = true;
  if (demand.count(Count::barriers) > 0) take("barrier", change);
  World rest;
  std::size_t peeled = 0;
  for (const Candidate& unit : units(evaluation, run, prediction)) {
    if (peeled++ < most_peeled) {
      take("bandwidth_" + unit.id, unit.world);
    } else {
      rest = rest.with(unit.world);
    }
  }
  take("bandwidth_other", rest);
  if (demand.count(Count::load_requests) > 0 || demand.count(Count::local_sectors) > 0) {
    take("memory_dram", loads_from(evaluation, LoadsFrom::l2));
    take("memory_l2", loads_from(evaluation, LoadsFrom::l1));
    take("memory_l1", loads_from(evaluation, LoadsFrom::at_once));
  }
  change = {};
  change.freed.shared = true;
  if (demand.count(Count::shared_instructions) > 0) take("memory_shared", change);
  change = {};
  change.freed.arithmetic = true;
  take("dependence", change);
  shares[all_told ? "issued" : "unresolved"] = left / prediction.time_ms;
  return shares;
}

}  // namespace forewarp::explain
