// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "characterise/estimators/plateau_estimator.h"

#include "base/text.h"
#include "characterise/estimators/chase_curve.h"

namespace forewarp::characterise {

Expected<Estimate> PlateauEstimator::raw(const NumberRow& row, const Evidence& evidence) const {
  const auto curve = chase_of(row, evidence);
  if (!curve) return curve.error();
  const FlatPart& part = curve->flat[row.level - 1];
  Estimate made;
  made.value = part.cycles;
  made.deviation = part.deviation;
  made.note = "level " + std::to_string(row.level) + ", " +
              significant(curve->points[part.first].bytes, 12) + " to " +
              significant(curve->points[part.last].bytes, 12) + " bytes";
  for (const ChasePoint& point : curve->points) {
    made.points.push_back({"bytes=" + significant(point.bytes, 12), point.cycles, point.deviation});
  }
  return made;
}

}  // namespace forewarp::characterise
