// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace forewarp::execution {

/// What the executor does for an instruction, after its modifiers have been read.
enum class Operation : std::uint16_t {
#define LANE_OPERATION(name) name,
#define WARP_OPERATION(name) name,
#define FLOW_OPERATION(name) name,
#include "execution/state/operation_table.inc"
#undef LANE_OPERATION
#undef WARP_OPERATION
#undef FLOW_OPERATION
  count_
};

inline constexpr std::size_t operation_count = static_cast<std::size_t>(Operation::count_);

}  // namespace forewarp::execution
