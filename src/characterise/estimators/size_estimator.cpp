// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "characterise/estimators/size_estimator.h"

#include <algorithm>
#include <map>

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

/// The number that the id of a test ends in; nullopt without one.
std::optional<double> last_number(std::string_view id) {
  const std::size_t before = id.find_last_not_of("0123456789");
  return parse_number(id.substr(before == std::string_view::npos ? 0 : before + 1));
}

Expected<Estimate> least_stride(const NumberRow& row, const Evidence& evidence) {
  constexpr double as_long = 0.97;  // of the time of the largest stride
  std::map<double, double> times;
  for (const std::string& test : row.tests) {
    NumberRow one = row;
    one.tests = {test};
    const auto records = evidence.records(one, row.quantity_or("time"));
    if (!records) return records.error();
    const auto stride = last_number(test);
    if (!stride) return Diagnostic{row.fact, "the test '" + test + "' ends in no stride", "", ""};
    times[*stride] = centre_of(records->front()->samples).median;
  }
  Estimate made;
  made.value = times.rbegin()->first;
  made.note = "of strides " + significant(times.begin()->first, 9) + " to " +
              significant(made.value, 9) + " bytes";
  const double longest = times.rbegin()->second;
  for (auto place = times.rbegin(); place != times.rend(); ++place) {
    if (place->second < as_long * longest) break;
    made.value = place->first;
  }
  for (const auto& [stride, time] : times) {
    made.points.push_back({"stride=" + significant(stride, 9), time, {}});
  }
  return made;
}

}  // namespace

Expected<Estimate> SizeEstimator::raw(const NumberRow& row, const Evidence& evidence) const {
  if (row.tests.size() > 1) return least_stride(row, evidence);
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
