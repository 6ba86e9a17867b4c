// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "characterise/estimators/estimator.h"

namespace forewarp::characterise {

/// MHz of the SMs while the tests ran: the mean of the records that say it. Part "power": W alike.
class ClockEstimator : public Estimator {
 public:
  [[nodiscard]] std::string_view name() const override { return "clock"; }
  [[nodiscard]] std::string_view sentence() const override {
    return "the clock (or the power) that was recorded while the tests ran";
  }

 private:
  Expected<Estimate> raw(const NumberRow& row, const Evidence& evidence) const override;
};

}  // namespace forewarp::characterise
