// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "model/model.h"
#include "model/warp_mix.h"

namespace forewarp::model {

/// Parts of the `mix.warps / rate` cycles (Little's law) for which a warp is resident: "dependence"
/// and "memory" of its unloaded latency, "memory_queue" by which latency grows under load (`fit`;
/// null: it does not), and "bandwidth_UNIT", the wait for the tightest `unit` beyond that. `rate`:
/// warps per cycle and SM.
[[nodiscard]] std::vector<StackPart> volkov_mix_stack(const WarpMix& mix, const Contention* fit,
                                                      double rate, std::string_view unit);

}  // namespace forewarp::model
