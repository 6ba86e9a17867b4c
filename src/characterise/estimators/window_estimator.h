// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "characterise/estimators/estimator.h"

namespace forewarp::characterise {

/// Windows with and without the operation (quantities "window" and "empty" of one configuration),
/// decimated to one value a warp, over `work`: operations in the window. Part "mean" (the first)
/// and "mode"; "exact": the mean of a constrained deconvolution; the value is the mean over the
/// configurations. Levels need `mean_below`: "l1" (loads that may hit it, then loads that pass it;
/// of one test by its hits, with `hits_below` instead), "l2", "memory" (the least of the
/// configurations), "memory_slope", "memory_shift", "memory_r2" of its line over the threads of the
/// grid (Sánchez 2017, eq. 7.1), and "l1_share", "l2_share", "memory_share": of loads that may hit
/// L1, with the two tests of "l1"; of one test, whose loads pass L1, the last two.
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
