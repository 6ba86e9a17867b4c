// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "model/occupancy_json.h"

namespace forewarp::model {
using Json = nlohmann::ordered_json;

Json occupancy_json(const SmLimits& limits, const Occupancy& found, const std::string& refusal) {
  const auto limit = [](auto blocks) { return blocks == unlimited ? Json() : Json(blocks); };
  return {{"blocks_per_sm", found.blocks},
          {"warps_per_sm", found.warps},
          {"max_warps_per_sm", limits.warps_per_sm},
          {"limiter", limiter_names(found.limiters)},
          {"limits",
           {{"warps", limit(found.by_warps)},
            {"regs", limit(found.by_registers)},
            {"smem", limit(found.by_shared)},
            {"blocks", limit(found.by_blocks)},
            {"barriers", limit(found.by_barriers)}}},
          {"shared_charged", found.shared_charged},
          {"shared_carveout", found.shared_carveout},
          {"error", refusal.empty() ? Json() : Json(refusal)}};
}

}  // namespace forewarp::model
