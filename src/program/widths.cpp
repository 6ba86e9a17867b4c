// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "program/widths.h"

#include <algorithm>
#include <string_view>

#include "program/matrix_shape.h"
#include "program/modifier.h"

namespace forewarp::program {
namespace {

bool is_type(Modifier m) {
  switch (m) {
    case modifier::f16:
    case modifier::f32:
    case modifier::f64:
    case modifier::bf16:
    case modifier::s8:
    case modifier::s16:
    case modifier::s32:
    case modifier::s64:
    case modifier::u8:
    case modifier::u16:
    case modifier::u32:
    case modifier::u64:
      return true;
    default:
      return false;
  }
}

bool is_wide_type(Modifier m) {
  return m == modifier::f64 || m == modifier::s64 || m == modifier::u64;
}

std::uint8_t pair_if(bool wide) {
  return wide ? 2 : 1;
}

/// F2F.DST.SRC states both types. On newer architectures the others omit the 32-bit type, so the
/// kind of the stated type tells whether it is the source or the destination.
Widths conversion_widths(const Instruction& instruction, std::string_view mnemonic) {
  Widths widths;
  bool wide_integer = false;
  bool wide_float = false;
  bool destination_seen = false;
  for (std::uint8_t i = 0; i < instruction.modifier_count; ++i) {
    const Modifier m = instruction.modifiers[i];
    if (!is_type(m)) continue;
    wide_float |= m == modifier::f64;
    wide_integer |= m == modifier::s64 || m == modifier::u64;
    if (mnemonic == "F2F") {
      (destination_seen ? widths.source[0] : widths.destination) = pair_if(is_wide_type(m));
    }
    destination_seen = true;
  }
  if (mnemonic == "F2I") {
    widths.destination = pair_if(wide_integer);
    widths.source[0] = pair_if(wide_float);
  } else if (mnemonic == "I2F") {
    widths.destination = pair_if(wide_float);
    widths.source[0] = pair_if(wide_integer);
  } else if (mnemonic == "FRND") {
    widths.destination = widths.source[0] = pair_if(wide_float);
  }
  return widths;
}

/// Registers per lane of matrix operands: A, B and the accumulators.
Widths shape(std::uint8_t a, std::uint8_t b, std::uint8_t accumulators) {
  return {accumulators, {a, b, accumulators, 1}};
}

/// HGMMA.64x128x16.F32: each of the group's 128 threads holds its share of 64 x N sums, 32 bits
/// each, or two of 16 bits to a register; a matrix A in registers takes four.
Widths group_matrix_widths(const Kernel& kernel, const Instruction& instruction) {
  const auto named = matrix_shape(kernel, instruction);
  const std::uint32_t columns = named ? named->columns : 0;
  const bool narrow = instruction.instruction_class == InstructionClass::tensor_half &&
                      !instruction.has(modifier::f32);
  const auto sums = static_cast<std::uint8_t>(std::min(columns, 256U) / (narrow ? 4 : 2));
  const auto operands = kernel.operands_of(instruction);
  const bool in_registers = operands.size() > 1 && operands[1].kind == OperandKind::register_;
  if (in_registers) return shape(4, 2, sums);
  return {sums, {4, sums, 1, 1}};  // no A before the descriptors
}

Widths half_matrix_widths(const Instruction& instruction) {
  const bool narrow = instruction.modifier_count > 1 && !instruction.has(modifier::f32);
  const std::uint8_t accumulators = narrow ? 2 : 4;
  if (instruction.has(modifier::n884)) return shape(2, 2, 2);
  if (instruction.has(modifier::n1684)) return shape(2, 1, 4);
  if (instruction.has(modifier::n1688)) {
    return instruction.has(modifier::tf32) ? shape(4, 2, 4) : shape(2, 1, accumulators);
  }
  return shape(4, 2, accumulators);
}

/// Two registers hold an element, and 32 lanes a matrix.
Widths double_matrix_widths(const Kernel& kernel, const Instruction& instruction) {
  const auto named = matrix_shape(kernel, instruction);
  if (!named) return shape(2, 2, 4);
  const auto held = [](std::uint32_t elements) {
    return static_cast<std::uint8_t>(std::min(elements, 16U * 64U) / 16);
  };
  return shape(held(named->rows * named->depth), held(named->columns * named->depth),
               held(named->rows * named->columns));
}

Widths integer_matrix_widths(const Instruction& instruction) {
  if (instruction.has(modifier::n16816)) return shape(2, 1, 4);
  if (instruction.has(modifier::n16832) || instruction.has(modifier::n16864)) return shape(4, 2, 4);
  return shape(1, 1, 2);
}

Widths binary_matrix_widths(const Instruction& instruction) {
  if (instruction.has(modifier::n168128)) return shape(2, 1, 4);
  if (instruction.has(modifier::n168256)) return shape(4, 2, 4);
  return shape(1, 1, 2);
}

std::uint8_t coordinates(const Instruction& instruction) {
  if (instruction.has(modifier::n3d) || instruction.has(modifier::n2d_array)) return 3;
  return instruction.has(modifier::n2d) || instruction.has(modifier::n1d_array) ? 2 : 1;
}

Widths atomic_widths(const Kernel& kernel, const Instruction& instruction, bool one_data_operand) {
  Widths widths;
  widths.destination = data_registers(instruction);
  // Before sm_70 compare and swap values form one register group.
  const bool packed = kernel.sm < 70 && instruction.has(modifier::cas) && one_data_operand;
  const auto data = static_cast<std::uint8_t>(widths.destination * (packed ? 2 : 1));
  widths.source = {1, data, data, data};
  return widths;
}

std::uint8_t matrix_rows(const Instruction& instruction) {
  if (instruction.has(modifier::n4)) return 4;
  return pair_if(instruction.has(modifier::n2));
}

Widths table_widths(const OpcodeInfo& info) {
  Widths widths;
  if (info.wide_operands & 1U) widths.destination = 2;
  if (info.wide_operands & 2U) widths.source = {2, 2, 2, 2};
  return widths;
}

bool has_one_data_operand(const Kernel& kernel, const Instruction& instruction) {
  const auto operands = kernel.operands_of(instruction);
  std::size_t after_address = 0;
  bool address = false;
  for (const Operand& operand : operands) {
    if (address && operand.kind == OperandKind::register_) ++after_address;
    address |= operand.kind == OperandKind::memory;
  }
  return after_address == 1;
}

}  // namespace

std::uint8_t data_registers(const Instruction& instruction) {
  if (instruction.has(modifier::n128)) return 4;
  if (instruction.has(modifier::n64)) return 2;
  const InstructionClass c = instruction.instruction_class;
  const bool atomic = c == InstructionClass::atomic_global ||
                      c == InstructionClass::atomic_shared ||
                      c == InstructionClass::reduction_global;
  if (!atomic) return 1;
  return pair_if(instruction.has(modifier::f64) || instruction.has(modifier::s64) ||
                 instruction.has(modifier::u64));
}

Widths widths_of(const Kernel& kernel, const Instruction& instruction) {
  const OpcodeInfo& info = opcode_info(instruction.opcode);
  const std::uint8_t data = data_registers(instruction);
  if (info.mnemonic.ends_with("GMMA")) return group_matrix_widths(kernel, instruction);
  if (info.mnemonic.ends_with("IADD3") && instruction.has(modifier::n64)) return {2, {2, 2, 2, 1}};
  switch (instruction.instruction_class) {
    case InstructionClass::load_global:
    case InstructionClass::load_shared:
    case InstructionClass::load_local:
    case InstructionClass::load_generic:
    case InstructionClass::load_constant:
    case InstructionClass::uniform_load_constant:
      return {data, {1, 1, 1, 1}};
    case InstructionClass::store_global:
    case InstructionClass::store_shared:
    case InstructionClass::store_local:
    case InstructionClass::store_generic:
      return {1, {1, data, data, data}};
    case InstructionClass::atomic_global:
    case InstructionClass::atomic_shared:
    case InstructionClass::reduction_global:
      return atomic_widths(kernel, instruction, has_one_data_operand(kernel, instruction));
    case InstructionClass::mbarrier:
      return {data, {1, data, data, data}};
    case InstructionClass::integer_multiply_wide:
      if (instruction.has(modifier::wide)) return {2, {1, 1, 2, 1}};
      return {1, {1, 1, 2, 1}};
    case InstructionClass::uniform_multiply:
      if (instruction.has(modifier::wide)) return {2, {1, 1, 2, 1}};
      return {1, {1, 1, static_cast<std::uint8_t>(instruction.has(modifier::hi) ? 2 : 1), 1}};
    case InstructionClass::conversion:
    case InstructionClass::conversion_double:
      return conversion_widths(instruction, info.mnemonic);
    case InstructionClass::special_move_fast:
      return {pair_if(kernel.sm >= 70 && !instruction.has(modifier::n32)), {1, 1, 1, 1}};
    case InstructionClass::tensor_half:
      return half_matrix_widths(instruction);
    case InstructionClass::tensor_integer:
      return integer_matrix_widths(instruction);
    case InstructionClass::tensor_binary:
      return binary_matrix_widths(instruction);
    case InstructionClass::tensor_double:
      return double_matrix_widths(kernel, instruction);
    case InstructionClass::match:
      return {1, {pair_if(instruction.has(modifier::u64)), 1, 1, 1}};
    case InstructionClass::load_matrix:
      return {matrix_rows(instruction), {1, 1, 1, 1}};
    case InstructionClass::surface_load:
    case InstructionClass::surface_store: {
      const std::uint8_t address = kernel.sm >= 70 ? coordinates(instruction) : std::uint8_t{1};
      return {data, {address, data, 1, 1}};
    }
    case InstructionClass::return_:
    case InstructionClass::call:
    case InstructionClass::branch_indirect:
      return {1, {pair_if(kernel.sm >= 70), 1, 1, 1}};
    default:
      return table_widths(info);
  }
}

}  // namespace forewarp::program
