// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "execution/warp/flow.h"

#include <algorithm>
#include <bit>

#include "execution/state/operands.h"
#include "execution/warp/block.h"
#include "execution/warp/control_stack.h"
#include "execution/warp/lane_groups.h"
#include "execution/warp/memory_location.h"
#include "execution/warp/warp_memory.h"

namespace forewarp::execution {
namespace {

const Program& program_of(const Warp& warp) {
  return *warp.block->environment->program;
}

unsigned first_lane(LaneMask lanes) {
  return static_cast<unsigned>(std::countr_zero(lanes)) & 31U;
}

/// Resumes other lanes when no active lanes are left.
WarpState go_on(Warp& warp) {
  if (warp.active != 0) return WarpState::runs;
  return program_of(warp).control_stack ? control_stack::pop(warp) : lane_groups::resume(warp);
}

WarpState fault(Warp& warp, Fault::Kind kind, LaneMask lanes, Origin origin = no_origin) {
  warp.fault.kind = kind;
  warp.fault.lanes = lanes;
  warp.fault.instruction = warp.pc;
  warp.fault.origin = origin;
  return WarpState::faulted;
}

/// Suspends lanes that will run at `pc` later.
bool set_aside(Warp& warp, LaneMask lanes, std::uint32_t pc) {
  if (program_of(warp).control_stack) {
    warp.active &= ~lanes;
    return control_stack::push(warp, TokenKind::other_path, lanes, pc);
  }
  lane_groups::park(warp, lanes, pc, LaneGroup::State::ready);
  return true;
}

/// Runs the target of a forward branch first, and the fall-through of a backward one: lanes that
/// leave a loop must not wait for lanes that poll in it.
WarpState split(Warp& warp, LaneMask taken, std::uint32_t target) {
  const std::uint32_t next = warp.pc + 1;
  const LaneMask stays = warp.active & ~taken;
  if (taken == 0) {
    warp.pc = next;
  } else if (stays == 0) {
    warp.pc = target;
  } else if (target > warp.pc) {
    if (!set_aside(warp, stays, next)) return WarpState::faulted;
    warp.pc = target;
  } else {
    if (!set_aside(warp, taken, target)) return WarpState::faulted;
    warp.pc = next;
  }
  return WarpState::runs;
}

/// An indirect jump: lanes go to one target after the other.
WarpState jump(Warp& warp, const MicroOp& op, LaneMask lanes, bool add_offset) {
  const Source& from = op.source[0];
  const LaneMask unknown =
      warp.unknown.any && !from.pool ? warp.unknown.cells[from.cell] & lanes : 0;
  if (unknown != 0)
    return fault(warp, Fault::Kind::unknown_target, unknown, warp.unknown.origins[from.cell]);
  const std::uint32_t* base = plain_source(warp, from);
  const Kernel& kernel = *program_of(warp).kernel;
  LaneMask left = lanes;
  while (left != 0) {
    const std::uint32_t value = base[first_lane(left)];
    LaneMask same = 0;
    for (unsigned i = 0; i < lane_count; ++i) {
      if (has_lane(left, i) && base[i] == value) same |= lane_bit(i);
    }
    const std::uint32_t address = value + (add_offset ? static_cast<std::uint32_t>(op.offset) : 0U);
    const auto target = static_cast<std::uint32_t>(kernel.index_at(address));
    // No instruction begins there; that is where null pointers to functions lead.
    constexpr std::uint32_t least_alignment = 8;
    if (target >= kernel.instructions.size() || address % least_alignment != 0)
      return fault(warp, Fault::Kind::bad_target, same);
    left &= ~same;
    if (left == 0 && same == warp.active) {
      warp.pc = target;
      return WarpState::runs;
    }
    if (!set_aside(warp, same, target)) return WarpState::faulted;
  }
  if (warp.active != 0) {
    ++warp.pc;
    return WarpState::runs;
  }
  return go_on(warp);
}

WarpState end_lanes(Warp& warp, LaneMask lanes) {
  warp.alive &= ~lanes;
  warp.active &= ~lanes;
  if (warp.active == 0) return go_on(warp);
  ++warp.pc;
  return WarpState::runs;
}

WarpState call(Warp& warp, const MicroOp& op, LaneMask lanes) {
  if (lanes == 0) {
    ++warp.pc;
    return WarpState::runs;
  }
  if (!program_of(warp).control_stack) return split(warp, lanes, op.second);
  const std::uint32_t next = warp.pc + 1;
  const LaneMask stays = warp.active & ~lanes;
  // Lanes that do not call meet the callers after the call.
  if (stays != 0 && !control_stack::push(warp, TokenKind::other_path, stays, next))
    return WarpState::faulted;
  if (!control_stack::push(warp, TokenKind::call, lanes, next)) return WarpState::faulted;
  warp.active = lanes;
  warp.pc = op.second;
  return WarpState::runs;
}

WarpState leave(Warp& warp, TokenKind kind, LaneMask lanes) {
  if (lanes == 0) {
    ++warp.pc;
    return WarpState::runs;
  }
  if (!control_stack::leave(warp, kind, lanes)) {
    if (kind == TokenKind::call) return end_lanes(warp, lanes);  // a return from the kernel itself
    return fault(warp, Fault::Kind::bad_target, lanes);
  }
  if (warp.active != 0) {
    ++warp.pc;
    return WarpState::runs;
  }
  return go_on(warp);
}

WarpState stop_path(Warp& warp, LaneMask lanes) {
  warp.active &= ~lanes;
  if (warp.active != 0) {
    ++warp.pc;
    return WarpState::runs;
  }
  return go_on(warp);
}

void begin_convergence(Warp& warp, const MicroOp& op, LaneMask lanes) {
  auto& members = warp.divergence.convergence[op.immediate % 16];
  for (unsigned i = 0; i < lane_count; ++i) {
    if (has_lane(lanes, i)) members[i] = lanes;
  }
}

/// Lanes whose groups met on the way may wait for different others: each for its own.
WarpState converge(Warp& warp, const MicroOp& op, LaneMask lanes) {
  const auto number = static_cast<std::uint8_t>(op.second % 16);
  const std::uint32_t next = warp.pc + 1;
  const auto& awaited = warp.divergence.convergence[number];
  LaneMask left = lanes;
  while (left != 0) {
    const LaneMask all = awaited[first_lane(left)], members = all & warp.alive;
    LaneMask same = left;
    if (members != left) {
      same = 0;
      for (unsigned i = 0; i < lane_count; ++i) {
        if (has_lane(left, i) && awaited[i] == all) same |= lane_bit(i);
      }
    }
    left &= ~same;
    if ((members & ~same) == 0) continue;
    lane_groups::park(warp, same, next, LaneGroup::State::at_convergence);
    warp.divergence.groups.back().convergence = number;
  }
  warp.pc = next;
  return go_on(warp);
}

/// Lanes wait for those that their own masks name. Behind WARPSYNC.EXCLUSIVE the lanes of one mask
/// run alone until they meet again: what they compute may be in uniform registers.
WarpState converge_lanes(Warp& warp, const MicroOp& op, LaneMask lanes) {
  const std::uint32_t next = warp.pc + 1;
  const bool exclusive = op.second != 0;
  const std::uint32_t* masks = plain_source(warp, op.source[0]);
  LaneMask left = lanes, together = 0;
  while (left != 0) {
    const std::uint32_t mask = masks[first_lane(left)];
    LaneMask same = 0;
    for (unsigned i = 0; i < lane_count; ++i) {
      if (has_lane(left, i) && masks[i] == mask) same |= LaneMask{1} << i;
    }
    left &= ~same;
    const LaneMask members = mask & warp.alive;
    if ((members & ~lanes) != 0) {
      lane_groups::park(warp, same, next, LaneGroup::State::at_warp_sync);
      warp.divergence.groups.back().awaited = members;
    } else if (exclusive && together != 0) {
      lane_groups::park(warp, same, next, LaneGroup::State::ready);
    } else {
      together |= same;
    }
  }
  warp.pc = next;
  return go_on(warp);
}

void leave_convergence(Warp& warp, const MicroOp& op, LaneMask lanes) {
  for (LaneMask& members : warp.divergence.convergence[op.second % 16]) members &= ~lanes;
}

/// What BAR does, with the same numbering as in lowering_flow.cpp.
enum : std::uint32_t {
  barrier_sync,
  barrier_arrive,
  reduce_count,
  reduce_and,
  reduce_or,
  group_sync
};

/// Waits at a barrier with the other warps.
WarpState wait_at(Warp& warp, std::uint32_t number, LaneMask lanes) {
  const std::uint32_t next = warp.pc + 1;
  warp.barrier = number;
  if (program_of(warp).control_stack) {
    warp.pc = next;
    return WarpState::at_barrier;
  }
  lane_groups::park(warp, lanes, next, LaneGroup::State::at_barrier);
  warp.pc = next;
  return go_on(warp);
}

/// WARPGROUP.ARRIVE: the products of a group need all of its warps.
WarpState meet_group(Warp& warp, LaneMask lanes) {
  const std::uint32_t group = warp.number / Block::group_warps;
  const auto all = static_cast<std::uint32_t>(warp.block->warps.size());
  const std::uint32_t number = Block::named_barriers + group;
  warp.block->barriers[number].expected_threads =
      std::min(Block::group_warps, all - group * Block::group_warps) * lane_count;
  return wait_at(warp, number, lanes);
}

WarpState barrier(Warp& warp, const MicroOp& op, LaneMask lanes) {
  const std::uint32_t next = warp.pc + 1;
  if (lanes == 0) {
    warp.pc = next;
    return WarpState::runs;
  }
  if (op.second == group_sync) return meet_group(warp, lanes);
  const unsigned lane = first_lane(lanes);
  const std::uint32_t number = plain_source(warp, op.source[0])[lane] % Block::named_barriers;
  std::uint32_t threads = plain_source(warp, op.source[1])[lane];
  if (op.has(flag::packed)) threads >>= 16;
  NamedBarrier& state = warp.block->barriers[number];
  if (op.second > barrier_arrive) {
    const LaneMask yes = predicate_source(warp, op, 0) & lanes;
    state.count += static_cast<std::uint32_t>(std::popcount(yes));
    state.all = state.all && yes == lanes;
    state.any = state.any || yes != 0;
    state.asks_all = op.second == reduce_and;
  }
  if (threads != 0) state.expected_threads = threads;
  if (threads != 0 && op.second <= barrier_arrive) {
    warp.events.push_back({AsyncEvent::Kind::meet, warp.pc, number,
                           (threads + lane_count - 1) / lane_count,
                           op.second == barrier_arrive ? 1 : 0, false});
  }
  if (op.second == barrier_arrive) {
    ++state.arrived_warps;
    warp.pc = next;
    return WarpState::runs;
  }
  return wait_at(warp, number, lanes);
}

/// Lanes of the guard for which the extra predicate or condition-code test also holds. Where that
/// is unknown, decide_unknown() has already decided the whole condition.
LaneMask with_condition(const Warp& warp, const MicroOp& op, LaneMask lanes) {
  if (!op.has(flag::extended)) return lanes;
  LaneMask decided = 0;
  for (const std::uint8_t at : op.predicate_in) decided |= warp.unknown.predicates[at];
  const LaneMask a = predicate_source(warp, op, 0), b = predicate_source(warp, op, 1);
  const LaneMask c = predicate_source(warp, op, 2);
  LaneMask holds = 0;
  for (unsigned k = 0; k < 8; ++k) {
    if ((op.immediate >> k & 1U) == 0) continue;
    holds |= ((k & 4U) != 0 ? a : ~a) & ((k & 2U) != 0 ? b : ~b) & ((k & 1U) != 0 ? c : ~c);
  }
  return lanes & (holds | decided);
}

/// BRA.DIV: taken if lanes of the mask run elsewhere; BRA.CONV (`position`): taken if none do.
LaneMask if_divergent(const Warp& warp, const MicroOp& op, LaneMask lanes) {
  const LaneMask mask = source_values(warp, op, 0)[first_lane(warp.active)];
  const bool divergent = (mask & warp.alive & ~warp.active) != 0;
  return divergent != op.has(flag::position) ? lanes : 0;
}

WarpState push_token(Warp& warp, const MicroOp& op, LaneMask lanes) {
  const auto kind = static_cast<TokenKind>(op.immediate);
  if (lanes != 0 && !control_stack::push(warp, kind, warp.active, op.second))
    return WarpState::faulted;
  ++warp.pc;
  return WarpState::runs;
}

}  // namespace

WarpState end_path(Warp& warp, LaneMask lanes) {
  warp.active &= ~lanes;
  return go_on(warp);
}

void pass_barrier(Warp& warp) {
  warp.waits_at_barrier = false;
  if (program_of(warp).control_stack) return;
  auto& groups = warp.divergence.groups;
  // Lanes that wait at the same barrier go on together.
  for (std::size_t i = 0; i < groups.size(); ++i) {
    if (groups[i].state != LaneGroup::State::at_barrier) continue;
    groups[i].state = LaneGroup::State::ready;
    for (std::size_t k = i + 1; k < groups.size(); ++k) {
      if (groups[k].state != LaneGroup::State::at_barrier || groups[k].pc != groups[i].pc) continue;
      groups[i].lanes |= groups[k].lanes;
      groups[k].lanes = 0;
    }
  }
  lane_groups::resume(warp);
}

FlowOutcome run_flow(Warp& warp, const MicroOp& op, LaneMask guarded) {
  const LaneMask lanes = with_condition(warp, op, guarded);
  const auto next = [&] {
    ++warp.pc;
    return WarpState::runs;
  };
  switch (op.operation) {
    case Operation::branch: {
      const LaneMask taken = op.has(flag::any_lane) && lanes != 0 ? warp.active : lanes;
      return {split(warp, taken, op.second), true, taken};
    }
    case Operation::branch_divergent: {
      const LaneMask taken = if_divergent(warp, op, lanes);
      return {split(warp, taken, op.second), true, taken};
    }
    case Operation::branch_indirect:
      // Before sm_70 calls by a register push where they return to, and jump.
      if (op.has(flag::own_unknown) && lanes != 0 &&
          warp_operation::calls_outside(warp, op, lanes)) {
        warp_operation::outside_call(warp, op, lanes);
        return {warp.fault ? WarpState::faulted : leave(warp, TokenKind::call, lanes)};
      }
      return {lanes != 0 ? jump(warp, op, lanes, true) : next(), true, lanes};
    case Operation::call:
      return {call(warp, op, lanes)};
    case Operation::call_indirect:
      if (op.has(flag::own_unknown) && lanes != 0 &&
          warp_operation::calls_outside(warp, op, lanes)) {
        warp_operation::outside_call(warp, op, lanes);
        return {warp.fault ? WarpState::faulted : next()};
      }
      return {lanes != 0 ? jump(warp, op, lanes, false) : next()};
    case Operation::return_indirect:
      return {lanes != 0 ? jump(warp, op, lanes, false) : next()};
    case Operation::return_:
      return {leave(warp, TokenKind::call, lanes)};
    case Operation::push:
      return {push_token(warp, op, lanes)};
    case Operation::pop: {
      const bool conditional = op.guard != predicate::always || op.has(flag::extended);
      return {stop_path(warp, lanes), conditional, lanes};
    }
    case Operation::leave:
      return {leave(warp, static_cast<TokenKind>(op.second), lanes), true, lanes};
    case Operation::converge_begin:
      begin_convergence(warp, op, lanes);
      return {next()};
    case Operation::converge_end:
      return {converge(warp, op, lanes)};
    case Operation::converge_leave:
      leave_convergence(warp, op, lanes);
      return {next()};
    case Operation::converge_lanes:
      return {converge_lanes(warp, op, lanes)};
    case Operation::yield:
      next();
      lane_groups::rotate(warp);
      return {WarpState::gives_way};
    case Operation::exit:
      return {end_lanes(warp, lanes), true, lanes};
    case Operation::barrier:
      return {barrier(warp, op, lanes)};
    default:
      break;
  }
  if (lanes == 0) return {next()};
  return {fault(warp, Fault::Kind::trap, lanes)};
}

}  // namespace forewarp::execution
