// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "timing/units/sm_state.h"

namespace forewarp::timing {

/// All warps of a block that wait at its barrier may go on.
void release_barrier(SmState& sm, std::uint32_t block);

/// A warp is at its block's barrier and could go on at `at`; the last one releases it.
void arrive(SmState& sm, SubCore& core, std::uint32_t place, Ticks at);

/// Whoever is left waits at a barrier that the others of its block went past by another way:
/// releases the first such; whether there is one.
bool release_stuck(SmState& sm);

}  // namespace forewarp::timing
