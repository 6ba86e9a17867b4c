// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "characterise/estimators/evidence.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "base/text.h"

namespace forewarp::characterise {
namespace {

/// Equal as numbers, or as texts.
bool same_value(const std::string& a, const std::string& b) {
  const auto x = parse_number(a), y = parse_number(b);
  return x && y ? *x == *y : a == b;
}

bool fits(const Record& record, const NumberRow& row) {
  return std::all_of(row.where.begin(), row.where.end(), [&](const auto& wanted) {
    return std::any_of(record.config.begin(), record.config.end(), [&](const auto& has) {
      return has.first == wanted.first && same_value(has.second, wanted.second);
    });
  });
}

}  // namespace

Expected<std::vector<const Record*>> Evidence::records(const NumberRow& row,
                                                       std::string_view quantity) const {
  std::vector<const Record*> found;
  for (const std::string& test : row.tests) {
    for (const Record& record : records_) {
      if (record.test == test && record.quantity == quantity && fits(record, row))
        found.push_back(&record);
    }
  }
  if (!found.empty()) return found;
  return Diagnostic{row.fact,
                    "no samples of " + std::string(quantity) + " from " + join(row.tests, ", "), "",
                    "run forewarp-bench with these tests"};
}

Expected<std::vector<Series>> Evidence::series(const NumberRow& row, std::string_view quantity,
                                               std::string_view over) const {
  const auto found = records(row, quantity);
  if (!found) return found.error();
  std::vector<Series> made;
  for (const Record* record : *found) {
    const std::string config = record->config_without(over);
    auto place = std::find_if(made.begin(), made.end(), [&](const Series& s) {
      return s.test == record->test && s.config == config;
    });
    if (place == made.end()) place = made.insert(made.end(), {record->test, config, {}});
    place->points.push_back({record->number(over).value_or(1), record});
  }
  for (Series& one : made) {
    std::stable_sort(one.points.begin(), one.points.end(),
                     [](const SeriesPoint& a, const SeriesPoint& b) { return a.x < b.x; });
  }
  return made;
}

std::string Evidence::swept(const NumberRow& row) const {
  if (row.over) return *row.over;
  for (const Record& record : records_) {
    const bool own = std::find(row.tests.begin(), row.tests.end(), record.test) != row.tests.end();
    if (own && record.number("tours")) return "tours";
  }
  return "passes";
}

Expected<double> Evidence::clock(const Record& record) const {
  if (record.clock_mhz) return *record.clock_mhz;
  for (const std::string_view path : {"clock.sustained_mhz", "clock.boost_mhz"}) {
    if (const auto clock = fact(path); clock && *clock > 0) return *clock;
  }
  return Diagnostic{record.test, "cycles need a clock, and none was recorded",
                    "clock_mhz of the record, or clock.boost_mhz of the device", ""};
}

Expected<Evidence::Load> Evidence::load(const Record& record) const {
  const auto blocks = record.number("blocks");
  const auto threads = record.number("threads");
  const auto sms = fact("sm.count");
  const auto lanes = fact("limits.warp_lanes");
  const bool known =
      blocks && threads && sms && lanes && *blocks > 0 && *threads > 0 && *sms > 0 && *lanes > 0;
  if (!known) {
    return Diagnostic{record.test, "work of an SM needs blocks, threads, SMs and lanes of a warp",
                      "blocks and threads in the configuration, sm.count of the device", ""};
  }
  const double each = std::ceil(*threads / *lanes);
  return Load{std::min(*sms, *blocks), std::ceil(*blocks / *sms) * each};
}

LinePoint point_of(double x, const Record& record, double factor) {
  const Centre centre = centre_of(record.samples);
  const double repeats = std::sqrt(static_cast<double>(std::max<std::uint64_t>(1, centre.count)));
  return {x, centre.median * factor, centre.deviation / repeats * factor};
}

Expected<StraightLine> time_line(const Series& series, const Evidence& evidence, bool cycles) {
  std::vector<LinePoint> points;
  for (const SeriesPoint& point : series.points) {
    double factor = 1;
    if (cycles && point.record->unit == "us") {
      const auto clock = evidence.clock(*point.record);
      if (!clock) return clock.error();
      factor = *clock;
    }
    points.push_back(point_of(point.x, *point.record, factor));
  }
  const std::string place = series.config.empty() ? series.test : series.test + " " + series.config;
  return fit_line(points, {}, place);
}

}  // namespace forewarp::characterise
