// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "timing/units/sm_state.h"

namespace forewarp::timing {

/// A scheduler's slot at `now`: issues the instruction of a warp that is ready and admitted, and
/// the second of its pair. Returns whether one issued; warps that were not admitted are put off
/// until what was in their way is gone.
bool issue_slot(SmState& sm, std::uint32_t scheduler, Ticks now);

}  // namespace forewarp::timing
