// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "system/outcome/attempts.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "system/outcome/summary.h"

namespace forewarp::system {
namespace {

/// Lanes of one name are one lane.
Timeline joined(const Timeline& earlier, const Timeline& own, double began_s) {
  Timeline whole = earlier;
  std::map<std::string, std::uint32_t> known;
  for (const std::string& name : whole.lanes()) {
    known.emplace(name, static_cast<std::uint32_t>(known.size()));
  }
  std::vector<std::uint32_t> lanes;
  for (const std::string& name : own.lanes()) {
    const auto found = known.find(name);
    lanes.push_back(found != known.end() ? found->second : whole.add_lane(name));
  }
  for (Segment segment : own.segments()) {
    segment.lane = lanes[segment.lane];
    segment.begin += began_s;
    segment.end += began_s;
    if (segment.has_cause) segment.cause.lane = lanes[segment.cause.lane];
    segment.cause.at += began_s;
    whole.add(std::move(segment));
  }
  for (std::uint64_t i = 0; i < own.dropped(); ++i) whole.drop();
  return whole;
}

void add_units(const Outcome& earlier, Outcome& outcome) {
  for (const UnitOutcome& before : earlier.units) {
    const auto own = std::find_if(outcome.units.begin(), outcome.units.end(),
                                  [&](const UnitOutcome& one) { return one.name == before.name; });
    if (own == outcome.units.end()) {
      outcome.units.push_back(before);
    } else {
      own->busy_s += before.busy_s;
      own->energy_j += before.energy_j;
    }
  }
}

}  // namespace

void add_earlier(const Outcome& earlier, double began_s, Outcome& outcome) {
  if (earlier.failures.empty()) return;
  outcome.overall_s += began_s;
  outcome.energy_j += earlier.energy_j;
  outcome.failures.insert(outcome.failures.begin(), earlier.failures.begin(),
                          earlier.failures.end());
  for (std::size_t i = 0; i < outcome.processes.size(); ++i) {  // the same in each attempt
    outcome.processes[i].finish_s += began_s;
    if (!earlier.processes.empty()) outcome.processes[i].energy_j += earlier.processes[i].energy_j;
  }
  add_units(earlier, outcome);
  outcome.timeline = joined(earlier.timeline, outcome.timeline, began_s);
  if (outcome.path.empty()) return;
  const PathShare in_vain{"attempts that failed, and repairs", began_s};
  const auto shorter =
      std::find_if(outcome.path.begin(), outcome.path.end(),
                   [&](const PathShare& one) { return one.seconds < in_vain.seconds; });
  outcome.path.insert(shorter, in_vain);
  outcome.bottleneck = bottleneck_of(outcome);
}

void add_repair(const BrokenOff& broken, Outcome& outcome) {
  outcome.energy_j += broken.repair_s * broken.repair_w;
  if (outcome.timeline.lanes().empty() || broken.repair_s <= 0) return;
  const double begin = outcome.overall_s, end = begin + broken.repair_s;
  for (std::uint32_t lane = 0; lane < outcome.processes.size(); ++lane) {  // the first lanes
    outcome.timeline.add({lane, Activity::delay, "repair", begin, end, {}, false});
  }
}

}  // namespace forewarp::system
