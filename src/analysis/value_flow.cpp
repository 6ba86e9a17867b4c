// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/value_flow.h"

#include <algorithm>
#include <utility>

#include "analysis/flow_step.h"
#include "analysis/path_choice.h"

namespace forewarp::analysis {
namespace {

/// Whether a function outside the kernel preserves the register (R1, R2, R16 and up), by the
/// calling convention of the compiler's device functions.
bool survives_unknown_call(const StateSlots& slots, Slot slot) {
  constexpr std::uint32_t first_saved = 16;
  if (slots.file(slot) != RegisterFile::general) return false;
  const std::uint32_t number = slots.number(slot);
  return number == 1 || number == 2 || number >= first_saved;
}

}  // namespace

ValueFlow::ValueFlow(const FlowFacts& facts, ExpressionPool& pool)
    : slots_(facts.kernel),
      operand_values_(facts.kernel.operands.size(), 0),
      effects_(facts.kernel.instructions.size(), 0),
      after_(facts.flow.blocks().size()),
      before_(facts.flow.blocks().size()) {
  find_writes(facts);
  loop_entry_.resize(facts.loops.all().size());
  SemanticContext context{facts.kernel, slots_, pool, {}};
  for (const BlockId block : facts.flow.order()) {
    MachineState state;
    enter(facts, pool, block, state);
    before_[block] = state.definition;
    run(context, facts.flow.blocks()[block], state);
    return_from_call(facts, pool, block, state);
    after_[block] = std::move(state);
  }
}

void ValueFlow::find_writes(const FlowFacts& facts) {
  block_writes_.resize(facts.flow.blocks().size());
  for (BlockId b = 0; b < block_writes_.size(); ++b) {
    const BasicBlock& block = facts.flow.blocks()[b];
    for (std::uint32_t i = block.first; i < block.end; ++i) {
      const Roles roles = roles_of(facts.kernel, facts.kernel.instructions[i]);
      for (const RegisterRange& range : roles.written()) {
        for (std::uint32_t n = 0; n < range.count; ++n) {
          block_writes_[b].insert(slots_.of(range.file, range.first + n));
        }
      }
    }
    if (!block.calls_unknown) continue;
    for (Slot slot = 0; slot < slots_.count(); ++slot) {
      if (!survives_unknown_call(slots_, slot)) block_writes_[b].insert(slot);
    }
  }
  find_routine_writes(facts);
  loop_writes_.resize(facts.loops.all().size());
  for (LoopId id = static_cast<LoopId>(loop_writes_.size()); id-- > 0;) {
    const Loop& loop = facts.loops.all()[id];
    for (const BlockId b : loop.blocks) {
      if (facts.loops.innermost(b) == id) loop_writes_[id].insert(block_writes_[b]);
    }
    if (loop.parent != no_loop) loop_writes_[loop.parent].insert(loop_writes_[id]);
  }
}

/// A calling block also writes what its subroutine writes, including nested calls.
void ValueFlow::find_routine_writes(const FlowFacts& facts) {
  routine_writes_.resize(facts.flow.routines().size());
  for (bool changed = true; changed;) {
    changed = false;
    for (BlockId b = 0; b < block_writes_.size(); ++b) {
      const BasicBlock& block = facts.flow.blocks()[b];
      if (block.callee != no_block) {
        block_writes_[b].insert(routine_writes_[facts.flow.blocks()[block.callee].routine]);
      }
      const SlotSet before = routine_writes_[block.routine];
      routine_writes_[block.routine].insert(block_writes_[b]);
      changed = changed || !(before == routine_writes_[block.routine]);
    }
  }
}

void ValueFlow::enter(const FlowFacts& facts, ExpressionPool& pool, BlockId block,
                      MachineState& state) {
  std::vector<BlockId> from;
  bool complete = true;
  for (const ControlEdge& e : facts.flow.predecessors(block)) {
    if (facts.loops.is_back_edge(e)) continue;
    if (after_[e.from].value.empty()) {
      complete = false;  // a cycle that is not a natural loop
    } else if (std::find(from.begin(), from.end(), e.from) == from.end()) {
      from.push_back(e.from);
    }
  }
  const std::uint32_t first = facts.flow.blocks()[block].first;
  if (from.empty() && complete && enter_routine(facts, block, state)) return;
  if (from.empty() || !complete) {
    const bool starts = from.empty() && complete;
    state.value.resize(slots_.count());
    state.definition.assign(slots_.count(),
                            starts ? Definition{} : Definition{Definition::merge_bit | block});
    for (Slot slot = 0; slot < slots_.count(); ++slot) {
      state.value[slot] =
          pool.unknown(starts ? UnknownReason::entry : UnknownReason::merge, first, slot);
    }
  } else {
    state = after_[from[0]];
    if (from.size() > 1) merge(facts, pool, block, from, state);
  }
  const LoopId loop = facts.loops.headed_by(block);
  if (loop != no_loop) enter_loop(facts, pool, loop, state);
}

/// A subroutine called from one place, outside of loops, starts with its caller's state.
bool ValueFlow::enter_routine(const FlowFacts& facts, BlockId block, MachineState& state) const {
  if (facts.loops.headed_by(block) != no_loop) return false;
  const std::uint32_t routine = facts.flow.blocks()[block].routine;
  if (routine == 0 || facts.flow.routines()[routine].entry != block) return false;
  const auto call = calls_.find(block);
  if (call == calls_.end()) return false;
  std::size_t callers = 0;
  for (const BasicBlock& b : facts.flow.blocks()) callers += b.callee == block ? 1 : 0;
  if (callers != 1) return false;
  state = call->second;
  return true;
}

void ValueFlow::merge(const FlowFacts& facts, ExpressionPool& pool, BlockId block,
                      const std::vector<BlockId>& from, MachineState& state) {
  const PathChoice choice(facts, block, from);
  const std::uint32_t first = facts.flow.blocks()[block].first;
  const auto condition_of = [&](BlockId branch) {
    return effects_[facts.flow.blocks()[branch].end - 1];
  };
  for (Slot slot = 0; slot < slots_.count(); ++slot) {
    bool same_value = true, same_definition = true;
    for (const BlockId b : from) {
      same_value = same_value && after_[b].value[slot] == state.value[slot];
      same_definition = same_definition && after_[b].definition[slot] == state.definition[slot];
    }
    if (!same_definition) state.definition[slot].code = Definition::merge_bit | block;
    if (same_value && state.value[slot] != 0) continue;
    const Expression chosen = choice.value(
        pool, [&](BlockId b) { return after_[b].value[slot]; }, condition_of);
    state.value[slot] = chosen != 0 ? chosen : pool.unknown(UnknownReason::merge, first, slot);
  }
}

void ValueFlow::enter_loop(const FlowFacts& facts, ExpressionPool& pool, LoopId id,
                           MachineState& state) {
  const Loop& loop = facts.loops.all()[id];
  const std::uint32_t first = facts.flow.blocks()[loop.header].first;
  const bool followed = loop.depth <= max_followed_depth;
  if (followed) loop_entry_[id] = state.value;
  for (Slot slot = 0; slot < slots_.count(); ++slot) {
    if (!loop_writes_[id].contains(slot)) continue;
    state.value[slot] =
        followed ? pool.phi(id, slot) : pool.unknown(UnknownReason::loop_carried, first, slot);
    state.definition[slot].code = Definition::merge_bit | loop.header;
  }
}

void ValueFlow::run(SemanticContext& context, const BasicBlock& block, MachineState& state) {
  for (std::uint32_t i = block.first; i < block.end; ++i) record(context, state, i);
}

void ValueFlow::record(SemanticContext& context, MachineState& state, std::uint32_t index) {
  const Instruction& instruction = context.kernel.instructions[index];
  Semantics semantics(context, state, index);
  const auto operands = context.kernel.operands_of(instruction);
  for (std::size_t i = 0; i < operands.size(); ++i) {
    operand_values_[instruction.first_operand + i] = semantics.bare_value(operands[i]);
  }
  const FlowStep step = flow_step(context.kernel, instruction);
  if (step.conditional) {
    effects_[index] = semantics.takes_effect();
  } else if (instruction.guarded()) {
    effects_[index] = semantics.guard();
  }
  semantics.execute();
}

void ValueFlow::return_from_call(const FlowFacts& facts, ExpressionPool& pool, BlockId block,
                                 MachineState& state) {
  const BasicBlock& b = facts.flow.blocks()[block];
  if (b.callee == no_block && !b.calls_unknown) return;
  const std::uint32_t call = b.end - 1;
  if (b.callee != no_block && facts.loops.innermost(block) == no_loop) calls_[b.callee] = state;
  const SlotSet* writes =
      b.callee == no_block ? nullptr : &routine_writes_[facts.flow.blocks()[b.callee].routine];
  for (Slot slot = 0; slot < slots_.count(); ++slot) {
    const bool changed =
        writes != nullptr ? writes->contains(slot) : !survives_unknown_call(slots_, slot);
    if (!changed) continue;
    state.value[slot] = pool.unknown(UnknownReason::call, call, slot);
    state.definition[slot].code = call;
  }
}

void ValueFlow::collect(const FlowFacts& facts, BlockId block, std::uint32_t end, Slot slot,
                        std::vector<BlockId>& work, std::vector<std::uint32_t>& found) const {
  const BasicBlock& b = facts.flow.blocks()[block];
  for (std::uint32_t i = end; i-- > b.first;) {
    const Instruction& instruction = facts.kernel.instructions[i];
    const bool call = i + 1 == b.end && (b.callee != no_block || b.calls_unknown);
    bool writes = call && block_writes_[block].contains(slot);
    const Roles roles = roles_of(facts.kernel, instruction);
    for (const RegisterRange& range : roles.written()) {
      for (std::uint32_t n = 0; n < range.count; ++n) {
        writes = writes || slots_.of(range.file, range.first + n) == slot;
      }
    }
    if (!writes) continue;
    found.push_back(i);
    if (!instruction.guarded()) return;
  }
  const Definition before = before_[block][slot];
  if (before.is_none()) return;
  if (before.is_instruction()) {
    // The definition is in another block; if guarded, older definitions may reach too.
    const BlockId other = facts.flow.block_of(before.instruction());
    work.push_back(other);
  } else if (before.block() == block) {
    for (const ControlEdge& e : facts.flow.predecessors(block)) work.push_back(e.from);
  } else {
    for (const ControlEdge& e : facts.flow.predecessors(before.block())) work.push_back(e.from);
  }
}

std::vector<std::uint32_t> ValueFlow::definitions(const FlowFacts& facts, std::uint32_t instruction,
                                                  Slot slot) const {
  std::vector<std::uint32_t> found;
  const BlockId start = facts.flow.block_of(instruction);
  if (start == no_block || slot == no_slot) return found;
  std::vector<bool> seen(facts.flow.blocks().size(), false);
  std::vector<BlockId> work;
  collect(facts, start, instruction, slot, work, found);
  while (!work.empty()) {
    const BlockId b = work.back();
    work.pop_back();
    if (seen[b]) continue;
    seen[b] = true;
    collect(facts, b, facts.flow.blocks()[b].end, slot, work, found);
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

}  // namespace forewarp::analysis
