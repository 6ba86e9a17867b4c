// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "timing/units/sm_state.h"

namespace forewarp::timing {

/// A product of a warp group that issued at `now`: takes its turn at the tensor unit, and what its
/// matrices take of shared memory.
void start_product(SmState& sm, SubCore& core, std::uint32_t place,
                   const TimedInstruction& instruction, Ticks now);

/// A warp at WARPGROUP.DEPBAR: goes on once all but some of its groups of products are over.
void wait_for_products(SubCore& core, std::uint32_t place, const TimedInstruction& instruction);

/// An instruction that uses barriers in shared memory or copies in bulk issued at `now`. Returns
/// whether the warp sleeps until a phase ends.
bool follow_events(SmState& sm, SubCore& core, std::uint32_t place,
                   const TimedInstruction& instruction, Ticks now);

/// Wakes a warp that waits for a phase which never ends. Returns whether there was one.
bool wake_stuck(SmState& sm);

}  // namespace forewarp::timing
