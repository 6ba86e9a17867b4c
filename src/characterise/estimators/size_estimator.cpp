// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "characterise/estimators/size_estimator.h"

#include <algorithm>

#include "base/text.h"
#include "characterise/estimators/chase_curve.h"
#include "characterise/estimators/choice.h"

namespace forewarp::characterise {
namespace {

/// Where the line through the points between two levels meets a latency; nullopt with fewer than
/// two points between, or a line that does not rise.
std::optional<double> crossing(const ChaseCurve& curve, const FlatPart& lower,
                               const FlatPart& upper, double cycles) {
  std::vector<LinePoint> between;
  for (std::size_t i = lower.last + 1; i < upper.first; ++i) {
    between.push_back({curve.points[i].bytes, curve.points[i].cycles});
  }
  if (between.size() < 2) return {};
  const auto line = fit_line(between, {}, "size");
  if (!line || !(line->slope > 0)) return {};
  return (cycles - line->intercept) / line->slope;
}

}  // namespace

Expected<Estimate> SizeEstimator::raw(const NumberRow& row, const Evidence& evidence) const {
  const bool from = row.part.empty() || row.part == "from";
  if (!from && row.part != "to") return unknown_part(row, "from, to");
  const auto curve = chase_of(row, evidence);
  if (!curve) return curve.error();
  if (row.level == curve->flat.size()) {
    return Diagnostic{row.fact, "level " + std::to_string(row.level) + " is the last one",
                      "a level after it", "sweep larger sizes"};
  }
  const FlatPart& lower = curve->flat[row.level - 1];
  const FlatPart& upper = curve->flat[row.level];
  const double least = curve->points[lower.last].bytes;
  const double most = curve->points[upper.first].bytes;
  const auto met = crossing(*curve, lower, upper, from ? lower.cycles : upper.cycles);
  Estimate made;
  made.value = met ? std::clamp(*met, least, most) : from ? least : most;
  const auto next = from ? lower.last + 1 : upper.first - 1;
  made.deviation = std::abs(curve->points[next].bytes - (from ? least : most)) / 2;
  made.note = "between " + significant(least, 12) + " and " + significant(most, 12) + " bytes";
  for (const ChasePoint& point : curve->points) {
    made.points.push_back({"bytes=" + significant(point.bytes, 12), point.cycles, point.deviation});
  }
  return made;
}

}  // namespace forewarp::characterise
