// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "execution/state/warp.h"
#include "execution/warp/warp_state.h"

namespace forewarp::execution::control_stack {

/// The stack of reconvergence points before sm_70. A token holds the lanes that go on at its place
/// when it is popped; lanes that leave a loop or a call leave all tokens above that one's.
bool push(Warp& warp, TokenKind kind, LaneMask lanes, std::uint32_t pc);

/// Goes on with the topmost token that still has lanes.
WarpState pop(Warp& warp);

/// `lanes` jump to the nearest token of that kind. False when there is none.
bool leave(Warp& warp, TokenKind kind, LaneMask lanes);

}  // namespace forewarp::execution::control_stack
