// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "execution/warp/unknown_flow.h"

#include <algorithm>

#include "analysis/flow_step.h"
#include "base/mixed.h"
#include "execution/lowering/idioms.h"
#include "execution/state/operands.h"
#include "execution/warp/unknown_names.h"

namespace forewarp::execution {
namespace {

void include(UnknownInput& input, LaneMask lanes, Origin origin) {
  if (lanes == 0) return;
  if (input.lanes == 0) input.origin = origin;
  input.lanes |= lanes;
}

void include_cell(const Warp& warp, UnknownInput& input, std::uint32_t at) {
  if ((at & DataFlow::pool_bit) == 0) {
    include(input, warp.unknown.cells[at], warp.unknown.origins[at]);
    return;
  }
  const auto& pool = warp.block->environment->image->unknown_pool();
  if (pool.empty()) return;
  const Origin origin = pool[at & ~DataFlow::pool_bit];
  if (origin != no_origin) include(input, all_lanes, origin);
}

/// SEL and FSEL read one source per lane: unknown values of the other do not matter.
UnknownInput unknown_choice(const Warp& warp, const MicroOp& op) {
  UnknownInput first, second, result;
  include_cell(warp, first, op.source[0].cell | (op.source[0].pool ? DataFlow::pool_bit : 0));
  include_cell(warp, second, op.source[1].cell | (op.source[1].pool ? DataFlow::pool_bit : 0));
  const LaneMask chosen = predicate_source(warp, op, 0);
  include(result, first.lanes & chosen, first.origin);
  include(result, second.lanes & ~chosen, second.origin);
  const std::uint8_t p = op.predicate_in[0];
  include(result, warp.unknown.predicates[p], warp.unknown.predicate_origins[p]);
  return result;
}

UnknownInput inputs_of(const Warp& warp, const MicroOp& op, std::uint32_t index) {
  if (op.operation == Operation::unknown_value) return {all_lanes, index};
  const bool chooses = op.operation == Operation::select || op.operation == Operation::float_select;
  return chooses && !op.indexed_constant ? unknown_choice(warp, op) : unknown_inputs(warp, index);
}

void mark_results(Warp& warp, std::uint32_t index, LaneMask lanes, const UnknownInput& input) {
  const Program& program = *warp.block->environment->program;
  const LaneMask unknown = input.lanes & lanes;
  for (const std::uint32_t at : program.writes(index))
    warp.unknown.mark(at, lanes, unknown, input.origin);
  for (const std::uint8_t at : program.predicate_writes(index)) {
    warp.unknown.mark_predicate(at, lanes, unknown, input.origin);
  }
}

/// The lanes of `lanes` drawn at random with probability `share`.
LaneMask drawn(Warp& warp, std::uint32_t index, LaneMask lanes, double share) {
  LaneMask taken = 0;
  ++warp.block->environment->draws;
  for (unsigned i = 0; i < lane_count; ++i) {
    if (has_lane(lanes, i) && drawn_share(warp, index, i) < share) taken |= lane_bit(i);
  }
  return taken;
}

/// Whether a branch goes backwards. Its trip count is then unknown, and half of the lanes each way
/// would make two iterations.
bool goes_back(const Environment& environment, const MicroOp& op, std::uint32_t index) {
  if (op.kind != OperationKind::flow) return false;
  const Kernel& kernel = *environment.program->kernel;
  const FlowStep step = flow_step(kernel, kernel.instructions[index]);
  return step.action == FlowAction::jump && step.target != FlowStep::no_target &&
         step.target <= index;
}

bool is_atomic(const Kernel& kernel, Origin origin) {
  if (origin >= kernel.instructions.size()) return false;
  const InstructionClass c = kernel.instructions[origin].instruction_class;
  return c == InstructionClass::atomic_global || c == InstructionClass::atomic_shared;
}

/// Whether a step leaves the instructions up to `last`, a loop's branch back to `first`.
bool leaves(const FlowStep& step, std::uint32_t first, std::uint32_t last) {
  if (step.action == FlowAction::leave || step.action == FlowAction::pop_break) return true;
  const bool jumps = step.action == FlowAction::jump && step.target != FlowStep::no_target;
  return jumps && (step.target < first || step.target > last);
}

/// Whether a branch leaves a loop that repeats the atomic that its condition comes from, in the
/// form where the loop goes back elsewhere: half of the lanes each way would make two iterations of
/// a retry that may make any number.
bool ends_retry(const Environment& environment, std::uint32_t index, Origin atomic) {
  const Kernel& kernel = *environment.program->kernel;
  if (!is_atomic(kernel, atomic)) return false;
  const auto step_at = [&](std::uint32_t at) { return flow_step(kernel, kernel.instructions[at]); };
  const auto count = static_cast<std::uint32_t>(kernel.instructions.size());
  for (std::uint32_t last = std::max(index, atomic); last < count; ++last) {
    const FlowStep back = step_at(last);
    if (back.action != FlowAction::jump || back.target > std::min(index, atomic)) continue;
    if (leaves(step_at(index), back.target, last)) return true;
    return index < last && leaves(step_at(index + 1), back.target, last) &&
           !kernel.instructions[index + 1].guarded();
  }
  return false;
}

}  // namespace

double drawn_share(const Warp& warp, std::uint32_t index, unsigned lane) {
  const std::uint64_t z = (warp.block->linear * 0x9e3779b97f4a7c15U) ^
                          (std::uint64_t{index} << 40) ^ (std::uint64_t{warp.number} << 32) ^
                          (std::uint64_t{lane} << 26) ^ (warp.block->environment->draws << 8);
  return static_cast<double>(mixed(z) >> 11) * 0x1p-53;
}

UnknownInput unknown_inputs(const Warp& warp, std::uint32_t index) {
  const Program& program = *warp.block->environment->program;
  UnknownInput input;
  for (const std::uint32_t at : program.reads(index)) include_cell(warp, input, at);
  for (const std::uint8_t at : program.predicate_reads(index)) {
    include(input, warp.unknown.predicates[at], warp.unknown.predicate_origins[at]);
  }
  return input;
}

void run_tracked(Warp& warp, const MicroOp& op, std::uint32_t index, LaneMask lanes,
                 LaneMask guard_unknown) {
  UnknownInput input = inputs_of(warp, op, index);
  const LaneMask unknown_values = input.lanes;
  LaneNames names{};
  const bool follows = unknown_values != 0 && names_results(warp, index);
  if (follows) names = derived_names(warp, op, index, unknown_values);
  if (guard_unknown != 0) include(input, guard_unknown, warp.unknown.predicate_origins[op.guard]);
  if (lanes != 0) op.handler(warp, op, lanes);
  const bool uniform = op.has(flag::uniform);
  const LaneMask takes =
      (warp.active & (warp.predicates[op.guard] ^ op.guard_flip)) | guard_unknown;
  if (uniform && (input.lanes & takes) != 0) input.lanes = all_lanes;
  if (uniform && input.lanes != all_lanes) input.lanes = 0;
  mark_results(warp, index, uniform ? all_lanes : lanes | guard_unknown, input);
  if (!follows) return;
  const LaneMask named = (uniform ? all_lanes : lanes) & input.lanes & ~guard_unknown;
  for (const std::uint32_t at : warp.block->environment->program->writes(index)) {
    const bool pair =
        op.operation == Operation::multiply_add_wide || op.operation == Operation::add_pairs;
    const bool upper = pair && at == op.destination + 1;
    set_names(warp, at, named, upper ? upper_words(names) : names);
  }
}

UnknownInput unknown_condition(const Warp& warp, const MicroOp& op) {
  UnknownInput input;
  const auto see = [&](std::uint8_t at, LaneMask lanes) {
    include(input, warp.unknown.predicates[at] & lanes, warp.unknown.predicate_origins[at]);
  };
  if (op.guard != predicate::always) see(op.guard, warp.active);
  if (op.kind == OperationKind::flow && op.has(flag::extended)) {
    // In lanes whose guard is known not to hold, the other predicates do not matter.
    const LaneMask guarded = warp.active & (warp.predicates[op.guard] ^ op.guard_flip);
    const LaneMask matters = guarded | input.lanes;
    for (const std::uint8_t at : op.predicate_in) see(at, matters);
  }
  return input;
}

LaneMask decide_unknown(Warp& warp, std::uint32_t index, LaneMask lanes,
                        const UnknownInput& condition) {
  Environment& environment = *warp.block->environment;
  const std::uint32_t address = environment.program->kernel->instructions[index].address;
  for (const BranchAssumption& assumption : environment.image->input().assumed_branches) {
    if (assumption.address != address) continue;
    environment.assumed[index] |= assumed_condition;
    return (lanes & ~condition.lanes) | drawn(warp, index, condition.lanes, assumption.taken);
  }
  const auto usual = static_cast<Usual>(environment.program->usual[index]);
  if (usual != Usual::unclear) {
    environment.assumed[index] |= assumed_condition;
    return (lanes & ~condition.lanes) | (usual == Usual::taken ? condition.lanes : 0);
  }
  const bool missing = (condition.origin & parameter_origin) != 0;  // an argument, not data
  if (!missing && !goes_back(environment, environment.program->ops[index], index) &&
      !ends_retry(environment, index, condition.origin)) {
    constexpr double half = 0.5;
    environment.assumed[index] |= assumed_half;
    return (lanes & ~condition.lanes) | drawn(warp, index, condition.lanes, half);
  }
  warp.fault.kind = Fault::Kind::unknown_condition;
  warp.fault.lanes = condition.lanes;
  warp.fault.instruction = index;
  warp.fault.origin = condition.origin;
  return lanes;
}

}  // namespace forewarp::execution
