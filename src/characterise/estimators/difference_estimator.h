// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "characterise/estimators/estimator.h"

namespace forewarp::characterise {

/// Time of the first of two tests less that of the second, of launches with the same blocks and
/// threads, each divided by the row's work: in us, or in cycles of the record's clock where the row
/// says so. Of several configurations the median one.
class DifferenceEstimator : public Estimator {
 public:
  [[nodiscard]] std::string_view name() const override { return "difference"; }
  [[nodiscard]] std::string_view sentence() const override {
    return "what one test takes longer than another";
  }

 private:
  Expected<Estimate> raw(const NumberRow& row, const Evidence& evidence) const override;
};

}  // namespace forewarp::characterise
