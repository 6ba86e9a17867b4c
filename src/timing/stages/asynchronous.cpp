// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "timing/stages/asynchronous.h"

#include <algorithm>

#include "timing/stages/complete.h"
#include "timing/stages/ready.h"

namespace forewarp::timing {
namespace {

/// Lets a warp go on at `at`, no earlier than it could anyway.
void resume(SmState& sm, SubCore& core, std::uint32_t place, Ticks at) {
  Warp& warp = core.warps[place];
  warp.at_phase = false;
  let_go(warp.state, {at, Cause::copy});
  core.ready.set(place, warp.own_ready = own_ready(sm, warp));
}

/// Names of barriers in shared memory are byte offsets; those of spare registers and of named
/// barriers come after them.
constexpr std::uint32_t named = 0x80000000U;
static_assert(named > program::spare_registers);

/// From the end of a phase to the next instruction of who waits; of barriers outside shared memory,
/// whose latency counts with each arrival, nothing.
Ticks wake_time(const SmState& sm, std::uint32_t name) {
  return name >= program::spare_registers ? 0 : sm.machine->phase_wake;
}

/// Wakes the warps of a block that sleep until a phase of this barrier ends, which may have ended.
void wake(SmState& sm, std::uint32_t block, const PhaseBarrier& barrier) {
  for (std::uint32_t s = 0; s < sm.cores.size(); ++s) {
    SubCore& core = sm.cores[s];
    bool any = false;
    for (std::uint32_t p = 0; p < core.places; ++p) {
      Warp& warp = core.warps[p];
      if ((core.used >> p & 1U) == 0 || !warp.at_phase || warp.block != block) continue;
      if (warp.awaited != barrier.name || warp.awaited_phases > barrier.ends.size()) continue;
      resume(sm, core, p, barrier.ends[warp.awaited_phases - 1] + wake_time(sm, barrier.name));
      any = true;
    }
    if (any) sm.find_next(s, core.port);
  }
}

/// Returns whether the warp sleeps.
bool wait_for(SmState& sm, Warp& warp, std::uint32_t name, std::uint32_t phases) {
  const PhaseBarrier& barrier = sm.blocks[warp.block].phases.of(name);
  if (phases == 0) return false;
  if (phases > barrier.ends.size()) {
    warp.at_phase = true;
    warp.awaited = name;
    warp.awaited_phases = phases;
    return true;
  }
  let_go(warp.state, {barrier.ends[phases - 1] + wake_time(sm, name), Cause::copy});
  return false;
}

void contribute(SmState& sm, std::uint32_t block, std::uint32_t name, std::uint32_t arrivals,
                std::int64_t bytes, Ticks at) {
  PhaseBarrier& barrier = sm.blocks[block].phases.of(name);
  if (barrier.contribute(arrivals, bytes, at)) wake(sm, block, barrier);
}

/// A warp at a named barrier. Returns whether it sleeps.
bool meet(SmState& sm, Warp& warp, const AsyncEvent& event, Ticks at) {
  const std::uint32_t name = named + event.barrier;
  PhaseBarrier& barrier = sm.blocks[warp.block].phases.of(name);
  const bool fresh = barrier.missing == barrier.expected;
  if (fresh) barrier.expected = barrier.missing = event.count;
  const auto phases = static_cast<std::uint32_t>(barrier.ends.size() + 1);
  contribute(sm, warp.block, name, 1, 0, at);
  return event.bytes == 0 && wait_for(sm, warp, name, phases);
}

}  // namespace

void start_product(SmState& sm, SubCore& core, std::uint32_t place,
                   const TimedInstruction& instruction, Ticks now) {
  Warp& warp = core.warps[place];
  Ticks& free = sm.free_at(core, instruction.units[0]);
  const Ticks begin = std::max(free, now);
  const Ticks fed = sm.memory.feed(now, begin, instruction.operands) + instruction.operands;
  free = std::max(begin + instruction.taken[0], fed);
  warp.products_end = free + std::max<Ticks>(0, instruction.latency - instruction.taken[0]);
  if (!instruction.ends_group) return;
  warp.groups.push_back(warp.products_end);
  if (warp.groups.size() > Warp::most_groups) warp.groups.erase(warp.groups.begin());
}

void wait_for_products(SubCore& core, std::uint32_t place, const TimedInstruction& instruction) {
  Warp& warp = core.warps[place];
  const auto left = static_cast<std::size_t>(instruction.groups_left);
  if (warp.groups.size() <= left) return;
  let_go(warp.state, {warp.groups[warp.groups.size() - left - 1], Cause::math});
}

bool follow_events(SmState& sm, SubCore& core, std::uint32_t place,
                   const TimedInstruction& instruction, Ticks now) {
  Warp& warp = core.warps[place];
  if (warp.events == nullptr) return false;
  const std::vector<AsyncEvent>& events = *warp.events;
  const std::uint32_t index = warp.cursor.instruction();
  bool sleeps = false;
  for (; warp.next_event < events.size(); ++warp.next_event) {
    const AsyncEvent& event = events[warp.next_event];
    if (event.instruction != index) break;
    switch (event.kind) {
      case AsyncEvent::Kind::init: {
        PhaseBarrier& barrier = sm.blocks[warp.block].phases.of(event.barrier);
        barrier = PhaseBarrier{event.barrier, event.count, event.count, 0, 0, {}};
        break;
      }
      case AsyncEvent::Kind::arrive:
        contribute(sm, warp.block, event.barrier, event.count, event.bytes,
                   now + instruction.latency);
        break;
      case AsyncEvent::Kind::wait:
        sleeps = wait_for(sm, warp, event.barrier, event.count) || sleeps;
        break;
      case AsyncEvent::Kind::copy:
        contribute(sm, warp.block, event.barrier, 0, -event.bytes,
                   sm.memory.copy(sm.kernel->accesses[instruction.access], now, warp.draw));
        warp.draw += even_step;
        break;
      case AsyncEvent::Kind::meet:
        sleeps = meet(sm, warp, event, now + instruction.latency);
        break;
      case AsyncEvent::Kind::store:
        sm.memory.copy(sm.kernel->accesses[instruction.access], now, warp.draw);
        break;
    }
    // One execution has one event, but for lanes at several barriers, which follow each other.
    const bool more =
        warp.next_event + 1 < events.size() && events[warp.next_event + 1].instruction == index &&
        events[warp.next_event + 1].kind == event.kind && events[warp.next_event + 1].same_time;
    if (!more) {
      ++warp.next_event;
      break;
    }
  }
  return sleeps;
}

bool wake_stuck(SmState& sm) {
  for (std::uint32_t s = 0; s < sm.cores.size(); ++s) {
    SubCore& core = sm.cores[s];
    for (std::uint32_t p = 0; p < core.places; ++p) {
      if ((core.used >> p & 1U) == 0 || !core.warps[p].at_phase) continue;
      resume(sm, core, p, sm.end);
      sm.find_next(s, core.port);
      return true;
    }
  }
  return false;
}

}  // namespace forewarp::timing
