// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "timing/units/sm_state.h"

namespace forewarp::timing {

/// Gives the SM its next block, not before `at`; whether one was left and a place was free.
bool start_block(SmState& sm, Ticks at);

/// A warp is through at `now`. The last of its block makes room for the next one.
void leave(SmState& sm, SubCore& core, std::uint32_t place, Ticks now);

}  // namespace forewarp::timing
