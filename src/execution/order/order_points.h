// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "execution/lowering/program.h"

namespace forewarp::execution {

/// What an instruction has to do with other blocks.
enum class OrderPoint : std::uint8_t {
  none,
  access,  ///< an atomic, or a load or store that others may wait for or make
  store,   ///< any other store to global memory: it publishes if a fence came before it
  fence,   ///< orders a warp's accesses for other blocks
  clock,   ///< reads a clock
};

/// By instruction of the program.
[[nodiscard]] std::vector<OrderPoint> order_points(const Program& program);

/// Which instructions write words that blocks share in any case: stores, and atomics without a
/// result. None of them is a poll, so they are made as often in any order of blocks.
[[nodiscard]] std::vector<bool> shared_writes(const Program& program);

}  // namespace forewarp::execution
