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
  return section;
}

}  // namespace forewarp::report
