// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

#include "timing/units/sub_core.h"

namespace forewarp::timing {

/// An instruction issued at `now`. Every one is fetched once; those behind a taken branch were
/// fetched in vain. The buffers of a scheduler's warps are taken as one: whose instructions are
/// there already is not followed.
inline void fetch(const SmMachine& machine, SubCore& core, Ticks now, bool jumps) {
  if (machine.jump_fetches == 0) return;
  const Ticks ahead = machine.fetched_ahead * core.resident;
  core.fetched = std::max(core.fetched, now - ahead) + machine.issue_interval +
                 (jumps ? machine.jump_fetches : 0);
}

/// Whether there is nothing to issue at `now`: fetches in vain are not over. Then the port is held
/// until they are.
inline bool held_by_fetch(const SmMachine& machine, SubCore& core, Ticks now) {
  if (core.fetched < now + machine.issue_interval) return false;
  core.port = std::max(core.port, core.fetched / machine.issue_interval * machine.issue_interval);
  for (std::uint32_t p = 0; p < core.places; ++p) {
    if (core.ready[p] <= now) core.warps[p].unit = Cause::fetch;
  }
  return true;
}

}  // namespace forewarp::timing
