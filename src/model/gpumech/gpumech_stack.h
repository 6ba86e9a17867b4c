// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "model/model.h"
#include "model/warp_mix.h"

namespace forewarp::model {

/// The terms that equations 7 and 21 add up while one warp is resident: "issue" (a cycle per
/// instruction), "dependence" and "memory" (the rest of their latencies), "unhidden" (cycles of all
/// stalls that greedy-then-oldest leaves) and "memory_queue" (the delays of the `warps` that share
/// its unit). `delay` is that of one access, in cycles. Empty if it is negative: then there are no
/// parts.
[[nodiscard]] std::vector<StackPart> gpumech_stack(const WarpMix& mix, double warps,
                                                   double unhidden, double delay);

}  // namespace forewarp::model
