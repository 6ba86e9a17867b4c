// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "execution/warp/flow.h"
#include "execution/warp/phase_barrier.h"
#include "execution/warp/unknown_flow.h"

namespace forewarp::execution {

/// The events that a sink receives. Calls are resolved at compile time, so events that a sink does
/// not override cost nothing.
struct NoSink {
  void block_started(Block&) {}
  /// One warp instruction: its active lanes, and those of them whose guard holds.
  void executed(const Warp&, std::uint32_t /*instruction*/, LaneMask /*active*/,
                LaneMask /*lanes*/) {}
  /// A branch, exit or break: its active lanes, and those that took it.
  void branched(const Warp&, std::uint32_t /*instruction*/, LaneMask /*active*/,
                LaneMask /*taken*/) {}
  void accessed(const Warp&, const MemoryAccess&) {}
  // A sink may also have `void happened(const Warp&, const AsyncEvent&)`.
  void warp_ended(const Warp&) {}
  void block_ended(const Block&) {}
  // A sink may also have `bool holds(const Warp&, std::uint32_t instruction)`: whether the warp
  // stops before this instruction.
};

/// Passes on what an asynchronous instruction accessed and did.
template <class Sink>
void pass_events(Warp& warp, Sink& sink) {
  for (const MemoryAccess& access : warp.bulk) sink.accessed(warp, access);
  if constexpr (requires { sink.happened(warp, warp.events.front()); }) {
    for (const AsyncEvent& event : warp.events) sink.happened(warp, event);
  }
  warp.bulk.clear();
  warp.events.clear();
}

/// Runs a warp until it ends, waits at a barrier or for a phase, yields, faults, or has executed
/// `budget` instructions. Reduces `budget` by the executed ones.
template <class Sink>
WarpState run_warp(Warp& warp, Sink& sink, std::uint64_t& budget) {
  const Program& program = *warp.block->environment->program;
  const MicroOp* ops = program.ops.data();
  const std::size_t count = program.ops.size();
  const std::uint64_t turn = budget;
  while (budget > 0) {
    if constexpr (requires { sink.holds(warp, warp.pc); }) {
      if (sink.holds(warp, warp.pc)) return WarpState::runs;
    }
    --budget;
    const std::uint32_t index = warp.pc;
    if (index >= count) {
      warp.fault = {Fault::Kind::bad_target, warp.active, index, no_origin, {}};
      return WarpState::faulted;
    }
    const MicroOp& op = ops[index];
    const LaneMask active = warp.active;
    LaneMask lanes = active & (warp.predicates[op.guard] ^ op.guard_flip);
    LaneMask guard_unknown = 0;
    if (warp.unknown.any) {
      const UnknownInput condition = unknown_condition(warp, op);
      const bool decides = op.kind != OperationKind::lane || op.has(flag::pops);
      if (condition.lanes != 0 && !decides) {
        guard_unknown = condition.lanes;
      } else if (condition.lanes != 0) {
        lanes = decide_unknown(warp, index, lanes, condition);
        if (warp.fault) return WarpState::faulted;
      }
    }
    if (op.kind == OperationKind::wait && must_wait(warp, op, lanes)) {
      ++budget;
      return warp.fault ? WarpState::faulted : WarpState::at_phase;
    }
    sink.executed(warp, index, active, lanes);
    if (op.kind == OperationKind::lane) {
      if ((lanes | guard_unknown) != 0 && op.handler != nullptr) {
        const LaneMask written = op.has(flag::uniform) ? all_lanes : lanes;
        if (warp.unknown.any || op.operation == Operation::unknown_value) {
          run_tracked(warp, op, index, written, guard_unknown);
        } else {
          op.handler(warp, op, written);
        }
      }
      ++warp.pc;
    } else if (op.kind != OperationKind::flow) {
      if (lanes != 0 && op.handler != nullptr) {
        const LaneMask written = op.has(flag::uniform) ? all_lanes : lanes;
        warp.access_count = 0;
        warp.block->in_turn = turn - budget;
        if (warp.unknown.any && !op.has(flag::own_unknown)) {
          run_tracked(warp, op, index, written, 0);
        } else {
          op.handler(warp, op, written);
        }
        if (warp.fault) return WarpState::faulted;
        for (std::uint8_t i = 0; i < warp.access_count; ++i) sink.accessed(warp, warp.access[i]);
        if (!warp.events.empty()) pass_events(warp, sink);
      }
      ++warp.pc;
    } else {
      const FlowOutcome outcome = run_flow(warp, op, lanes);
      if (!warp.events.empty()) pass_events(warp, sink);
      if (outcome.branched) sink.branched(warp, index, active, outcome.taken);
      if (outcome.state != WarpState::runs) return outcome.state;
      continue;
    }
    if (!op.has(flag::pops | flag::gives_way)) continue;
    if (op.has(flag::gives_way)) {
      if (lanes != 0) return WarpState::gives_way;
    } else {
      if (op.guard != predicate::always) sink.branched(warp, index, active, lanes);
      const WarpState state = end_path(warp, lanes);
      if (state != WarpState::runs) return state;
    }
  }
  return WarpState::runs;
}

}  // namespace forewarp::execution
