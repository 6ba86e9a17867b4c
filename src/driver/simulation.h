// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "launch/prepared.h"
#include "model/simulated_time.h"

namespace forewarp::driver {

/// A simulator of this kernel's launches under a rule set; it keeps the result of each launch.
/// `bound` must outlive it.
[[nodiscard]] std::shared_ptr<const Simulator> connect_simulation(
    std::shared_ptr<const Kernel> kernel, const BoundKernel& bound, const LatencyRules& rules);

[[nodiscard]] std::shared_ptr<const Simulator> connect_simulation(const Prepared& prepared,
                                                                  const LatencyRules& rules,
                                                                  const PredictOptions& options);

}  // namespace forewarp::driver
