// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
//
// When a warp may issue its next instruction, as far as the warp itself decides. The one set of
// rules for the path of a lone warp, the replay of a block, the simulated SM and the upper bound;
// docs/timing.md lists the rules and their users. Times are cycles or ticks. What caused a moment
// (an event, a cause) is the caller's `Origin` and travels with it.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "binding/bound_instruction.h"
#include "program/instruction.h"

namespace forewarp::binding {

struct NoOrigin {};

/// A point in time, and what caused it.
template <typename Time, typename Origin = NoOrigin>
struct Moment {
  Time at{};
  [[no_unique_address]] Origin origin{};
};

/// A machine's distances between the instructions of a warp.
template <typename Time>
struct WarpRules {
  Time cycle = 1;                   ///< one cycle in this unit of time
  Time store_gap{};                 ///< store to store; 0: no rule of its own
  std::span<const Time> load_gaps;  ///< after the first, second .. load in a row
  /// Issue to the first cycle in which a wait sees the barrier set; 0: at once.
  Time barrier_seen{};
  bool ordered = false;  ///< whether some instruction waits for "at most n outstanding"
};

/// Register slots of an instruction.
struct IssueSlots {
  std::span<const std::uint16_t> reads;
  std::span<const std::uint16_t> writes;
  /// Read by the second instruction of a pair, one cycle later.
  std::span<const std::uint16_t> second;
};

/// What holds a warp back from its next instruction.
enum class Held : std::uint8_t { store, value, barrier };

template <typename Time, typename Origin = NoOrigin>
struct IssueState {
  using Point = Moment<Time, Origin>;

