// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <utility>

#include "input/sass/parameters.h"
#include "program/modifier.h"
#include "program/widths.h"

namespace forewarp::input {
namespace {

/// How the code uses one four-byte word of the parameters.
struct WordUse {
  bool wide = false;     ///< read together with the next word
  bool address = false;  ///< .. for an address or with a carry out: low half of a 64-bit sum
  bool carries = false;  ///< with a carry in: high half
  bool floating = false, integer = false;  ///< what the arithmetic that reads it takes it for
  std::uint16_t moved_to = no_register;    ///< destination of a plain move
};

using Words = std::map<std::uint32_t, WordUse>;

bool writes_carry(const Kernel& kernel, const Instruction& instruction) {
  const auto operands = kernel.operands_of(instruction);
  if (operands.empty()) return false;
  if (operands[0].writes_cc) return true;
  return operands.size() > 1 && operands[0].kind == OperandKind::register_ &&
         operands[1].kind == OperandKind::predicate && operands[1].index != true_predicate;
}

bool is_move(const Instruction& instruction) {
  return instruction.instruction_class == InstructionClass::move ||
         (instruction.instruction_class == InstructionClass::integer_multiply &&
          instruction.has(modifier::mov));
}

/// Whether no value follows an operand, only predicates: of a product's values, the addend.
bool is_last_value(const Kernel& kernel, const Instruction& instruction, const Operand& operand) {
  const auto operands = kernel.operands_of(instruction);
  const auto after = operands.subspan(static_cast<std::size_t>(&operand - operands.data()) + 1);
  return std::ranges::all_of(after, [](const Operand& other) {
    return other.kind == OperandKind::predicate || other.kind == OperandKind::uniform_predicate;
  });
}

/// Whether an instruction reads eight bytes at once there: 64-bit addends (factors have four),
/// 64-bit loads, fp64 arithmetic.
bool reads_pair(const Kernel& kernel, const Instruction& instruction, const Operand& operand) {
  switch (instruction.instruction_class) {
    case InstructionClass::integer_multiply_wide:
      return is_last_value(kernel, instruction, operand);
    case InstructionClass::fp64:
    case InstructionClass::fp64_compare:
      return true;
    case InstructionClass::load_constant:
    case InstructionClass::uniform_load_constant:
      return data_registers(instruction) == 2;
    default:
      return widths_of(kernel, instruction).source[0] == 2;
  }
}

bool is_address_arithmetic(InstructionClass c) {
  return c == InstructionClass::integer_multiply_wide ||
         c == InstructionClass::uniform_load_constant || c == InstructionClass::load_constant;
}

/// Selections, conversions and what moves a word take it for nothing.
void note_type(const Instruction& instruction, WordUse& word) {
  switch (instruction.instruction_class) {
    case InstructionClass::fp32:
    case InstructionClass::fp32_compare:
    case InstructionClass::fp64:
    case InstructionClass::fp64_compare:
      word.floating = true;
      return;
    case InstructionClass::integer:
    case InstructionClass::integer_compare:
    case InstructionClass::shift_add:
    case InstructionClass::logic:
    case InstructionClass::shift:
    case InstructionClass::byte_permute:
    case InstructionClass::integer_multiply:
    case InstructionClass::integer_multiply_wide:
      word.integer |= !is_move(instruction);
      return;
    default:
      return;
  }
}

void note_arithmetic(const Kernel& kernel, const Instruction& instruction, WordUse& word) {
  word.address |= writes_carry(kernel, instruction);
  word.carries |= instruction.has(modifier::x);
  note_type(instruction, word);
}

bool is_load(const Instruction& instruction) {
  return instruction.instruction_class == InstructionClass::load_constant ||
         instruction.instruction_class == InstructionClass::uniform_load_constant;
}

/// To one register, or to a pair that is named by its first.
bool copies_word(const Instruction& instruction) {
  return is_move(instruction) || instruction.instruction_class == InstructionClass::uniform_move ||
         (is_load(instruction) && data_registers(instruction) <= 2);
}

/// A word that is first copied to a register is used where that register is read next.
void note_copy(const Kernel& kernel, std::size_t copy, WordUse& word) {
  constexpr std::size_t furthest = 64;
  const Operand& held = kernel.operands_of(kernel.instructions[copy])[0];
  const auto same = [&](const Operand& operand) {
    return operand.kind == held.kind && operand.index == held.index;
  };
  const std::size_t end = std::min(kernel.instructions.size(), copy + furthest);
  for (std::size_t i = copy + 1; i < end; ++i) {
    const auto operands = kernel.operands_of(kernel.instructions[i]);
    if (operands.empty()) continue;
    if (std::any_of(operands.begin() + 1, operands.end(), same)) {
      note_arithmetic(kernel, kernel.instructions[i], word);
    }
    if (same(operands[0])) return;
  }
}

void note(const Kernel& kernel, std::size_t index, const Operand& operand, std::uint32_t offset,
          Words& words) {
  const Instruction& instruction = kernel.instructions[index];
  WordUse& word = words[offset];
  if (reads_pair(kernel, instruction, operand)) {
    word.wide = true;
    word.address |= is_address_arithmetic(instruction.instruction_class);
  }
  note_arithmetic(kernel, instruction, word);
  if (!copies_word(instruction)) return;
  note_copy(kernel, index, word);
  if (word.floating && !word.integer) word.address = false;
  const Operand& held = kernel.operands_of(instruction)[0];
  if (is_move(instruction) && held.kind == OperandKind::register_) word.moved_to = held.index;
}

Words words_used(const Kernel& kernel) {
  Words words;
  for (std::size_t i = 0; i < kernel.instructions.size(); ++i) {
    for (const Operand& operand : kernel.operands_of(kernel.instructions[i])) {
      if (operand.kind != OperandKind::constant || operand.index != 0) continue;
      if (operand.base != no_register || operand.uniform_base != no_register) continue;
      const std::int64_t offset = operand.value - std::int64_t{kernel.parameter_base};
      // Constant bank 0 has at most 64 KiB in every family.
      if (offset < 0 || offset > 0xffff) continue;
      note(kernel, i, operand, static_cast<std::uint32_t>(offset), words);
    }
  }
  return words;
}

/// Whether two words are moved to an even register and its successor.
bool moved_as_pair(const WordUse& low, const WordUse& high) {
  return low.moved_to != no_register && low.moved_to % 2 == 0 && high.moved_to == low.moved_to + 1;
}

/// Fills bytes from `end` to `next` that the code never reads: four bytes before an eight-byte
/// parameter are padding, eight aligned bytes are one parameter.
void fill_gap(std::vector<Parameter>& parameters, std::uint32_t end, const Parameter& next) {
  while (end < next.offset) {
    const std::uint32_t gap = next.offset - end;
    if (gap == 4 && next.size == 8) return;
    const std::uint32_t size = end % 8 == 0 && gap >= 8 ? 8 : 4;
    parameters.push_back({"", "", end, size, false});
    end += size;
  }
}

/// A number that only floating arithmetic reads.
Parameter with_type(Parameter parameter, const WordUse& use) {
  if (!parameter.pointer && use.floating && !use.integer)
    parameter.type = parameter.size == 8 ? "double" : "float";
  return parameter;
}

Parameter parameter_at(std::uint32_t offset, const WordUse& use, const Words& words) {
  Parameter parameter{"", "", offset / 4 * 4, 4, false};
  if (parameter.offset % 8 != 0) return with_type(std::move(parameter), use);
  const auto next = words.find(parameter.offset + 4);
  const bool moved = next != words.end() && moved_as_pair(use, next->second);
  const bool sum = next != words.end() && use.address && next->second.carries;
  parameter.pointer = moved || sum || (use.wide && use.address);
  if (parameter.pointer || use.wide) parameter.size = 8;
  return with_type(std::move(parameter), use);
}

}  // namespace

std::vector<Parameter> infer_parameters(const Kernel& kernel) {
  const Words words = words_used(kernel);
  std::vector<Parameter> parameters;
  std::uint32_t end = 0;
  for (const auto& [offset, use] : words) {
    if (offset < end) continue;
    Parameter parameter = parameter_at(offset, use, words);
    fill_gap(parameters, end, parameter);
    end = parameter.offset + parameter.size;
    parameters.push_back(std::move(parameter));
  }
  return parameters;
}

}  // namespace forewarp::input
