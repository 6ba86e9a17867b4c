// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "characterise/estimators/chase_curve.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "base/statistics.h"
#include "base/text.h"

namespace forewarp::characterise {
namespace {

constexpr double flat_within = 1.0 / 30;  // of its first point
constexpr double next_level = 1.1;        // times the level before

FlatPart flat_part(const std::vector<ChasePoint>& points, std::size_t first, std::size_t last) {
  std::vector<double> values;
  double repeats = 0;
  for (std::size_t i = first; i <= last; ++i) {
    values.push_back(points[i].cycles);
    repeats = std::max(repeats, points[i].deviation);
  }
  std::sort(values.begin(), values.end());
  FlatPart part{first, last};
  part.cycles = median_of_sorted(values);
  part.deviation = std::hypot(std::sqrt(variance_about(part.cycles, values)), repeats);
  return part;
}

/// Slopes over passes where those were swept, else time over passes.
Expected<ChasePoint> chase_point(const NumberRow& row, double bytes,
                                 const std::vector<const Record*>& records,
                                 const Evidence& evidence) {
  Series series{records.front()->test, significant(bytes, 17) + " bytes", {}};
  for (const Record* record : records) {
    series.points.push_back({record->number("passes").value_or(1), record});
  }
  const double work = row.work.value_or(1);
  const auto [low, high] =
      std::minmax_element(series.points.begin(), series.points.end(),
                          [](const SeriesPoint& a, const SeriesPoint& b) { return a.x < b.x; });
  if (low->x < high->x) {
    const auto line = time_line(series, evidence, true);
    if (!line) return line.error();
    return ChasePoint{bytes, line->slope / work, line->slope_deviation / work};
  }
  double factor = 1 / (work * low->x);
  if (low->record->unit == "us") {
    const auto clock = evidence.clock(*low->record);
    if (!clock) return clock.error();
    factor *= *clock;
  }
  const LinePoint point = point_of(bytes, *low->record, factor);
  return ChasePoint{bytes, point.y, point.deviation};
}

}  // namespace

ChaseCurve chase_curve(std::vector<ChasePoint> points) {
  std::sort(points.begin(), points.end(),
            [](const ChasePoint& a, const ChasePoint& b) { return a.bytes < b.bytes; });
  ChaseCurve curve{std::move(points), {}};
  const auto& all = curve.points;
  for (std::size_t first = 0; first < all.size();) {
    std::size_t last = first;
    while (last + 1 < all.size() &&
           std::abs(all[last + 1].cycles - all[first].cycles) <= flat_within * all[first].cycles) {
      ++last;
    }
    const double before = curve.flat.empty() ? 0 : curve.flat.back().cycles;
    if (last == first) {
      ++first;
      continue;
    }
    const FlatPart part = flat_part(all, first, last);
    if (part.cycles >= next_level * before) {
      curve.flat.push_back(part);
    } else if (!curve.flat.empty()) {  // the same level, a little slower
      curve.flat.back().last = last;
    }
    first = last + 1;
  }
  return curve;
}

Expected<ChaseCurve> chase_of(const NumberRow& row, const Evidence& evidence) {
  const auto records = evidence.records(row, row.quantity_or("time"));
  if (!records) return records.error();
  std::map<double, std::vector<const Record*>> by_bytes;
  for (const Record* record : *records) {
    const auto bytes = record->number(row.over.value_or("bytes"));
    if (!bytes) {
      return Diagnostic{row.fact, record->test + " has no size in its configuration",
                        row.over.value_or("bytes") + "=NUMBER", ""};
    }
    by_bytes[*bytes].push_back(record);
  }
  std::vector<ChasePoint> points;
  for (const auto& [bytes, there] : by_bytes) {
    const auto point = chase_point(row, bytes, there, evidence);
    if (!point) return point.error();
    points.push_back(*point);
  }
  ChaseCurve curve = chase_curve(std::move(points));
  if (row.level >= 1 && row.level <= curve.flat.size()) return curve;
  return Diagnostic{row.fact,
                    "level " + std::to_string(row.level) + " of " +
                        std::to_string(curve.flat.size()) + " flat parts of the curve",
                    "as many levels", "sweep more sizes, at least two in each level"};
}

}  // namespace forewarp::characterise
