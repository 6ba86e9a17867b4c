// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "characterise/estimators/bandwidth_estimator.h"

#include <algorithm>

#include "characterise/estimators/choice.h"

namespace forewarp::characterise {
namespace {

constexpr double gbs_of_bytes_per_us = 1e-3;

/// Threads that move `work` bytes each for one pass; where a size is swept it says the bytes of
/// all.
double threads_of(const Series& series) {
  const Record& record = *series.points.front().record;
  if (record.number("bytes")) return 1;
  return record.number("blocks").value_or(1) * record.number("threads").value_or(1);
}

/// Bytes per us, with its deviation as a share: of the slope where the size varies, else of the
/// last record.
Expected<EstimatePoint> bytes_per_us(const NumberRow& row, const Series& series,
                                     const Evidence& evidence) {
  const double work = row.work.value_or(1) * threads_of(series);
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
  const auto records = evidence.records(row, "time");
  if (!records) return records.error();
  const bool sizes = !row.over && records->front()->number("bytes");
  const auto series = evidence.series(row, "time", sizes ? "bytes" : evidence.swept(row));
  if (!series) return series.error();
  const auto pins = evidence.fact("memory.theory_gbs");
  const bool share = row.unit == "1" && row.divide.empty();
  if (share && !(pins && *pins > 0)) {
    return Diagnostic{row.fact, "a share needs the bandwidth of the memory", "memory.theory_gbs",
                      ""};
  }
  const bool per_sm = row.unit == "B/cycle";
  Estimate made;
  for (const Series& one : *series) {
    auto point = bytes_per_us(row, one, evidence);
    if (!point) return std::move(point).error();
    double factor = gbs_of_bytes_per_us / (share ? *pins : 1);
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
