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

/// Name of the fact with the rate for the instruction's kind.
std::string_view rate_name(std::string_view mnemonic, const Instruction& instruction) {
  switch (instruction.instruction_class) {
    case InstructionClass::tensor_integer: {
      const bool nibbles = instruction.has(modifier::s4) || instruction.has(modifier::u4);
      return nibbles ? "tensor.nibble_macs" : "tensor.integer_macs";
    }
    case InstructionClass::tensor_double:
      return "tensor.double_macs";
    case InstructionClass::tensor_binary:
      return "tensor.binary_macs";
    default:
      break;
  }
  if (mnemonic.starts_with('Q')) return "tensor.byte_macs";
  return instruction.has(modifier::tf32) ? "tensor.single_macs" : "tensor.half_macs";
}

}  // namespace

MatrixUse matrix_use(const Kernel& kernel, const Instruction& instruction, const Gpu& gpu) {
  MatrixUse use;
  const double products = matrix_operations(kernel, instruction) / 2;
  if (products <= 0) return use;
  const std::string_view mnemonic = opcode_info(instruction.opcode).mnemonic;
  double rate = gpu.number(rate_name(mnemonic, instruction));
  if (rate <= 0) return use;
  if (has_wide_sums(instruction)) rate *= gpu.number("tensor.wide_sum_share", 1);
  if (!of_warpgroup(instruction)) rate *= gpu.number("tensor.warp_share", 1);
  if (is_sparse(instruction)) rate *= 2;
  use.cycles = products / rate;
  const auto timing = gpu.classes.find(class_name(instruction.instruction_class));
  if (timing == gpu.classes.end() || timing->second.cycles <= 0) return use;
  // The class latency is for one shape; each further cycle of the scheduler's unit delays the sums.
  use.latency =
      (use.cycles - timing->second.cycles) * gpu.schedulers * gpu.number("tensor.latency_share", 0);
  return use;
}

}  // namespace forewarp::binding