  Point next;  ///< earliest issue of the next instruction in program order
  Point last_store;
  bool stored = false;
  bool drawn = false;       ///< a load since the last wait has drawn where its data are
  std::uint8_t fresh = 0;   ///< barriers set too late to be seen by the next instruction ..
  std::uint8_t unseen = 0;  ///< .. and, of those, the ones without anything else outstanding
  std::uint32_t loads_in_a_row = 0;
  std::array<Point, dependence_barriers> release{};  ///< of the last that set each barrier
  std::vector<std::vector<Point>> pending;  ///< by barrier, oldest first; empty: no ordered waits
  std::vector<Point> ready;                 ///< by register slot
};

/// A register may be read once its value is there.
template <typename State, typename Hold>
void hold_for_values(const State& warp, std::span<const std::uint16_t> slots, const Hold& hold) {
  for (const std::uint16_t slot : slots) hold(warp.ready[slot], Held::value, slot);
}

template <typename State>
void set_values(State& warp, std::span<const std::uint16_t> slots,
                const typename State::Point& done) {
  for (const std::uint16_t slot : slots) warp.ready[slot] = done;
}

/// Waits for all barriers of the mask, and for the oldest until at most n are outstanding.
template <typename State, typename Instruction, typename Hold>
void hold_for_barriers(const State& warp, const Instruction& instruction, const Hold& hold) {
  const std::uint32_t seen = instruction.wait_mask & ~std::uint32_t{warp.unseen};
  for (std::uint32_t mask = seen; mask != 0; mask &= mask - 1) {
    const auto b = static_cast<std::uint16_t>(std::countr_zero(mask));
    if (b < warp.release.size()) hold(warp.release[b], Held::barrier, b);
  }
  const auto counted = static_cast<std::size_t>(instruction.waits_on_scoreboard);
  if (instruction.waits_on_scoreboard < 0 || counted >= warp.pending.size()) return;
  const auto& pending = warp.pending[counted];
  const std::size_t set = pending.size() - (static_cast<std::size_t>(warp.fresh) >> counted & 1U);
  for (std::size_t i = 0; i + instruction.scoreboard_left < set; ++i) {
    hold(pending[i], Held::barrier, static_cast<std::uint16_t>(counted));
  }
}

/// Reports all that holds the warp back from this instruction: hold(moment, what, slot or barrier).
template <typename State, typename Instruction, typename Time, typename Hold>
void what_holds(const State& warp, const Instruction& instruction, const IssueSlots& slots,
                const WarpRules<Time>& rules, const Hold& hold) {
  const auto shifted = [](auto moment, Time by) {
    moment.at += by;
    return moment;
  };
  if (instruction.is_store && warp.stored && rules.store_gap > 0) {
    hold(shifted(warp.last_store, rules.store_gap), Held::store, std::uint16_t{0});
  }
  hold_for_values(warp, slots.reads, hold);
  for (const std::uint16_t slot : slots.second) {
    hold(shifted(warp.ready[slot], -rules.cycle), Held::value, slot);
  }
  hold_for_barriers(warp, instruction, hold);
}

/// When the warp itself is ready for this instruction, and what caused that.
template <typename State, typename Instruction, typename Time>
[[nodiscard]] typename State::Point earliest_issue(const State& warp,
                                                   const Instruction& instruction,
                                                   const IssueSlots& slots,
                                                   const WarpRules<Time>& rules) {
  typename State::Point at = warp.next;
  what_holds(warp, instruction, slots, rules, [&](const auto& until, Held, std::uint16_t) {
    if (until.at > at.at) at = until;
  });
  return at;
}

/// Sets one of the barriers. Whatever has completed by `now` is no longer outstanding.
template <typename State, typename Time>
void set_barrier(State& warp, std::uint8_t barrier, const typename State::Point& until, Time now,
                 bool late, const WarpRules<Time>& rules) {
  const auto bit = static_cast<std::uint8_t>(late ? 1U << barrier : 0U);
  warp.fresh |= bit;
  if (warp.release[barrier].at <= now + rules.cycle) warp.unseen |= bit;
  if (until.at >= warp.release[barrier].at) warp.release[barrier] = until;
  if (!rules.ordered) return;
  if (warp.pending.empty()) warp.pending.resize(warp.release.size());
  auto& pending = warp.pending[barrier];
  std::erase_if(pending, [&](const auto& moment) { return moment.at <= now; });
  pending.push_back(until);
}

/// Records an issue: the results are ready at `done`, the sources have been read at `read`.
template <typename State, typename Instruction, typename Time>
void set_results(State& warp, const Instruction& instruction, const IssueSlots& slots,
                 const typename State::Point& issued, const typename State::Point& done,
                 const typename State::Point& read, const WarpRules<Time>& rules) {
  set_values(warp, slots.writes, done);
  const bool late = instruction.spacing < rules.barrier_seen;
  warp.fresh = warp.unseen = 0;
  if (instruction.write_barrier < warp.release.size()) {
    set_barrier(warp, instruction.write_barrier, done, issued.at, late, rules);
  }
  if (instruction.read_barrier < warp.release.size()) {
    set_barrier(warp, instruction.read_barrier, read, issued.at, late, rules);
  }
  if (!instruction.is_store) return;
  warp.last_store = issued;
  warp.stored = true;
}

/// Lets the next instruction follow after `spacing`.
template <typename State, typename Time>
void follow_after(State& warp, const typename State::Point& issued, Time spacing) {
  warp.next = issued;
  warp.next.at += spacing;
}

/// The same with the spacing of the instruction (taken or not); consecutive loads have their own.
template <typename State, typename Instruction, typename Time>
void follow_on(State& warp, const Instruction& instruction, bool jumps,
               const typename State::Point& issued, const WarpRules<Time>& rules) {
  Time spacing = jumps ? instruction.spacing_taken : instruction.spacing;
  if (!instruction.is_load) {
    warp.loads_in_a_row = 0;
  } else if (warp.loads_in_a_row < rules.load_gaps.size()) {
    spacing = rules.load_gaps[warp.loads_in_a_row++];
  }
  follow_after(warp, issued, spacing);
}

/// The block's barrier releases the warp; whether that is later than its next issue anyway.
template <typename State>
bool let_go(State& warp, const typename State::Point& released) {
  if (released.at <= warp.next.at) return false;
  warp.next = released;
  return true;
}

/// Loads issued between two waits share one draw of where their data are. Whether the next loads
/// need a new one: one has been drawn, and the warp has to wait by itself until `ready`.
template <typename State, typename Time>
[[nodiscard]] bool takes_new_draw(State& warp, Time ready) {
  if (!warp.drawn || ready <= warp.next.at) return false;
  warp.drawn = false;
  return true;
}

/// A barrier of the block: all warps that have not exited wait for the last to arrive.
template <typename Time>
struct BlockBarrier {
  std::uint32_t alive = 0, arrived = 0;
  Time last{};

  /// A warp arrives; it could continue at `at`.
  void arrive(Time at) {
    ++arrived;
    last = std::max(last, at);
  }
  /// A warp exits; the others no longer wait for it.
  void leave(Time at) {
    --alive;
    if (complete()) last = std::max(last, at);
  }
  [[nodiscard]] bool complete() const { return arrived > 0 && arrived == alive; }
  /// When all of them continue; starts the next barrier.
  Time release() {
    arrived = 0;
    return std::exchange(last, Time{});
  }
};

/// When a unit accepts another instruction: up to `queued` may wait for it, each for `taken`.
template <typename Time, typename Count>
[[nodiscard]] Time unit_admits(Time free, Time taken, Count queued) {
  return free - queued * taken;
}

/// The rules for a kernel bound in cycles; `timing` must outlive them.
[[nodiscard]] inline WarpRules<double> rules_of(const BoundTiming& timing) {
  WarpRules<double> rules;
  rules.store_gap = timing.store_spacing;
  rules.load_gaps = timing.load_gaps;
  rules.ordered = std::any_of(timing.instructions.begin(), timing.instructions.end(),
                              [](const BoundInstruction& i) { return i.waits_on_scoreboard >= 0; });
  return rules;
}

}  // namespace forewarp::binding
