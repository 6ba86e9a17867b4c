// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "timing/units/sub_core.h"

namespace forewarp::timing {

/// Accounts for the fetch of an instruction that issued at `now`; behind a taken branch (`jumps`),
/// for the wrong fetches too. The buffers of a scheduler's warps count as one: which warp's
/// instructions are buffered is not tracked.
inline void fetch(const SmMachine& machine, SubCore& core, Ticks now, bool jumps) {
  if (machine.jump_fetches == 0) return;
  const Ticks ahead = machine.fetched_ahead * core.resident;
  core.fetched = std::max(core.fetched, now - ahead) + machine.issue_interval +
                 (jumps ? machine.jump_fetches : 0);
}

/// Whether wrong fetches leave nothing to issue at `now`; if so, holds the port until they are
/// over.
inline bool held_by_fetch(const SmMachine& machine, SubCore& core, Ticks now) {
  if (core.fetched < now + machine.issue_interval) return false;
  core.port = std::max(core.port, core.fetched / machine.issue_interval * machine.issue_interval);
  for (std::uint64_t ready = core.ready.at(now); ready != 0; ready &= ready - 1) {
    core.warps[static_cast<std::size_t>(std::countr_zero(ready))].unit = Cause::fetch;
  }
  return true;
}

}  // namespace forewarp::timing
