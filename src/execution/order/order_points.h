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

}  // namespace forewarp::execution
