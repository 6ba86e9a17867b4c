// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "timing/units/sm_state.h"

namespace forewarp::timing {

/// When units, queues and caches admit a warp's next instruction, and what is in its way until
/// then.
struct Admission {
  Ticks at = 0;
  Cause cause = Cause::issue;
};

/// Whether its pipes let an instruction issue at `now`. A pipe that becomes free before the cycle
/// ends admits it in this cycle.
inline Admission admitted_by_pipes(SmState& sm, SubCore& core, const TimedInstruction& instruction,
                                   Ticks now) {
  for (std::size_t u = 0; u < instruction.units.size() && instruction.units[u] != no_unit; ++u) {
    const Ticks free = sm.free_at(core, instruction.units[u]);
    const Ticks queued{sm.machine->pipes[instruction.units[u]].queued};
    const Ticks begin =
        instruction.variable ? unit_admits(free, instruction.taken[u], queued) : free;
    if (begin >= now + cycle) return {begin / cycle * cycle, Cause::pipe};
  }
  return {now, Cause::issue};
}

/// Whether the constant cache has its line. On a miss, the warp that issued last holds the
/// scheduler for a while.
inline Admission admitted_by_constants(SmState& sm, SubCore& core, std::uint32_t place,
                                       std::uint32_t line, Ticks now) {
  const Ticks there = core.constants.at(line, now, sm.machine->constant_miss);
  if (there > now && core.policy.goes_on_with(place)) {
    core.port = std::min(there, now + sm.machine->constant_hold);
  }
  return {there, Cause::constant};
}

/// Asks all of them, in order. The `second` of a pair does not ask the pipes: the compiler knows
/// that the two have different units, even where the table has one for both.
inline Admission admit(SmState& sm, std::uint32_t scheduler, std::uint32_t place, Ticks now,
                       bool second = false) {
  SubCore& core = sm.cores[scheduler];
  Warp& warp = core.warps[place];
  const TimedInstruction& instruction = sm.kernel->instructions[warp.cursor.instruction()];
  if (core.ports.limit() && core.ports.room() > now) return {core.ports.room(), Cause::registers};
  if (!second && !instruction.is_product) {
    const Admission pipes = admitted_by_pipes(sm, core, instruction, now);
    if (pipes.at > now) return pipes;
  }
  if (instruction.access != no_access && !instruction.has_events &&
      sm.memory.room(scheduler) > now) {
    return {sm.memory.room(scheduler), Cause::queue};
  }
  if (sm.code.limits() && instruction.code_line != warp.code_line) {
    const Ticks there = sm.code.at(instruction.code_line, now);
    warp.code_line = instruction.code_line;
    if (there > now) return {there, Cause::fetch};
  }
  if (instruction.constant_line != no_access && core.constants.limits()) {
    return admitted_by_constants(sm, core, place, instruction.constant_line, now);
  }
  return {now, Cause::issue};
}

}  // namespace forewarp::timing
