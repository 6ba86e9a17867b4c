// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "binding/matrix_rates.h"

#include <string_view>

#include "binding/operation_counts.h"
#include "program/modifier.h"

namespace forewarp::binding {
namespace {

bool is_sparse(const Instruction& instruction) {
  return instruction.has(modifier::sp) || instruction.has(modifier::sparse);
}

/// 16-bit sums repeat their type (HMMA.16816.F16); integer sums have rates of their own.
bool has_wide_sums(const Instruction& instruction) {
  return instruction.instruction_class == InstructionClass::tensor_half &&
         instruction.has(modifier::f32);
}

/// Multiply-adds per cycle and SM for the instruction's kind; 0: unknown.
double rate_of(std::string_view mnemonic, const Instruction& instruction,
               const TensorFacts& rates) {
  switch (instruction.instruction_class) {
    case InstructionClass::tensor_integer: {
      const bool nibbles = instruction.has(modifier::s4) || instruction.has(modifier::u4);
      return nibbles ? rates.nibble_macs : rates.integer_macs;
    }
    case InstructionClass::tensor_double:
      return rates.double_macs;
    case InstructionClass::tensor_binary:
      return rates.binary_macs;
    default:
      break;
  }
  if (mnemonic.starts_with('Q')) return rates.byte_macs;
  return instruction.has(modifier::tf32) ? rates.single_macs : rates.half_macs;
}

}  // namespace

MatrixUse matrix_use(const Kernel& kernel, const Instruction& instruction, const Gpu& gpu) {
  MatrixUse use;
  const double products = matrix_operations(kernel, instruction) / 2;
  if (products <= 0) return use;
  const std::string_view mnemonic = opcode_info(instruction.opcode).mnemonic;
  double rate = rate_of(mnemonic, instruction, gpu.tensor);
  if (rate <= 0) return use;
  if (has_wide_sums(instruction)) rate *= gpu.tensor.wide_sum_share;
  if (!of_warpgroup(instruction)) rate *= gpu.tensor.warp_share;
  if (is_sparse(instruction)) rate *= 2;
  use.cycles = products / rate;
  const auto timing = gpu.classes.find(class_name(instruction.instruction_class));
  if (timing == gpu.classes.end() || timing->second.cycles <= 0) return use;
  // The class latency is for one shape; each further cycle of the scheduler's unit delays the sums.
  use.latency = (use.cycles - timing->second.cycles) * gpu.schedulers * gpu.tensor.latency_share;
  return use;
}

}  // namespace forewarp::binding
