// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "timing/units/sm_state.h"

namespace forewarp::timing {

/// Gives the SM its next block, not before `at`; returns whether one was left and a place free.
bool start_block(SmState& sm, Ticks at);

/// A warp ends at `now`. The last of its block makes room for the next block.
void leave(SmState& sm, SubCore& core, std::uint32_t place, Ticks now);

}  // namespace forewarp::timing
