// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "execution/state/micro_op.h"
#include "execution/warp/block.h"

namespace forewarp::execution {

/// Whether a warp has to wait before it asks for the phase of a barrier (wait_phase): the phase has
/// not been completed; or before it is given registers: others have not given enough away. Sets the
/// warp's fault where the barrier is unknown.
[[nodiscard]] bool must_wait(Warp& warp, const MicroOp& op, LaneMask lanes);

/// Bytes that a copy of `warp` brought for the barrier at this offset of the shared memory of
/// `block`.
void complete_bytes(const Warp& warp, Block& block, std::uint32_t barrier, std::int64_t bytes);

/// Why no warp of a block moves: which barrier one waits for, and what that barrier misses, or how
/// many registers it asks for.
[[nodiscard]] BlockFault deadlock_of(Block& block);

}  // namespace forewarp::execution
