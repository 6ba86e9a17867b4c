// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "timing/units/sm_state.h"

namespace forewarp::timing {

/// Occupies the pipes of an instruction that issued.
inline void take_units(SmState& sm, SubCore& core, const TimedInstruction& instruction, Ticks now) {
  for (std::size_t u = 0; u < instruction.units.size() && instruction.units[u] != no_unit; ++u) {
    Ticks& free = sm.free_at(core, instruction.units[u]);
    free = std::max(free, now) + instruction.taken[u];
  }
}

/// When the pipes that it occupies begin with it: the time in front of a unit delays its results.
inline Ticks begun_by_units(SmState& sm, SubCore& core, const TimedInstruction& instruction,
                            Ticks now) {
  Ticks begin = now;
  for (std::size_t u = 0; u < instruction.units.size() && instruction.units[u] != no_unit; ++u) {
    begin = std::max(begin, sm.free_at(core, instruction.units[u]) - instruction.taken[u]);
  }
  return begin;
}

/// Notes results that are there at `done`.
inline void complete_at(SmState& sm, Warp& warp, const TimedInstruction& instruction, Ticks now,
                        Ticks done) {
  const std::uint16_t* slots = sm.kernel->slots.data();
  const IssueSlots written{{}, {slots + instruction.writes, instruction.write_count}, {}};
  set_results(warp.state, instruction, written, {now, Cause::queue}, {done, Cause::math},
              {now + instruction.read_release, Cause::math}, sm.rules);
}

/// Notes when the results of an instruction that issued at `now` are there and its sources read. It
/// must have taken its pipes.
inline void complete(SmState& sm, std::uint32_t scheduler, std::uint32_t place,
                     const TimedInstruction& instruction, Ticks now) {
  SubCore& core = sm.cores[scheduler];
  Warp& warp = core.warps[place];
  const auto results = [&](Ticks done, Ticks read, Cause cause) {
    const std::uint16_t* slots = sm.kernel->slots.data();
    const IssueSlots written{{}, {slots + instruction.writes, instruction.write_count}, {}};
    set_results(warp.state, instruction, written, {now, Cause::queue}, {done, cause}, {read, cause},
                sm.rules);
  };
  if (instruction.access != no_access) {
    const TimedAccess& access = sm.kernel->accesses[instruction.access];
    const AccessTimes times = sm.memory.take(access, scheduler, now, warp.draw);
    if (access.is_memory && !access.is_store) warp.state.drawn = true;
    if (sm.recorder != nullptr && !access.is_store) {
      const auto index = &instruction - sm.kernel->instructions.data();
      sm.recorder->latencies_of(static_cast<std::size_t>(index)).add(times.done - now, times.level);
    }
    results(times.done, times.left, times.level);
  } else if (instruction.variable) {
    const Ticks begin = begun_by_units(sm, core, instruction, now);
    results(begin + instruction.latency, begin + instruction.read_release, Cause::math);
  } else {
    if (core.ports.limit()) core.ports.take(instruction, place, now);
    results(now + instruction.latency, now + instruction.read_release, Cause::dependence);
  }
}

}  // namespace forewarp::timing
