// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "characterise/estimators/size_estimator.h"

#include <algorithm>
#include <iterator>
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

/// Times of tests whose ids end in a number, by that number.
Expected<std::map<double, double>> times_by_number(const NumberRow& row, const Evidence& evidence) {
  std::map<double, double> times;
  for (const std::string& test : row.tests) {
    NumberRow one = row;
    one.tests = {test};
    const auto records = evidence.records(one, row.quantity_or("time"));
    if (!records) return records.error();
    const auto number = last_number(test);
    if (!number) return Diagnostic{row.fact, "the test '" + test + "' ends in no number", "", ""};
    times[*number] = centre_of(records->front()->samples).median;
  }
  return times;
}

/// The least of the tests' numbers from which on they take no longer; as `from`, the largest up to
/// which they take no longer.
Expected<Estimate> end_of_tests(const NumberRow& row, const Evidence& evidence) {
  constexpr double as_long = 0.97;  // of the longer time
  const auto times = times_by_number(row, evidence);
  if (!times) return times.error();
  Estimate made;
  made.note = "of " + significant(times->begin()->first, 9) + " to " +
              significant(times->rbegin()->first, 9);
  for (const auto& [number, time] : *times) {
    made.points.push_back({"number=" + significant(number, 9), time, {}});
  }
  const bool from = row.part == "from";
  const double flat = from ? times->begin()->second : times->rbegin()->second;
  const auto ends = [&](double time) {
    return std::min(time, flat) < as_long * std::max(time, flat);
  };
  made.value = from ? times->begin()->first : times->rbegin()->first;
  if (from) {
    const auto after =
        std::ranges::find_if(*times, [&](const auto& one) { return ends(one.second); });
    if (after == times->end()) {
      return Diagnostic{row.fact, "takes no longer up to " + significant(times->rbegin()->first, 9),
                        "a larger one that does", ""};
    }
    made.value = std::prev(after)->first;
    return made;
  }
  for (auto place = times->rbegin(); place != times->rend() && !ends(place->second); ++place) {
    made.value = place->first;
  }
  return made;
}

}  // namespace

Expected<Estimate> SizeEstimator::raw(const NumberRow& row, const Evidence& evidence) const {
  if (row.tests.size() > 1) return end_of_tests(row, evidence);
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
