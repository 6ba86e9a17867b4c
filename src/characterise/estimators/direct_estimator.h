// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "characterise/estimators/estimator.h"

namespace forewarp::characterise {

/// Median of the recorded `quantity` (default: time) over `work`. Of several records the mean of
/// their medians.
class DirectEstimator : public Estimator {
 public:
  [[nodiscard]] std::string_view name() const override { return "direct"; }
  [[nodiscard]] std::string_view sentence() const override {
    return "a recorded quantity as it is";
  }

 private:
  Expected<Estimate> raw(const NumberRow& row, const Evidence& evidence) const override;
};

}  // namespace forewarp::characterise
