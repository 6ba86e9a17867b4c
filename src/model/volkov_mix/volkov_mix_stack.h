// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "model/model.h"
#include "model/warp_mix.h"

namespace forewarp::model {

/// Where a warp's cycles go while it is resident, `mix.warps / rate` of them (Little): "dependence"
/// and "memory" of its latency alone, "memory_queue" by which that grows at the load (`fit`; null:
/// it does not), and what the tightest `unit` makes it wait beyond that, "bandwidth_UNIT".
/// `rate`: warps per cycle and SM.
[[nodiscard]] std::vector<StackPart> volkov_mix_stack(const WarpMix& mix, const Contention* fit,
                                                      double rate, std::string_view unit);

}  // namespace forewarp::model
