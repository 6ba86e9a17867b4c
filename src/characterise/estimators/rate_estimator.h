// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "characterise/estimators/estimator.h"

namespace forewarp::characterise {

/// `work`: instructions (or bytes) of one warp in one pass. Unit "cycles": cycles that the SM takes
/// for one; another, as "1/cycle": how many an SM does in a cycle. Of several configurations the
/// fastest one, as the others do not fill the SM.
class RateEstimator : public Estimator {
 public:
  /// By "rate", and by "per_cycle" for what an SM does in a cycle.
  explicit RateEstimator(std::string_view name) : name_(name) {}
  [[nodiscard]] std::string_view name() const override { return name_; }
  [[nodiscard]] std::string_view sentence() const override {
    return "every SM busy: work per cycle and SM, or cycles for each, from the slope of time over "
           "passes";
  }

 private:
  Expected<Estimate> raw(const NumberRow& row, const Evidence& evidence) const override;
  std::string_view name_;
};

}  // namespace forewarp::characterise
