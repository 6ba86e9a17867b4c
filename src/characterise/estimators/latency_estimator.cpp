// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "characterise/estimators/latency_estimator.h"

#include "characterise/estimators/series_lines.h"

namespace forewarp::characterise {

Expected<Estimate> LatencyEstimator::raw(const NumberRow& row, const Evidence& evidence) const {
  return estimate_lines(evidence.series(row, "time", evidence.swept(row)), evidence, true,
                        slope_of_work(row), Choice::least);
}

}  // namespace forewarp::characterise
