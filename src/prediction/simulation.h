// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "model/simulated_time.h"
#include "prediction/evaluation.h"

namespace forewarp::prediction {

/// A simulator of this kernel's launches under a rule set; it keeps the result of each launch, and
/// simulates launches that differ at the same time. `bound` must outlive it.
[[nodiscard]] std::shared_ptr<const Simulator> connect_simulation(
    std::shared_ptr<const Kernel> kernel, const BoundKernel& bound, const LatencyRules& rules);

/// The same for the models of an evaluation, which holds what it refers to. `cache`: where results
/// are kept by content; null: for itself.
[[nodiscard]] std::shared_ptr<const Simulator> connect_simulation(
    const Evaluation& evaluation, const LatencyRules& rules, const PredictOptions& options,
    const std::shared_ptr<MemoryCache>& cache);

}  // namespace forewarp::prediction
