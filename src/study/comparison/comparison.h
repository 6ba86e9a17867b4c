// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "driver/predictor.h"
#include "result/comparison.h"

namespace forewarp::study {

/// One side of a comparison: what is predicted, where and how.
struct ComparedSide {
  Case request;
  PredictOptions options;
  std::string gpu;  ///< empty: the case's
};

/// Predicts both sides and says what differs and why. A side that cannot be predicted is a result
/// with `error`.
[[nodiscard]] Comparison compare(Predictor& predictor, const ComparedSide& a,
                                 const ComparedSide& b);

/// Notes a line for each pair whose B is slower than A by more than the share, and for each that
/// has a side without a prediction; one line where there is no pair at all.
void apply_gate(double fail_above, Comparisons& comparisons);

/// "KERNEL on GPU", "ID on GPU" of a case; both sides' names where they differ.
[[nodiscard]] std::string subject_of(const Comparison& comparison);

}  // namespace forewarp::study
