// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "system/description/board_attributes.h"

#include <utility>

#include "model/gajger/gajger_model.h"

namespace forewarp::system {

void add_board_attributes(const Gpu& board, Component& unit) {
  const Megahertz clock(board.clock_sustained_mhz);
  const std::pair<const char*, double> attributes[] = {
      {"warpSize", board.limits.warp_lanes},
      {"SMs", board.sms},
      {"SMCoreClock", board.clock_sustained_mhz},
      {"CUDACores", board.core_lanes},
      {"schedulers", board.schedulers},
      {"GMEMThroughput", model::memory_rate_of_sm(board, clock).value()}};
  for (const auto& [name, value] : attributes) {
    if (value > 0) unit.attributes.emplace(name, value);
  }
}

}  // namespace forewarp::system
