// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "execution/state/micro_op.h"
#include "execution/state/warp.h"
#include "execution/warp/warp_state.h"

namespace forewarp::execution {

struct FlowOutcome {
  WarpState state = WarpState::runs;
  bool branched = false;  ///< a branch was decided
  LaneMask taken = 0;     ///< lanes that took it
};

/// Executes a flow operation for the lanes whose guard holds; the warp continues at its new pc with
/// its new active lanes.
FlowOutcome run_flow(Warp& warp, const MicroOp& op, LaneMask lanes);

/// `lanes` have reached the end of their path (`.S`): they wait while others run.
WarpState end_path(Warp& warp, LaneMask lanes);

/// Lets a warp continue after the barrier that it waited at.
void pass_barrier(Warp& warp);

}  // namespace forewarp::execution
