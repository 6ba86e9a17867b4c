// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "launch/loaded_kernel.h"
#include "launch/prepared.h"

namespace forewarp::driver {

/// Where a few blocks take far longer than the others, binds the way of one of them: the launch
/// waits for it, however little it weighs among all counts. One that is too long to be executed
/// goes as the analysis foresees, which is then a finding.
void bind_longest(const LoadedKernel& loaded, const PredictOptions& options, Prepared& prepared);

/// Cycles of such a block alone on an SM, or of all that the launch's counts lack; 0: none.
[[nodiscard]] double longest_block_cycles(const Prepared& prepared, const LatencyRules& rules,
                                          LoopCounting counting);

}  // namespace forewarp::driver
