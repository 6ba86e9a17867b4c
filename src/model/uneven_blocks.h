// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "base/quantities.h"

namespace forewarp::model {

/// A block as a stream of work.
struct BlockCost {
  Cycles busy;   ///< that an SM needs for it when it has enough other blocks to work on
  Cycles alone;  ///< that it takes with an SM to itself
};

/// Where blocks run.
struct BlockPlaces {
  std::uint32_t sms = 1;
  std::uint32_t resident = 1;  ///< blocks that an SM holds at once
};

/// How a block's own latency and the other blocks of its SM add up: with k blocks on an SM, one
/// takes (alone^p + (k busy)^p)^(1/p). p = 1: one after the other; large: the longer of the two. Of
/// blocks that differ each counts by the part of its own time in which the SM works for it.
using SharingPower = double;
inline constexpr SharingPower least_power = 1, most_power = 8;

/// Until the last of blocks that differ has ended. They start in their order, each SM one of every
/// `sms` blocks, in an order that is not the same in each round (boards fill their groups of SMs in
/// turn, which groups differ in size from board to board), until all are full; then where a block
/// ends, the next one starts.
[[nodiscard]] Cycles time_of_blocks(const std::vector<BlockCost>& blocks, BlockPlaces places,
                                    SharingPower power);

/// The same for `count` blocks that are alike, in rounds.
[[nodiscard]] Cycles time_of_equal_blocks(double count, BlockCost block, BlockPlaces places,
                                          SharingPower power);

/// The power with which blocks that are alike take `time`, as far as one does.
[[nodiscard]] SharingPower power_of(Cycles time, double count, BlockCost block, BlockPlaces places);

}  // namespace forewarp::model
