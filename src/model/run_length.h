// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/model.h"
#include "model/warp_mix.h"

namespace forewarp::model {

/// Option of models that switch warps at accesses: how the cycles between two accesses are counted.
inline constexpr ModelOption run_length_option{
    "run", "throughput|latency", "throughput",
    "cycles between accesses: at the SM's rate, or as one warp's dependent code takes"};

/// Cycles that a warp runs between two accesses; without accesses, in total. `choice`: the option's
/// value.
[[nodiscard]] inline double run_length(const WarpMix& mix, double choice) {
  const double all = choice == 0 ? mix.instructions() * mix.instruction_cycles : mix.compute_wait;
  return mix.memory > 0 ? all / mix.memory : all;
}

}  // namespace forewarp::model
