// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstdint>

namespace forewarp::execution {

/// One bit per lane of a warp, lane 0 lowest.
using LaneMask = std::uint32_t;

/// Lanes per warp, in every instruction set that is executed here.
inline constexpr unsigned lane_count = 32;
inline constexpr LaneMask all_lanes = 0xffffffffU;

[[nodiscard]] constexpr LaneMask lane_bit(unsigned lane) {
  return LaneMask{1} << lane;
}
[[nodiscard]] constexpr bool has_lane(LaneMask mask, unsigned lane) {
  return ((mask >> lane) & 1U) != 0;
}

/// Number of lanes in a mask. Most masks have all or none, hence the tests.
[[nodiscard]] constexpr unsigned lanes_in(LaneMask mask) {
  if (mask == all_lanes) return lane_count;
  return mask == 0 ? 0 : static_cast<unsigned>(std::popcount(mask));
}

}  // namespace forewarp::execution
