// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "characterise/estimators/estimator.h"

namespace forewarp::characterise {

/// Cycles of one access where the curve of latency over `over` (default: bytes) is flat; `level`
/// counts the flat parts from the fastest on. `work`: accesses of one pass; passes are an argument
/// `passes` of the configuration where it has one.
class PlateauEstimator : public Estimator {
 public:
  [[nodiscard]] std::string_view name() const override { return "plateau"; }
  [[nodiscard]] std::string_view sentence() const override {
    return "latency of one level of a chase over growing sizes";
  }

 private:
  Expected<Estimate> raw(const NumberRow& row, const Evidence& evidence) const override;
};

}  // namespace forewarp::characterise
