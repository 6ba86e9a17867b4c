// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "binding/operation_counts.h"

#include <algorithm>

#include "binding/access_space.h"
#include "program/matrix_shape.h"
#include "program/modifier.h"
#include "program/roles.h"

namespace forewarp::binding {
namespace {

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

bool multiplies_matrices(InstructionClass c) {
  return c == InstructionClass::tensor_half || c == InstructionClass::tensor_integer ||
         c == InstructionClass::tensor_double || c == InstructionClass::tensor_binary;
}

bool multiplies_matrices(const Kernel& kernel) {
  return std::any_of(kernel.instructions.begin(), kernel.instructions.end(),
                     [](const Instruction& instruction) {
                       return multiplies_matrices(instruction.instruction_class);
                     });
}

bool of_warpgroup(const Instruction& instruction) {
  return opcode_info(instruction.opcode).mnemonic.ends_with("GMMA");
}

double matrix_operations(const Kernel& kernel, const Instruction& instruction) {
  if (!multiplies_matrices(instruction.instruction_class)) return 0;
  const auto shape = matrix_shape(kernel, instruction);
  if (!shape) return 0;
  const double product = 2.0 * shape->rows * shape->columns * shape->depth;
  // A warpgroup's instruction is issued by each of its four warps.
  return of_steps(instruction, product) / (of_warpgroup(instruction) ? 4 : 1);
}

double matrix_operand_bytes(const Kernel& kernel, const Instruction& instruction) {
  constexpr double rows_of_a = 64, row_bytes = 32, warps = 4;
  const auto shape = matrix_shape(kernel, instruction);
  if (!of_warpgroup(instruction) || !shape || shape->rows != rows_of_a) return 0;
  const bool sparse = instruction.has(modifier::sp) || instruction.has(modifier::sparse);
  const auto operands = kernel.operands_of(instruction);
  const bool a_shared = operands.size() > 1 && operands[1].kind == OperandKind::memory;
  return row_bytes * ((a_shared ? rows_of_a : 0) + shape->columns * (sparse ? 2 : 1)) / warps;
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
