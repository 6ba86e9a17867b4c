// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "characterise/estimators/clock_estimator.h"

#include "base/text.h"
#include "characterise/estimators/choice.h"

namespace forewarp::characterise {

Expected<Estimate> ClockEstimator::raw(const NumberRow& row, const Evidence& evidence) const {
  const bool power = row.part == "power";
  if (!power && !row.part.empty() && row.part != "clock") return unknown_part(row, "clock, power");
  const auto records = evidence.records(row, row.quantity_or("time"));
  if (!records) return records.error();
  Estimate made;
  for (const Record* record : *records) {
    const auto& recorded = power ? record->power_w : record->clock_mhz;
    if (recorded) made.points.push_back({record->config_without(""), *recorded, {}});
  }
  if (made.points.empty()) {
    return Diagnostic{row.fact, join(row.tests, ", ") + " ran without a record of it",
                      power ? "power_w" : "clock_mhz", "measure where the driver tells it"};
  }
  choose(made, Choice::mean);
  return made;
}

}  // namespace forewarp::characterise
