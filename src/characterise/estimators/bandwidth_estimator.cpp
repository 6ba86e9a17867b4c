// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "characterise/estimators/bandwidth_estimator.h"

#include <algorithm>

#include "characterise/estimators/choice.h"

namespace forewarp::characterise {
namespace {

constexpr double gbs_of_bytes_per_us = 1e-3;

/// Bytes per us, with its deviation as a share: of the slope where the size varies, else of the
/// last record.
Expected<EstimatePoint> bytes_per_us(const NumberRow& row, const Series& series,
                                     const Evidence& evidence) {
  const double work = row.work.value_or(1);
  const bool swept = series.points.front().x < series.points.back().x;
  if (!swept) {
    const SeriesPoint& point = series.points.back();
    const LinePoint time = point_of(point.x, *point.record, 1);
    if (!(time.y > 0)) return no_growth(row, series);
    return EstimatePoint{series.config, work * point.x / time.y, time.deviation / time.y};
  }
  const auto line = time_line(series, evidence, false);
  if (!line) return line.error();
  if (!(line->slope > 0)) return no_growth(row, series);
  return EstimatePoint{series.config, work / line->slope, line->slope_deviation / line->slope};
}

}  // namespace

Expected<Estimate> BandwidthEstimator::raw(const NumberRow& row, const Evidence& evidence) const {
  const auto series = evidence.series(row, "time", row.over.value_or("bytes"));
  if (!series) return series.error();
  const bool per_sm = row.unit == "B/cycle";
  Estimate made;
  for (const Series& one : *series) {
    auto point = bytes_per_us(row, one, evidence);
    if (!point) return std::move(point).error();
    double factor = gbs_of_bytes_per_us;
    if (per_sm) {
      const Record& record = *one.points.back().record;
      const auto clock = evidence.clock(record);
      if (!clock) return clock.error();
      const auto load = evidence.load(record);
      if (!load) return load.error();
      factor = 1 / (*clock * load->sms);
    }
    point->value *= factor;
    point->deviation = point->deviation.value_or(0) * point->value;
    made.points.push_back(*std::move(point));
  }
  choose(made, Choice::most);
  return made;
}

}  // namespace forewarp::characterise
