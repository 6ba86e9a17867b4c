// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "hardware/gpu.h"
#include "timing/machine/policy.h"

namespace forewarp::timing {

/// A warning where the variable-rate policy cannot keep its rate: the warp that owns every Rth slot
/// would issue more often than its instructions may follow each other. Empty: it can.
[[nodiscard]] std::string rate_warning(const PolicyChoice& policy, const Gpu& gpu,
                                       const LatencyRules& rules);

}  // namespace forewarp::timing
