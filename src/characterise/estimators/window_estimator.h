// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "characterise/estimators/estimator.h"

namespace forewarp::characterise {

/// Windows with and without the operation (quantities "window" and "empty" of one configuration),
/// decimated to one value a warp, over `work`: operations in the window. Part "mean" (the first)
/// and "mode"; "exact": the mean of a constrained deconvolution; the value is the mean over the
/// configurations. Levels need `mean_below`: "l1" (loads that may hit it, then loads that pass it),
/// "l2", "memory" (the least of the configurations), and "memory_slope", "memory_shift",
/// "memory_r2" of its line over the threads of the grid (Sánchez 2017, eq. 7.1).
class WindowEstimator : public Estimator {
 public:
  [[nodiscard]] std::string_view name() const override { return "window"; }
  [[nodiscard]] std::string_view sentence() const override {
    return "cycles between two readings of the clock, without what the readings take";
  }

 private:
  Expected<Estimate> raw(const NumberRow& row, const Evidence& evidence) const override;
};

}  // namespace forewarp::characterise
