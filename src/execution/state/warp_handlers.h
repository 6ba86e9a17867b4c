// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "execution/state/lane_handlers.h"

namespace forewarp::execution {

/// Handlers of the warp operations, by Operation; null for all others.
[[nodiscard]] const HandlerTable& warp_handlers();

/// Does an operation's access without moving what is accessed: its places, findings and events are
/// as they would be. Null for operations that have no such form.
[[nodiscard]] Handler place_handler(const MicroOp& op);

/// Fetches c[bank][register + offset] into the scratch cells, then runs MicroOp::inner.
[[nodiscard]] Handler indexed_constant_handler();

}  // namespace forewarp::execution
