// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "characterise/estimators/estimator.h"

namespace forewarp::characterise {

/// Records have times of an access (`quantity`, default window, in cycles) and a configuration with
/// the traffic at it in GB/s (`over`, default: gbs). Part "a" (the first) and "b": cycles, "c":
/// GB/s (Volkov 2016, section 6.4).
class LoadEstimator : public Estimator {
 public:
  [[nodiscard]] std::string_view name() const override { return "load"; }
  [[nodiscard]] std::string_view sentence() const override {
    return "a, b and c of the latency under load: a + b T / (c - T)";
  }

 private:
  Expected<Estimate> raw(const NumberRow& row, const Evidence& evidence) const override;
};

}  // namespace forewarp::characterise
