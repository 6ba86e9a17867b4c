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

/// Runs another group of lanes next; false if there is none.
bool rotate(Warp& warp);

/// Lanes that wait at a convergence for some that can run, but poll, go on without them: no lane
/// may keep another of its warp from what it waits for. False: none wait so.
bool release_awaiting(Warp& warp);

/// The running lanes gave way. If they come back in the same state again and again, others of the
/// warp run, after the above if those poll, too.
void give_way(Warp& warp);

}  // namespace forewarp::execution::lane_groups
