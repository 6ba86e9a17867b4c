// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "characterise/estimators/load_estimator.h"

#include "characterise/estimators/choice.h"
#include "validation/calibration/contention_fit.h"

namespace forewarp::characterise {

Expected<Estimate> LoadEstimator::raw(const NumberRow& row, const Evidence& evidence) const {
  if (!row.part.empty() && row.part != "a" && row.part != "b" && row.part != "c") {
    return unknown_part(row, "a, b, c");
  }
  const auto records = evidence.records(row, row.quantity_or("window"));
  if (!records) return records.error();
  const std::string over = row.over.value_or("gbs");
  std::vector<LoadedLatency> points;
  for (const Record* record : *records) {
    const auto gbs = record->number(over);
    if (!gbs) {
      return Diagnostic{row.fact, record->test + " has no " + over + " in its configuration",
                        over + "=GB/s", ""};
    }
    points.push_back({*gbs, centre_of(record->samples).median / row.work.value_or(1)});
  }
  const auto fit = fit_contention(points);
  if (!fit) return fit.error();
  Estimate made;
  made.value = row.part == "b" ? fit->b : row.part == "c" ? fit->c : fit->a;
  made.deviation = fit->error * made.value;
  made.note = "from a line under load through " + std::to_string(points.size()) + " points";
  return made;
}

}  // namespace forewarp::characterise
