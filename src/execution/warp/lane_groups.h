// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "execution/state/warp.h"
#include "execution/warp/warp_state.h"

namespace forewarp::execution::lane_groups {

/// Groups of lanes that run apart, from sm_70 on. One group at a time runs, until it must wait.

/// `lanes` stop and wait; they will continue at `pc`.
void park(Warp& warp, LaneMask lanes, std::uint32_t pc, LaneGroup::State state);

/// Merges groups whose lanes have all arrived, then resumes one that can run.
WarpState resume(Warp& warp);

}  // namespace forewarp::execution::lane_groups
