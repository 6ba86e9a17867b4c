// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "timing/units/sm_state.h"

namespace forewarp::timing {

/// A scheduler's slot at `now`: takes a warp that is ready and admitted, and the second of its
/// pair. Whether one issued; warps that were not admitted wait from then on for what was in the
/// way.
bool issue_slot(SmState& sm, std::uint32_t scheduler, Ticks now);

}  // namespace forewarp::timing
