// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "execution/state/warp.h"
#include "execution/warp/warp_state.h"

namespace forewarp::execution::control_stack {

/// The stack of reconvergence points before sm_70. A popped token resumes its lanes at its place.
/// Lanes that leave a loop or call are removed from all tokens above its token.
bool push(Warp& warp, TokenKind kind, LaneMask lanes, std::uint32_t pc);

/// Pops to the topmost token that still has lanes and resumes them.
WarpState pop(Warp& warp);

/// `lanes` leave to the nearest token of `kind`; false if there is none.
bool leave(Warp& warp, TokenKind kind, LaneMask lanes);

}  // namespace forewarp::execution::control_stack
