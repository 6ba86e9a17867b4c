// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "characterise/estimators/estimator.h"

namespace forewarp::characterise {

/// Cycles of one operation when many independent ones follow each other: the row's tests are
/// windows with 1, 2, 3 .. operations of one kind (Sánchez 2017, Table 12).
class PipeliningEstimator : public Estimator {
 public:
  [[nodiscard]] std::string_view name() const override { return "pipelining"; }
  [[nodiscard]] std::string_view sentence() const override {
    return "cycles of one of many independent operations, from windows with 1, 2, 3 .. of them";
  }

 private:
  Expected<Estimate> raw(const NumberRow& row, const Evidence& evidence) const override;
};

}  // namespace forewarp::characterise
