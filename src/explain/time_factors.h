// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "launch/prepared.h"
#include "result/comparison.h"

namespace forewarp::explain {

/// What makes B's time another than A's: every part of the model's input is given B's value, one
/// after the other, and A's model runs again each time. A factor is the geometric mean of what the
/// part does in one order of the parts and in the reverse order; they multiply to time B / time A.
/// Among the bounds the tightest of either side comes first in both orders.
/// `run_a`, `run_b`: those that give the times. Parts that change nothing are left out; empty where
/// the two kernels' bounds do not fit together.
[[nodiscard]] std::vector<TimeFactor> time_factors(const Prepared& a, const ModelRun& run_a,
                                                   const Prepared& b, const ModelRun& run_b);

}  // namespace forewarp::explain
