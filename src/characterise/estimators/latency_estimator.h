// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "characterise/estimators/estimator.h"

namespace forewarp::characterise {

/// Cycles of one operation of a dependent chain: slope of time over `passes` (or `over`) times the
/// clock, over `work`: operations of the chain in one pass. What a launch takes beside is in no
/// slope. Of several configurations the least one, as others only wait in addition.
class LatencyEstimator : public Estimator {
 public:
  [[nodiscard]] std::string_view name() const override { return "latency"; }
  [[nodiscard]] std::string_view sentence() const override {
    return "one warp and one chain: cycles of an operation from the slope of time over passes";
  }

 private:
  Expected<Estimate> raw(const NumberRow& row, const Evidence& evidence) const override;
};

}  // namespace forewarp::characterise
