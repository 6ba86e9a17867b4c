// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "execution/lowering/idioms.h"

#include <array>

#include "program/modifier.h"

namespace forewarp::execution {
namespace {

bool is_call(const Instruction& instruction) {
  return instruction.instruction_class == InstructionClass::call &&
         opcode_info(instruction.opcode).mnemonic != "PRET";
}

bool is_sync(const Instruction& instruction) {
  return opcode_info(instruction.opcode).mnemonic == "SYNC";
}

/// Whether straight-line code from `from` on reaches a call before a branch or `until`.
bool calls_before(const Kernel& kernel, std::size_t from, std::size_t until) {
  for (std::size_t i = from; i < until && i < kernel.instructions.size(); ++i) {
    const Instruction& instruction = kernel.instructions[i];
    if (is_call(instruction)) return true;
    if (instruction.instruction_class == InstructionClass::branch) return false;
    if (instruction.pops_convergence || is_sync(instruction)) return false;
  }
  return false;
}

/// Updates the bit mask of predicates whose last write was by FCHK.
void follow_checks(const Kernel& kernel, const Instruction& instruction, std::uint32_t& checked) {
  const bool check = instruction.instruction_class == InstructionClass::division_check;
  for (const Operand& operand : kernel.operands_of(instruction)) {
    if (operand.kind != OperandKind::predicate || operand.index >= true_predicate) break;
    checked = check ? checked | 1U << operand.index : checked & ~(1U << operand.index);
  }
}

constexpr std::size_t longest_idiom = 24;  // instructions between the branch and where it goes

/// @P BRA over a slow path: usually taken if it skips a short run that ends in a call.
Usual usual_of(const Kernel& kernel, std::size_t index, std::uint32_t checked) {
  const Instruction& instruction = kernel.instructions[index];
  const bool branch = instruction.instruction_class == InstructionClass::branch;
  const bool joins = instruction.pops_convergence || is_sync(instruction);
  if (!branch && !joins && !is_call(instruction)) return Usual::unclear;
  if (!instruction.guarded() || instruction.guard_uniform) return Usual::unclear;
  if ((checked >> instruction.guard & 1U) != 0) {
    return instruction.guard_negated ? Usual::taken : Usual::not_taken;
  }
  if (is_call(instruction)) return Usual::not_taken;
  if (joins) {  // the usual way if the slow path's call comes before the next join
    return calls_before(kernel, index + 1, index + longest_idiom) ? Usual::taken : Usual::unclear;
  }
  const auto operands = kernel.operands_of(instruction);
  if (operands.empty() || operands.back().kind != OperandKind::target) return Usual::unclear;
  const std::size_t target = kernel.index_at(static_cast<std::uint32_t>(operands.back().value));
  if (target > index && target - index <= longest_idiom &&
      calls_before(kernel, index + 1, target)) {
    return Usual::taken;
  }
  if (target > index + longest_idiom && calls_before(kernel, target, target + longest_idiom)) {
    return Usual::not_taken;
  }
  return Usual::unclear;
}

}  // namespace

std::vector<std::uint8_t> usual_outcomes(const Kernel& kernel) {
  std::vector<std::uint8_t> result(kernel.instructions.size(), 0);
  std::uint32_t checked = 0;
  for (std::size_t i = 0; i < kernel.instructions.size(); ++i) {
    result[i] = static_cast<std::uint8_t>(usual_of(kernel, i, checked));
    follow_checks(kernel, kernel.instructions[i], checked);
  }
  return result;
}

}  // namespace forewarp::execution
