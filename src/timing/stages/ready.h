// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "timing/units/sm_state.h"

namespace forewarp::timing {

inline IssueSlots slots_of(const TimedKernel& kernel, std::uint32_t index) {
  const TimedInstruction& instruction = kernel.instructions[index];
  const std::uint16_t* slots = kernel.slots.data();
  IssueSlots all{{slots + instruction.reads, instruction.read_count}, {}, {}};
  if (instruction.with_next && index + 1 < kernel.instructions.size()) {
    const TimedInstruction& next = kernel.instructions[index + 1];
    all.second = {slots + next.reads, next.read_count};
  }
  return all;
}

/// When the warp itself is ready for its next instruction; notes what it waits for until then.
inline Ticks own_ready(const SmState& sm, Warp& warp) {
  const std::uint32_t index = warp.cursor.instruction();
  const auto [at, cause] = earliest_issue(warp.state, sm.kernel->instructions[index],
                                          slots_of(*sm.kernel, index), sm.rules);
  warp.wait = cause;
  if (takes_new_draw(warp.state, at)) warp.draw += even_step;
  return at;
}

/// A barrier set too late for the very next cycle is visible in later ones. Returns whether the
/// warp now has to wait for it.
inline bool sees_fresh(const SmState& sm, SubCore& core, std::uint32_t place, Ticks now) {
  Warp& warp = core.warps[place];
  if (now < warp.issued - sm.machine->issue_interval + sm.machine->barrier_seen) return false;
  warp.state.fresh = warp.state.unseen = 0;
  const Ticks at = own_ready(sm, warp);
  if (at <= now) return false;
  warp.own_ready = at;
  core.ready.set(place, at);
  return true;
}

}  // namespace forewarp::timing
