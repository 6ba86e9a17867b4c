// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "timing/units/sm_state.h"

namespace forewarp::timing {

/// Lets all warps of a block that wait at its barrier go on.
void release_barrier(SmState& sm, std::uint32_t block);

/// A warp has reached its block's barrier and could go on at `at`; the last to arrive releases it.
void arrive(SmState& sm, SubCore& core, std::uint32_t place, Ticks at);

/// For when no warp can issue: some wait at a barrier that other warps of their block bypass.
/// Releases the first such barrier; returns whether there is one.
bool release_stuck(SmState& sm);

}  // namespace forewarp::timing
