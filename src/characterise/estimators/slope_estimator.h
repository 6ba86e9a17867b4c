// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "characterise/estimators/estimator.h"

namespace forewarp::characterise {

/// Slope of time over the argument `over`, over `work`. Unit "cycles": at the clock; "us": as it
/// is. Of several configurations the median one.
class SlopeEstimator : public Estimator {
 public:
  [[nodiscard]] std::string_view name() const override { return "slope"; }
  [[nodiscard]] std::string_view sentence() const override {
    return "what one step of a swept argument adds to the time";
  }

 private:
  Expected<Estimate> raw(const NumberRow& row, const Evidence& evidence) const override;
};

}  // namespace forewarp::characterise
