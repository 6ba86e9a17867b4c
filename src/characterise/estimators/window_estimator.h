// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "characterise/estimators/estimator.h"

namespace forewarp::characterise {

/// Windows with and without the operation (quantities "window" and "empty" of one configuration),
/// decimated to one value a warp. Part "mean" (the first), "mode", "exact" (the mean of a
/// constrained deconvolution), "l1", "l2", "memory", over `work`: operations in the window. The
/// levels need `mean_below`, and "memory" gives the slope of its line over threads in the note. The
/// value is the mean over the configurations.
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
