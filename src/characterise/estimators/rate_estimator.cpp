// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "characterise/estimators/rate_estimator.h"

#include "characterise/estimators/choice.h"

namespace forewarp::characterise {

Expected<Estimate> RateEstimator::raw(const NumberRow& row, const Evidence& evidence) const {
  const auto series = evidence.series(row, "time", evidence.swept(row));
  if (!series) return series.error();
  const bool cycles = row.unit == "cycles";
  Estimate made;
  for (const Series& one : *series) {
    const auto line = time_line(one, evidence, true);
    if (!line) return line.error();
    const auto load = evidence.load(*one.points.front().record);
    if (!load) return load.error();
    const double work = row.work.value_or(1) * load->warps_per_sm;
    if (!(line->slope > 0)) return no_growth(row, one);
    const double each = line->slope / work;
    const double share = line->slope_deviation / line->slope;
    const double value = cycles ? each : 1 / each;
    made.points.push_back({one.config, value, value * share});
  }
  choose(made, cycles ? Choice::least : Choice::most);
  return made;
}

}  // namespace forewarp::characterise
