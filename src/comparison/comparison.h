// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "driver/predictor.h"
#include "result/comparison.h"

namespace forewarp::comparison {

/// One side of a comparison: the case, its GPU and its options.
struct ComparedSide {
  Case request;
  PredictOptions options;
  std::string gpu;  ///< empty: the case's
};

/// Predicts both sides and explains how they differ. A side that cannot be predicted becomes a
/// result with `error`.
[[nodiscard]] Comparison compare(Predictor& predictor, const ComparedSide& a,
                                 const ComparedSide& b);

/// Adds a line for each pair whose B is slower than A by more than this share, and for each that
/// has a side without a prediction; one line if there is no pair at all.
void apply_gate(double fail_above, Comparisons& comparisons);

/// "KERNEL on GPU", or "ID on GPU" of a case; names both sides if they differ.
[[nodiscard]] std::string subject_of(const Comparison& comparison);

}  // namespace forewarp::comparison
