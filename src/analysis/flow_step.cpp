// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/flow_step.h"

#include <string_view>
#include <utility>
#include <vector>

#include "program/modifier.h"
#include "program/opcode.h"

namespace forewarp::analysis {
namespace {

constexpr std::pair<std::string_view, FlowAction> actions[] = {
    {"BRA", FlowAction::jump},          {"JMP", FlowAction::jump},
    {"BRX", FlowAction::jump_indirect}, {"BRXU", FlowAction::jump_indirect},
    {"JMX", FlowAction::jump_indirect}, {"JMXU", FlowAction::jump_indirect},
    {"CAL", FlowAction::call},          {"JCAL", FlowAction::call},
    {"CALL", FlowAction::call},         {"RET", FlowAction::give_back},
    {"RTT", FlowAction::leave},         {"EXIT", FlowAction::leave},
    {"KILL", FlowAction::leave},        {"PEXIT", FlowAction::leave},
    {"SSY", FlowAction::push_sync},     {"PBK", FlowAction::push_break},
    {"PCNT", FlowAction::push_next},    {"PRET", FlowAction::push_return},
    {"SYNC", FlowAction::pop_sync},     {"BRK", FlowAction::pop_break},
    {"CONT", FlowAction::pop_next},
};

std::vector<FlowAction> make_table() {
  std::vector<FlowAction> table(opcode_count(), FlowAction::none);
  for (const auto& [mnemonic, action] : actions) {
    const Opcode opcode = find_opcode(mnemonic);
    if (opcode != unknown_opcode && opcode < table.size()) table[opcode] = action;
  }
  return table;
}

FlowAction action_of(Opcode opcode) {
  static const std::vector<FlowAction> table = make_table();
  return opcode < table.size() ? table[opcode] : FlowAction::none;
}

bool is_condition(const Operand& operand, FlowAction action) {
  switch (operand.kind) {
    case OperandKind::predicate:
    case OperandKind::uniform_predicate:
      return operand.index != true_predicate || operand.invert;
    case OperandKind::condition_code:
      return true;
    case OperandKind::uniform_register:
      return action == FlowAction::jump;  // BRA.DIV ~URZ: branches only if lanes disagree
    default:
      return false;
  }
}

}  // namespace

FlowStep flow_step(const Kernel& kernel, const Instruction& instruction) {
  FlowStep step;
  if (instruction.dead()) return step;
  step.action = action_of(instruction.opcode);
  if (step.action == FlowAction::none && instruction.pops_convergence) {
    step.action = FlowAction::pop_sync;
    step.conditional = instruction.guarded();  // "@!P0 NOP.S": lanes whose guard fails continue
    return step;
  }
  if (step.action == FlowAction::none) return step;
  // BRA.DIV: only if lanes disagree; its register may not be printed.
  step.conditional =
      instruction.guarded() || instruction.has(modifier::div) || instruction.has(modifier::conv);
  for (const Operand& operand : kernel.operands_of(instruction)) {
    if (operand.kind == OperandKind::target) {
      const auto address = static_cast<std::uint32_t>(operand.value);
      const std::size_t index = kernel.index_at(address);
      if (index < kernel.instructions.size()) step.target = static_cast<std::uint32_t>(index);
    } else if (is_condition(operand, step.action)) {
      step.conditional = true;
    }
  }
  if (step.action == FlowAction::call && step.target == FlowStep::no_target) {
    step.action = FlowAction::call_unknown;
  }
  return step;
}

}  // namespace forewarp::analysis
