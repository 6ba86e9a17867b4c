// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "characterise/estimators/estimator.h"

namespace forewarp::characterise {

/// Intercept (part "intercept", the first), slope ("slope") or coefficient of determination ("r2")
/// of time over the argument `over`, over `work`. Unit "cycles": at the clock; "us": as it is. Of
/// several configurations the one with the least intercept.
class LineEstimator : public Estimator {
 public:
  [[nodiscard]] std::string_view name() const override { return "line"; }
  [[nodiscard]] std::string_view sentence() const override {
    return "the time that is left when a swept argument is 0";
  }

 private:
  Expected<Estimate> raw(const NumberRow& row, const Evidence& evidence) const override;
};

}  // namespace forewarp::characterise
