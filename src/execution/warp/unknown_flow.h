// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "execution/warp/block.h"

namespace forewarp::execution {

/// Lanes in which an instruction reads an unknown value, and the origin of that value.
struct UnknownInput {
  LaneMask lanes = 0;
  Origin origin = no_origin;
};

/// Looks at all lanes; the guard is not an input.
[[nodiscard]] UnknownInput unknown_inputs(const Warp& warp, std::uint32_t index);

/// Runs a lane operation, or a warp operation that does not track unknown values itself, and marks
/// its results. `guard_unknown`: lanes in which it is unknown whether the instruction executes.
void run_tracked(Warp& warp, const MicroOp& op, std::uint32_t index, LaneMask lanes,
                 LaneMask guard_unknown);

/// Lanes whose guard or branch condition is unknown.
[[nodiscard]] UnknownInput unknown_condition(const Warp& warp, const MicroOp& op);

/// Decides for lanes with an unknown condition: by the user's assumption, by the usual outcome of a
/// compiler idiom, or half of them each way. Returns the lanes for which the instruction takes
/// effect. Sets the warp's fault where nothing can be assumed: how often a loop repeats.
LaneMask decide_unknown(Warp& warp, std::uint32_t index, LaneMask lanes,
                        const UnknownInput& condition);

/// A number in 0..1 from the place (block, warp, instruction, lane) and number of the decision.
[[nodiscard]] double drawn_share(const Warp& warp, std::uint32_t index, unsigned lane);

}  // namespace forewarp::execution
