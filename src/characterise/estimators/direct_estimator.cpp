// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "characterise/estimators/direct_estimator.h"

#include "characterise/estimators/choice.h"

namespace forewarp::characterise {

Expected<Estimate> DirectEstimator::raw(const NumberRow& row, const Evidence& evidence) const {
  const auto records = evidence.records(row, row.quantity_or("time"));
  if (!records) return records.error();
  Estimate made;
  for (const Record* record : *records) {
    double factor = 1 / row.work.value_or(1);
    if (row.unit == "cycles" && record->unit == "us") {
      const auto clock = evidence.clock(*record);
      if (!clock) return clock.error();
      factor *= *clock;
    }
    const LinePoint point = point_of(0, *record, factor);
    made.points.push_back({record->config_without(""), point.y, point.deviation});
  }
  choose(made, Choice::mean);
  return made;
}

}  // namespace forewarp::characterise
