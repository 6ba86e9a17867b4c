// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "execution/warp/block.h"

namespace forewarp::execution {

/// Lanes with an unknown value among what an instruction reads, and where it came from.
struct UnknownInput {
  LaneMask lanes = 0;
  Origin origin = no_origin;
};

/// Over all lanes; the guard is not among the inputs.
[[nodiscard]] UnknownInput unknown_inputs(const Warp& warp, std::uint32_t index);

/// Runs a lane operation (or a warp operation that leaves this to others) and marks its results.
/// `guard_unknown`: lanes for which nobody knows whether it runs.
void run_tracked(Warp& warp, const MicroOp& op, std::uint32_t index, LaneMask lanes,
                 LaneMask guard_unknown);

/// Lanes whose guard or branch condition is not known.
[[nodiscard]] UnknownInput unknown_condition(const Warp& warp, const MicroOp& op);

/// Decides for lanes whose condition is unknown: by the user's assumption, as the compiler's idiom
/// usually goes, or half of them each way. Returns the lanes for which the instruction takes
/// effect; sets the warp's fault where nobody can say: how often a loop goes back.
LaneMask decide_unknown(Warp& warp, std::uint32_t index, LaneMask lanes,
                        const UnknownInput& condition);

/// A number in 0..1 that only place and time of a decision make.
[[nodiscard]] double drawn_share(const Warp& warp, std::uint32_t index, unsigned lane);

}  // namespace forewarp::execution
