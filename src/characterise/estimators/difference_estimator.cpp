// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "characterise/estimators/difference_estimator.h"

#include <algorithm>
#include <cmath>

#include "characterise/estimators/choice.h"

namespace forewarp::characterise {
namespace {

/// From the time of a launch to that of one operation: in us, or in cycles of the record's clock.
Expected<double> scale_of(const NumberRow& row, const Record& record, const Evidence& evidence) {
  const double share = 1 / row.work.value_or(1);
  if (row.unit != "cycles") return share;
  const auto mhz = evidence.clock(record);
  if (!mhz) return mhz.error();
  return share * *mhz;
}

}  // namespace

Expected<Estimate> DifferenceEstimator::raw(const NumberRow& row, const Evidence& evidence) const {
  if (row.tests.size() != 2) {
    return Diagnostic{row.fact, "a difference of " + std::to_string(row.tests.size()) + " tests",
                      "two", ""};
  }
  NumberRow one = row, other = row;
  one.tests.pop_back();
  other.tests.erase(other.tests.begin());
  const std::string quantity = row.quantity_or("time");
  const auto longer = evidence.records(one, quantity);
  if (!longer) return longer.error();
  const auto shorter = evidence.records(other, quantity);
  if (!shorter) return shorter.error();
  Estimate made;
  for (const Record* record : *longer) {
    const auto same = std::find_if(shorter->begin(), shorter->end(), [&](const Record* base) {
      return base->number("blocks") == record->number("blocks") &&
             base->number("threads") == record->number("threads");
    });
    if (same == shorter->end()) continue;
    const auto scale = scale_of(row, *record, evidence),
               other_scale = scale_of(row, **same, evidence);
    if (!scale) return scale.error();
    if (!other_scale) return other_scale.error();
    const LinePoint a = point_of(0, *record, *scale), b = point_of(0, **same, *other_scale);
    made.points.push_back(
        {record->config_without(""), a.y - b.y, std::hypot(a.deviation, b.deviation)});
  }
  if (made.points.empty()) {
    return Diagnostic{row.fact,
                      "no launch of " + row.tests[0] + " was measured as " + row.tests[1] + ", too",
                      "the same blocks and threads", ""};
  }
  choose(made, Choice::median);
  return made;
}

}  // namespace forewarp::characterise
