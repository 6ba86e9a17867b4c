// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "characterise/estimators/slope_estimator.h"

#include "characterise/estimators/choice.h"

namespace forewarp::characterise {

Expected<Estimate> SlopeEstimator::raw(const NumberRow& row, const Evidence& evidence) const {
  const auto series =
      evidence.series(row, row.quantity.empty() ? "time" : row.quantity, evidence.swept(row));
  if (!series) return series.error();
  Estimate made;
  for (const Series& one : *series) {
    const auto line =
        time_line(one, evidence, row.unit == "cycles" && one.points.front().record->unit == "us");
    if (!line) return line.error();
    const double work = row.work.value_or(1);
    made.points.push_back({one.config, line->slope / work, line->slope_deviation / work});
  }
  choose(made, Choice::median);
  return made;
}

}  // namespace forewarp::characterise
