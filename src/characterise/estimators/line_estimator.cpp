// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "characterise/estimators/line_estimator.h"

#include "characterise/estimators/series_lines.h"

namespace forewarp::characterise {

Expected<Estimate> LineEstimator::raw(const NumberRow& row, const Evidence& evidence) const {
  LineResult result;
  if (row.part == "slope") {
    result = slope_of_work(row);
  } else if (row.part == "r2") {
    result = [](const StraightLine& line) { return EstimatePoint{"", line.r2, {}}; };
  } else if (row.part.empty() || row.part == "intercept") {
    result = [work = row.work.value_or(1)](const StraightLine& line) {
      return EstimatePoint{"", line.intercept / work, line.intercept_deviation / work};
    };
  } else {
    return unknown_part(row, "intercept, slope, r2");
  }
  return estimate_lines(evidence.series(row, row.quantity_or("time"), evidence.swept(row)),
                        evidence, row.unit == "cycles", result, Choice::least);
}

}  // namespace forewarp::characterise
