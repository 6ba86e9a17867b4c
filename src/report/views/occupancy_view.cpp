// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "report/views/occupancy_view.h"

#include <cmath>
#include <utility>

#include "base/text.h"
#include "report/quantity.h"

namespace forewarp::report {
namespace {

Curve curve_of(const Result& result) {
  const Result::Occupancy& occupancy = result.occupancy;
  Curve curve;
  curve.x_title = "threads per block";
  curve.y_title = "warps per SM";
  for (const auto& [block, warps] : occupancy.curve) curve.points.emplace_back(block, warps);
  curve.y_top = occupancy.max_warps_per_sm;
  const auto& block = result.launch.block;
  curve.marked = static_cast<double>(block[0]) * block[1] * block[2];
  if (std::isfinite(occupancy.needed_warps) && occupancy.needed_warps > 0) {
    curve.line = occupancy.needed_warps;
    curve.line_title = "warps hide the latency";
  }
  return curve;
}

/// What a simulation saw of it.
void add_simulated(const Result& result, Section& section) {
  const SimulationFacts& simulation = result.simulation;
  const SimulationFacts::Occupancy& seen = simulation.occupancy;
  if (simulation.cycles <= 0) return;
  const SimulationFacts::Ends& ends = simulation.blocks;
  const std::string warps = number(seen.most_warps) + " warps on " +
                            std::to_string(simulation.schedulers) + " schedulers";
  Facts facts;
  facts.entries = {
      {"simulated", figure(seen.mean_warps, 3),
       "warps in the mean, at most " + number(seen.most_warps) + "; under half of them in " +
           percent(seen.below_half) + " of the time",
       Tone::plain},
      {"swing", figure(seen.deviation, 3), "warps: standard deviation while blocks come and go",
       Tone::plain},
      {"balance", percent(seen.imbalance), "of the throughput is left by " + warps, Tone::plain},
      {"blocks end", number(std::round(ends.first)),
       number(ends.count) + " followed ones, from that cycle on; quartiles " +
           number(std::round(ends.q25)) + ", " + number(std::round(ends.median)) + ", " +
           number(std::round(ends.q75)) + ", last " + number(std::round(ends.last)),
       Tone::plain}};
  section.add(std::move(facts));
  Curve course;
  course.x_title = "cycles";
  course.y_title = "resident warps";
  for (const auto& [cycle, value] : seen.points) course.points.emplace_back(cycle, value);
  course.y_top = result.occupancy.max_warps_per_sm;
  course.x_end = simulation.followed_cycles;
  if (std::isfinite(result.occupancy.needed_warps) && result.occupancy.needed_warps > 0) {
    course.line = result.occupancy.needed_warps;
    course.line_title = "warps hide the latency";
  }
  section.add(std::move(course));
}

}  // namespace

Section OccupancyView::content(const Result& result) const {
  const Result::Occupancy& occupancy = result.occupancy;
  Section section{"occupancy", "", {}};
  section.narrow = true;
  std::string share = "-";
  if (occupancy.max_warps_per_sm > 0) {
    share = percent(static_cast<double>(occupancy.warps_per_sm) / occupancy.max_warps_per_sm);
  }
  Facts facts;
  facts.entries = {{"warps/SM", std::to_string(occupancy.warps_per_sm),
                    share + " of " + std::to_string(occupancy.max_warps_per_sm), Tone::plain},
                   {"blocks/SM", std::to_string(occupancy.blocks_per_sm),
                    "limited by " + dash_if_empty(join(occupancy.limiter, " and ")), Tone::plain},
                   {"needed", occupancy.needed_warps > 0 ? figure(occupancy.needed_warps, 3) : "-",
                    occupancy.latency_hidden ? "warps hide the latency: reached"
                                             : "warps would hide the latency: not reached",
                    Tone::plain},
                   {"waves", figure(occupancy.waves), "", Tone::plain},
                   {"registers", std::to_string(result.kernel.registers),
                    "per thread, " + dash_if_empty(result.kernel.registers_source), Tone::plain},
                   {"shared",
                    bytes(static_cast<double>(result.kernel.static_shared) +
                          static_cast<double>(result.launch.dynamic_shared)),
                    "per block", Tone::plain}};
  section.add(std::move(facts));
  section.add(curve_of(result));
  add_simulated(result, section);
  return section;
}

}  // namespace forewarp::report
