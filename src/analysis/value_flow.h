// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "analysis/expression.h"
#include "analysis/flow_facts.h"
#include "analysis/machine_state.h"
#include "analysis/semantics.h"
#include "analysis/state_slots.h"

namespace forewarp::analysis {

/// Follows symbolic register contents along all paths, once. At a loop header, each register that
/// the loop writes becomes a phi atom. Where paths with different values meet, the result is a
/// select on the branch that chose the path, or unknown. Also finds the definitions that reach each
/// point.
class ValueFlow {
 public:
  ValueFlow() = default;
  ValueFlow(const FlowFacts& facts, ExpressionPool& pool);

  [[nodiscard]] const StateSlots& slots() const { return slots_; }
  /// Value of an operand (index into Kernel::operands) just before its instruction: registers and
  /// constants without sign or part, memory operands as exact addresses. 0: no value.
  [[nodiscard]] Expression operand(std::uint32_t index) const { return operand_values_[index]; }
  /// Condition for the instruction to take effect; 0 for instructions without guard and condition.
  [[nodiscard]] Expression effect(std::uint32_t instruction) const { return effects_[instruction]; }
  [[nodiscard]] const MachineState& state_after(BlockId block) const { return after_[block]; }
  /// Slots that a loop writes, and their contents on entry to it.
  [[nodiscard]] const SlotSet& written(LoopId loop) const { return loop_writes_[loop]; }
  [[nodiscard]] const std::vector<Expression>& entry_values(LoopId loop) const {
    return loop_entry_[loop];
  }
  /// All instructions, ascending, whose result `instruction` may read in `slot`. A call counts as
  /// the definition of what its subroutine writes.
  [[nodiscard]] std::vector<std::uint32_t> definitions(const FlowFacts& facts,
                                                       std::uint32_t instruction, Slot slot) const;

 private:
  void find_writes(const FlowFacts& facts);
  void find_routine_writes(const FlowFacts& facts);
  void enter(const FlowFacts& facts, ExpressionPool& pool, BlockId block, MachineState& state);
  bool enter_routine(const FlowFacts& facts, BlockId block, MachineState& state) const;
  void merge(const FlowFacts& facts, ExpressionPool& pool, BlockId block,
             const std::vector<BlockId>& from, MachineState& state);
  void enter_loop(const FlowFacts& facts, ExpressionPool& pool, LoopId loop, MachineState& state);
  void run(SemanticContext& context, const BasicBlock& block, MachineState& state);
  void record(SemanticContext& context, MachineState& state, std::uint32_t index);
  void return_from_call(const FlowFacts& facts, ExpressionPool& pool, BlockId block,
                        MachineState& state);

  void collect(const FlowFacts& facts, BlockId block, std::uint32_t end, Slot slot,
               std::vector<BlockId>& work, std::vector<std::uint32_t>& found) const;

  StateSlots slots_;
  std::vector<Expression> operand_values_;
  std::vector<Expression> effects_;
  std::vector<MachineState> after_;
  std::vector<std::vector<Definition>> before_;      ///< definitions at each block's start
  std::unordered_map<BlockId, MachineState> calls_;  ///< by callee: state at the last call
  std::vector<SlotSet> block_writes_, loop_writes_, routine_writes_;
  std::vector<std::vector<Expression>> loop_entry_;
};

}  // namespace forewarp::analysis
