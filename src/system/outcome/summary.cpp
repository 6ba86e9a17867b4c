// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "system/outcome/summary.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "base/text.h"

namespace forewarp::system {
namespace {

constexpr double seconds_per_hour = 3600;

double failure_chance(const System& system, double seconds) {
  double per_hour = 0;
  for (const Component& unit : system.components) per_hour += unit.failures_per_hour;
  for (const Connection& link : system.connections) per_hour += link.failures_per_hour;
  return -std::expm1(-per_hour * seconds / seconds_per_hour);
}

/// "kernel axpy on GPU:0": one kind of work of one lane; a message by who gets it.
std::string work_name(const Timeline& timeline, const Segment& segment) {
  std::string name(activity_name(segment.activity));
  if (segment.activity == Activity::copy) return name + ' ' + segment.name;
  if (segment.activity == Activity::message) return name + "s";
  if (!segment.name.empty() && segment.name != name) name += ' ' + segment.name;
  return name + " on " + timeline.lanes()[segment.lane];
}

}  // namespace

std::string bottleneck_of(const Outcome& outcome) {
  if (outcome.path.empty() || outcome.overall_s <= 0) return {};
  const PathShare& most = outcome.path.front();
  constexpr double percent = 100;
  return fmt::format("{}: {:.0f} % of the time that the last process takes", most.what,
                     percent * most.seconds / outcome.overall_s);
}

std::vector<PathShare> critical_path(const Timeline& timeline, Instant end) {
  const std::vector<Segment>& segments = timeline.segments();
  std::vector<std::vector<std::size_t>> by_lane(timeline.lanes().size());
  for (std::size_t i = 0; i < segments.size(); ++i) by_lane[segments[i].lane].push_back(i);
  std::map<std::string, double> seconds;
  Instant at = end;
  // A cause is never later than what it causes, and each segment is passed once in its lane.
  for (std::size_t steps = 0; steps <= segments.size() && at.at > 0; ++steps) {
    std::vector<std::size_t>& own = by_lane[at.lane];
    while (!own.empty() && segments[own.back()].end > at.at) own.pop_back();
    if (own.empty()) break;
    const Segment& segment = segments[own.back()];
    own.pop_back();
    if (at.at > segment.end) seconds["nothing"] += at.at - segment.end;
    if (segment.end > segment.begin) {
      seconds[work_name(timeline, segment)] += segment.end - segment.begin;
    }
    at = segment.has_cause ? segment.cause : Instant{segment.lane, segment.begin};
    at.at = std::min(at.at, segment.begin);
  }
  std::vector<PathShare> path;
  for (auto& [what, time] : seconds) path.push_back({what, time});
  std::stable_sort(path.begin(), path.end(),
                   [](const PathShare& a, const PathShare& b) { return a.seconds > b.seconds; });
  return path;
}

Outcome summary(World& world) {
  const System& system = world.system();
  Outcome outcome;
  outcome.system = system.name;
  Instant end;
  for (const Process& process : world.processes()) {
    outcome.processes.push_back({process.name, system.components[process.place.component].name,
                                 process.finish_s, process.energy_j});
    if (process.finish_s > end.at) end = {process.lane, process.finish_s};
  }
  outcome.overall_s = end.at;
  outcome.energy_j = system.base_w * end.at;
  for (std::size_t i = 0; i < system.components.size(); ++i) {
    const Component& unit = system.components[i];
    const double energy = unit.power.idle_w * end.at + world.active_j(i);
    outcome.energy_j += energy;
    if (energy > 0 || world.busy_s(i) > 0) {
      outcome.units.push_back({unit.name, world.busy_s(i), energy});
    }
  }
  outcome.failure_chance = failure_chance(system, end.at);
  outcome.messages = world.messages();
  outcome.timeline = std::move(world.timeline());
  if (outcome.timeline.dropped() == 0) {
    outcome.path = critical_path(outcome.timeline, end);
  } else {
    outcome.warnings.push_back(
        fmt::format("the timeline ends after {} parts of the work, {} more are not in it: "
                    "what limits is not said",
                    Timeline::most_segments, outcome.timeline.dropped()));
  }
  outcome.bottleneck = bottleneck_of(outcome);
  return outcome;
}

}  // namespace forewarp::system
