// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "execution/state/micro_op.h"

namespace forewarp::execution {

/// Handlers of the lane operations, by Operation; null for all others. The same code in two builds.
using HandlerTable = std::array<Handler, operation_count>;
[[nodiscard]] const HandlerTable& portable_lane_handlers();
[[nodiscard]] const HandlerTable& avx2_lane_handlers();

/// The faster build that this processor can run.
[[nodiscard]] const HandlerTable& lane_handlers();

}  // namespace forewarp::execution
