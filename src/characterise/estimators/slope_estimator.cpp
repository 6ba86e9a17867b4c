// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "characterise/estimators/slope_estimator.h"

#include "characterise/estimators/series_lines.h"

namespace forewarp::characterise {

Expected<Estimate> SlopeEstimator::raw(const NumberRow& row, const Evidence& evidence) const {
  return estimate_lines(evidence.series(row, row.quantity_or("time"), evidence.swept(row)),
                        evidence, row.unit == "cycles", slope_of_work(row), Choice::median);
}

}  // namespace forewarp::characterise
