// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "characterise/estimators/bandwidth_estimator.h"
#include "characterise/estimators/clock_estimator.h"
#include "characterise/estimators/difference_estimator.h"
#include "characterise/estimators/direct_estimator.h"
#include "characterise/estimators/latency_estimator.h"
#include "characterise/estimators/line_estimator.h"
#include "characterise/estimators/load_estimator.h"
#include "characterise/estimators/pipelining_estimator.h"
#include "characterise/estimators/plateau_estimator.h"
#include "characterise/estimators/rate_estimator.h"
#include "characterise/estimators/size_estimator.h"
#include "characterise/estimators/slope_estimator.h"
#include "characterise/estimators/window_estimator.h"

namespace forewarp::characterise {

Registry<Estimator> estimators() {
  Registry<Estimator> all("estimator");
  std::unique_ptr<Estimator> made[] = {std::make_unique<LatencyEstimator>(),
                                       std::make_unique<RateEstimator>("rate"),
                                       std::make_unique<RateEstimator>("per_cycle"),
                                       std::make_unique<PlateauEstimator>(),
                                       std::make_unique<SizeEstimator>(),
                                       std::make_unique<LineEstimator>(),
                                       std::make_unique<SlopeEstimator>(),
                                       std::make_unique<BandwidthEstimator>(),
                                       std::make_unique<WindowEstimator>(),
                                       std::make_unique<PipeliningEstimator>(),
                                       std::make_unique<DirectEstimator>(),
                                       std::make_unique<LoadEstimator>(),
                                       std::make_unique<ClockEstimator>(),
                                       std::make_unique<DifferenceEstimator>()};
  for (auto& one : made) all.add(std::move(one));
  return all;
}

}  // namespace forewarp::characterise
