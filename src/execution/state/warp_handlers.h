// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "execution/state/lane_handlers.h"

namespace forewarp::execution {

/// Handlers of the warp operations, by Operation; null for all others.
[[nodiscard]] const HandlerTable& warp_handlers();

/// Fetches c[bank][register + offset] into the scratch cells, then runs MicroOp::inner.
[[nodiscard]] Handler indexed_constant_handler();

}  // namespace forewarp::execution
