// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "model/model.h"
#include "result/result.h"

namespace forewarp::explain {

/// What limits by the rule of the model alone: its tightest unit, or the latency of warps. Bounds
/// and occupancy of `result` are filled.
[[nodiscard]] Result::LimitedBy limit_of_model(const Prediction& first, const Result& result);

/// What limits by the what-ifs of `result`: the one thing that, made free, brings the most. Caches
/// that always hit are no such thing: they change what moves. Latencies of memory, of arithmetic
/// and of shared memory, and too few warps, are all "latency", and the sentence says which. Where
/// several units are equally tight, freeing one brings nothing: then a unit that computes or moves
/// data stands for them. `blocks`: of the grid, or those that work if they are fewer than SMs.
/// nullopt: no what-if shortens the launch, or only one that `result` names already (a copy, an
/// order between blocks).
[[nodiscard]] std::optional<Result::LimitedBy> limit_of_what_ifs(const Prediction& first,
                                                                 const Result& result,
                                                                 double blocks);

}  // namespace forewarp::explain
