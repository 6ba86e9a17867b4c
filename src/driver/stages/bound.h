// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "base/quantities.h"
#include "launch/stages.h"
#include "request/predict_options.h"

namespace forewarp::driver {

/// Binds the kernel to its GPU. After an execution, counts are the executed ones and traffic is
/// that of the caches; latencies follow the foreseen paths, with their formulas, if these agree
/// with the execution, else the warps of a typical block. If a few blocks take far longer than the
/// others, one of them is bound too; if it is too long to be executed, as the analysis foresees it,
/// which is then a finding.
[[nodiscard]] Bound bind(std::shared_ptr<const Executed> executed, const PredictOptions& options);

/// The longest block alone on an SM; if the launch's counts do not include such blocks,
/// at least those that all of them take of the busiest unit. 0: there is none.
[[nodiscard]] Cycles longest_block(const Bound& bound, const LatencyRules& rules,
                                   LoopCounting counting);

}  // namespace forewarp::driver
