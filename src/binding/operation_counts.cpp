// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "binding/operation_counts.h"

#include <algorithm>
#include <charconv>
#include <string_view>

#include "binding/access_space.h"
#include "program/modifier.h"
#include "program/roles.h"

namespace forewarp::binding {
namespace {

bool is_matrix(InstructionClass c) {
  return c == InstructionClass::tensor_half || c == InstructionClass::tensor_integer ||
         c == InstructionClass::tensor_double || c == InstructionClass::tensor_binary;
}

/// Takes the number at the head of `text`; 0 if there is none.
double take_number(std::string_view& text) {
  double value = 0;
  const auto [end, fault] =
      std::from_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed);
  if (fault != std::errc{}) return 0;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return value;
}

/// "64x128x16" -> 64 * 128 * 16; 0 for other forms.
double product_of_shape(std::string_view text) {
  const double m = take_number(text);
  if (m <= 0 || !text.starts_with('x')) return 0;
  text.remove_prefix(1);
  const double n = take_number(text);
  if (n <= 0 || !text.starts_with('x')) return 0;
  text.remove_prefix(1);
  return m * n * take_number(text);
}

/// "16816" -> 16 * 8 * 16, "884" -> 8 * 8 * 4: rows are 8 or 16, columns 8.
double product_of_digits(std::string_view text) {
  const double rows = text.starts_with("16") ? 16 : text.starts_with('8') ? 8 : 0;
  if (rows == 0) return 0;
  text.remove_prefix(rows > 8 ? 2 : 1);
  if (!text.starts_with('8')) return 0;
  text.remove_prefix(1);
  return rows * 8 * take_number(text);
}

/// The first tensor units computed four products, one per quarter of a warp, in several steps.
double of_steps(const Instruction& instruction, double operations) {
  const bool stepped = instruction.has(modifier::step0) || instruction.has(modifier::step1) ||
                       instruction.has(modifier::step2) || instruction.has(modifier::step3);
  if (!stepped) return operations;
  constexpr double quarters = 4;
  const double steps = instruction.has(modifier::f32) ? 4 : 2;
  return operations * quarters / steps;
}

double* operations_of(InstructionClass c, Demand& demand) {
  switch (c) {
    case InstructionClass::fp32:
      return &demand.count(Count::single_operations);
    case InstructionClass::fp64:
      return &demand.count(Count::double_operations);
    case InstructionClass::fp16:
    case InstructionClass::fp16_mma:
      return &demand.count(Count::half_operations);
    case InstructionClass::integer:
    case InstructionClass::integer_multiply:
    case InstructionClass::integer_multiply_wide:
    case InstructionClass::shift_add:
      return &demand.count(Count::integer_operations);
    case InstructionClass::sfu:
      return &demand.count(Count::single_operations);
    default:
      return nullptr;
  }
}

void count_arithmetic(const Instruction& instruction, Demand& demand) {
  const OpcodeInfo& info = opcode_info(instruction.opcode);
  if (info.arithmetic == Arithmetic::none || instruction.has(modifier::mov)) return;
  switch (info.arithmetic) {
    case Arithmetic::addition:
      demand.count(Count::additions) = 1;
      break;
    case Arithmetic::multiplication:
      demand.count(Count::multiplications) = 1;
      break;
    case Arithmetic::fused:
      demand.count(Count::fused) = 1;
      break;
    default:
      demand.count(Count::divisions) = 1;
  }
  double* operations = operations_of(instruction.instruction_class, demand);
  if (operations == nullptr) return;
  const double each = info.arithmetic == Arithmetic::fused ? 2 : 1;
  *operations = each * info.packed * demand.count(Count::thread_instructions);
}

bool reads_result_of(const Kernel& kernel, const Instruction& reader, const Instruction& writer) {
  const Roles reads = roles_of(kernel, reader);
  const Roles writes = roles_of(kernel, writer);
  return std::any_of(writes.written().begin(), writes.written().end(), [&](const RegisterRange& w) {
    return std::any_of(reads.read().begin(), reads.read().end(), [&](const RegisterRange& r) {
      return r.file == w.file && r.first < w.first + w.count && w.first < r.first + r.count;
    });
  });
}

}  // namespace

bool of_warpgroup(const Instruction& instruction) {
  return opcode_info(instruction.opcode).mnemonic.ends_with("GMMA");
}

double matrix_operations(const Kernel& kernel, const Instruction& instruction) {
  if (!is_matrix(instruction.instruction_class)) return 0;
  std::string_view text = kernel.text_of(instruction);
  for (auto dot = text.find('.'); dot != text.npos; dot = text.find('.')) {
    text.remove_prefix(dot + 1);
    const double shape = product_of_shape(text);
    const double product = shape > 0 ? shape : product_of_digits(text);
    if (product <= 0) continue;
    // A warpgroup's instruction is issued by each of its four warps.
    return of_steps(instruction, 2 * product) / (of_warpgroup(instruction) ? 4 : 1);
  }
  return 0;
}

double matrix_operand_bytes(const Kernel& kernel, const Instruction& instruction) {
  constexpr double rows_of_a = 64, row_bytes = 32, warps = 4;
  constexpr std::string_view shape = ".64x";
  std::string_view text = kernel.text_of(instruction);
  const auto at = text.find(shape);
  if (!of_warpgroup(instruction) || at == text.npos) return 0;
  text.remove_prefix(at + shape.size());
  const double columns = take_number(text);
  const bool sparse = instruction.has(modifier::sp) || instruction.has(modifier::sparse);
  const auto operands = kernel.operands_of(instruction);
  const bool a_shared = operands.size() > 1 && operands[1].kind == OperandKind::memory;
  return row_bytes * ((a_shared ? rows_of_a : 0) + columns * (sparse ? 2 : 1)) / warps;
}

void count_operations(const Kernel& kernel, std::size_t first, std::size_t index, Demand& demand) {
  const Instruction& instruction = kernel.instructions[index];
  count_arithmetic(instruction, demand);
  demand.count(Count::matrix_operations) = matrix_operations(kernel, instruction);
  if (index <= first || access_space(instruction.instruction_class) != AccessSpace::none) return;
  const Instruction& before = kernel.instructions[index - 1];
  if (access_space(before.instruction_class) != AccessSpace::none) return;
  if (reads_result_of(kernel, instruction, before)) demand.count(Count::dependent) = 1;
}

}  // namespace forewarp::binding
