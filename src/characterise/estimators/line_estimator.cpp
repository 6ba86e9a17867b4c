// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "characterise/estimators/line_estimator.h"

#include "characterise/estimators/choice.h"

namespace forewarp::characterise {

Expected<Estimate> LineEstimator::raw(const NumberRow& row, const Evidence& evidence) const {
  const bool slope = row.part == "slope", r2 = row.part == "r2";
  if (!slope && !r2 && !row.part.empty() && row.part != "intercept") {
    return unknown_part(row, "intercept, slope, r2");
  }
  const auto series =
      evidence.series(row, row.quantity.empty() ? "time" : row.quantity, evidence.swept(row));
  if (!series) return series.error();
  Estimate made;
  for (const Series& one : *series) {
    const auto line =
        time_line(one, evidence, row.unit == "cycles" && one.points.front().record->unit == "us");
    if (!line) return line.error();
    const double work = row.work.value_or(1);
    if (r2) {
      made.points.push_back({one.config, line->r2, {}});
    } else if (slope) {
      made.points.push_back({one.config, line->slope / work, line->slope_deviation / work});
    } else {
      made.points.push_back({one.config, line->intercept / work, line->intercept_deviation / work});
    }
  }
  choose(made, Choice::least);
  return made;
}

}  // namespace forewarp::characterise
