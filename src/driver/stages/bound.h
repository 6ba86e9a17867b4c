// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "launch/stages.h"
#include "request/predict_options.h"

namespace forewarp::driver {

/// Binds the kernel to its GPU. After an execution counts are the executed ones and traffic is that
/// of the caches; latencies follow the foreseen paths where these agree, with their formulas, else
/// the warps of a typical block. Where a few blocks take far longer than the others, one of them is
/// bound beside: one that is too long to be executed goes as the analysis foresees, which is then a
/// finding.
[[nodiscard]] Bound bind(std::shared_ptr<const Executed> executed, const PredictOptions& options);

/// Cycles of the longest block alone on an SM, or of all that the launch's counts lack; 0: none.
[[nodiscard]] double longest_block_cycles(const Bound& bound, const LatencyRules& rules,
                                          LoopCounting counting);

}  // namespace forewarp::driver
