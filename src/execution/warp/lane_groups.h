// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "execution/state/warp.h"
#include "execution/warp/warp_state.h"

namespace forewarp::execution::lane_groups {

/// Groups of lanes that run apart, from sm_70 on. Only one runs; it runs until it must wait.

/// `lanes` stop running and wait; they will go on at `pc`.
void park(Warp& warp, LaneMask lanes, std::uint32_t pc, LaneGroup::State state);

/// Merges groups whose lanes have all come, then goes on with one that can run.
WarpState resume(Warp& warp);

}  // namespace forewarp::execution::lane_groups
