// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// How Collectives reduces for all: rings, trees and both in levels, as messages or closed forms.
#include <algorithm>
#include <simgrid/s4u.hpp>
#include <vector>

#include "system/engine/collectives.h"

namespace forewarp::system {

namespace sg = simgrid::s4u;

void Collectives::all_reduce(const Call& call, double bytes, const ReduceHow& asked) {
  if (asked.level == ReduceLevel::automatic && is_library(call, asked.way)) {
    return by_library(call, CollectiveKind::all_reduce, bytes);
  }
  ReduceHow how = asked;
  if (how.way == ReduceWay::automatic || how.way == ReduceWay::library) how.way = ReduceWay::ring;
  if (as_closed_form(call, bytes, how)) return;
  if (call.own == 0) ++reduces_.messages;
  const auto count = static_cast<double>(call.ranks.size());
  if (how.way == ReduceWay::ring) return ring(call, bytes / count, 2);
  if (how.way == ReduceWay::hierarchical) return hierarchical(call, bytes, how.across);
  reduce(call, bytes, 0);
  broadcast(call, bytes, 0);
}

const Collectives::Plan& Collectives::plan_of(const Call& call, ReduceWay way) {
  const auto [place, is_new] = plans_.try_emplace({call.group, way});
  Plan& plan = place->second;
  if (!is_new) return plan;
  const Islands::Ranks ranks(call.ranks.begin(), call.ranks.end());
  std::vector<std::size_t> units;
  for (const Process& process : world_.processes()) units.push_back(process.place.component);
  const double whole = 1;
  if (way == ReduceWay::ring) {
    plan.rings.add({ranks}, units, 2, whole / static_cast<double>(ranks.size()));
  } else {
    plan.islands = islands_of(world_.system(), units, ranks);
    if (!plan.islands.uneven.empty()) return plan;
    const double part = whole / static_cast<double>(plan.islands.positions.size());
    plan.rings.add(plan.islands.islands, units, 1, part);
    plan.rings.add(plan.islands.positions, units, 2,
                   part / static_cast<double>(plan.islands.islands.size()));
    plan.rings.add(plan.islands.islands, units, 1, part);
  }
  plan.rings.measure(world_.platform());
  return plan;
}

void Collectives::hierarchical(const Call& call, double bytes, ReduceWay across) {
  const Islands& islands = plan_of(call, ReduceWay::hierarchical).islands;
  const auto [island, position] = islands.places[call.own];
  const Call within{call.process, islands.islands[island], position, call.group};
  const Call between{call.process, islands.positions[position], island, call.group};
  const double part = bytes / static_cast<double>(within.ranks.size());
  ring(within, part, 1);
  if (across == ReduceWay::tree) {
    reduce(between, part, 0);
    broadcast(between, part, 0);
  } else {
    ring(between, part / static_cast<double>(between.ranks.size()), 2);
  }
  ring(within, part, 1);
}

bool Collectives::as_closed_form(const Call& call, double bytes, const ReduceHow& how) {
  if (how.way == ReduceWay::hierarchical) {
    const std::string& uneven = plan_of(call, how.way).islands.uneven;
    if (!uneven.empty()) {
      throw CallFault("hierarchical needs as many processes on each island; there are " + uneven);
    }
  }
  const bool must = how.level == ReduceLevel::closed;
  const bool is_tree = how.way == ReduceWay::tree ||
                       (how.way == ReduceWay::hierarchical && how.across == ReduceWay::tree);
  if (must && is_tree) throw CallFault("a tree has no closed form here; expected rings");
  if (how.level == ReduceLevel::messages || is_tree) return false;
  const RingPlan& rings = plan_of(call, how.way).rings;
  std::string obstacle = rings.obstacle();
  if (world_.system().tick_us > 0) obstacle = "times are whole ticks";
  if (must && !obstacle.empty()) throw CallFault("there is no closed form: " + obstacle);
  if (obstacle.empty()) return gather(call, bytes, must, rings);
  if (reduces_.reason.empty()) reduces_.reason = obstacle;
  return false;
}

/// The last one that comes decides for all, and lets the data flow.
bool Collectives::gather(const Call& call, double bytes, bool must, const RingPlan& plan) {
  Process& process = call.process;
  const std::pair key{call.group, begun(call)};
  Gathering& gathering = gatherings_[key];
  if (gathering.there == 0) {
    gathering.bytes = bytes;
    gathering.all_there = sg::Semaphore::create(0);
  } else if (gathering.bytes != bytes) {
    throw CallFault("all_reduce has another size here than in other processes");
  }
  if (++gathering.there < call.ranks.size()) {
    process.waits_for = "the others at their all_reduce";
    gathering.all_there->acquire();
    process.waits_for = {};
  } else {
    gathering.last = {process.lane, World::now()};
    gathering.closed = must || !plan.is_disturbed(world_.flows());
    if (gathering.closed) {
      flow(plan, bytes);
    } else if (reduces_.reason.empty()) {
      reduces_.reason = "something else was on its links as it began";
    }
    for (std::size_t i = 1; i < call.ranks.size(); ++i) gathering.all_there->release();
  }
  const bool closed = gathering.closed;
  if (closed) {
    ++begun(call);
    Segment segment{
        process.lane, Activity::message, "all_reduce", gathering.last.at, World::now(), {}, true};
    segment.cause = gathering.last;
    if (segment.end > segment.begin) world_.timeline().add(std::move(segment));
  }
  if (++gathering.gone == call.ranks.size()) gatherings_.erase(key);
  return closed;
}

/// What a flow of SimGrid does not know, latencies and limits of a message's rate, passes besides.
void Collectives::flow(const RingPlan& plan, double bytes) {
  ++reduces_.closed;
  const double begin = World::now();
  for (const RingPhase& phase : plan.phases()) {
    const double all = bytes * phase.share * phase.steps;
    const double soonest = World::now() + all / phase.bytes_per_s;
    Signal signal;
    std::vector<std::shared_ptr<Flow>> flows;
    for (const auto& [from, to] : phase.edges) {
      flows.push_back(world_.flow(from, to, all, 0, soonest));
    }
    for (const std::shared_ptr<Flow>& one : flows) one->wait(signal);
    sg::this_actor::sleep_until(World::now() + phase.steps * phase.latency_s);
  }
  constexpr double rounding = 1e-9;
  if (World::now() - begin > (1 + rounding) * plan.seconds(bytes)) ++reduces_.disturbed;
}

}  // namespace forewarp::system
