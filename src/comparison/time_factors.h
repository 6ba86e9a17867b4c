// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "prediction/evaluation.h"
#include "result/comparison.h"

namespace forewarp::comparison {

/// Why B's time differs from A's: the parts of the model's input get B's values one after the
/// other, and A's model runs again each time. A part's factor is the geometric mean of its effects
/// in one order of the parts and in the reverse order; the factors multiply to time B / time A.
/// Of bounds that fall the tightest comes last, of those that rise first. `run_a`, `run_b`: the
/// runs that give the times. Parts without effect are left out; empty if the two kernels' bounds do
/// not match.
[[nodiscard]] std::vector<TimeFactor> time_factors(const Evaluation& a, const ModelRun& run_a,
                                                   const Evaluation& b, const ModelRun& run_b);

}  // namespace forewarp::comparison
