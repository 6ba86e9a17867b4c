// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "input/sass/nan_literals.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <string_view>

namespace forewarp::input {
namespace {

/// The upper 32 bits of a literal: all of them from sm_70 on and in opcodes with 32I, else the
/// upper 20, of which the sign stands apart.
std::uint32_t upper_bits(const Instruction& instruction, std::uint32_t sm, std::string_view text) {
  constexpr std::uint32_t first_wide = 70;
  if (sm >= first_wide) return static_cast<std::uint32_t>(instruction.word_low >> 32);
  constexpr unsigned literal = 20, sign = 56;
  if (text.find("32I") != std::string_view::npos)
    return static_cast<std::uint32_t>(instruction.word_low >> literal);
  const auto magnitude = static_cast<std::uint32_t>(instruction.word_low >> literal & 0x7ffffU);
  return magnitude << 12U | static_cast<std::uint32_t>(instruction.word_low >> sign & 1U) << 31U;
}

double value_of(std::uint32_t upper, bool is_double) {
  if (is_double) return std::bit_cast<double>(std::uint64_t{upper} << 32U);
  return static_cast<double>(std::bit_cast<float>(upper));
}

}  // namespace

void restore_nan_literals(Kernel& kernel) {
  constexpr std::uint32_t first_known = 50;  // before it literals lie elsewhere
  if (kernel.sm < first_known) return;
  for (const Instruction& instruction : kernel.instructions) {
    if (instruction.word_low == 0) continue;
    for (std::uint32_t i = 0; i < instruction.operand_count; ++i) {
      Operand& operand = kernel.operands[instruction.first_operand + i];
      if (operand.kind != OperandKind::floating) continue;
      if (!std::isnan(std::bit_cast<double>(operand.value))) continue;
      const std::string_view text = kernel.text_of(instruction);
      const std::string_view name = text.substr(text.rfind("@", 0) == 0 ? text.find(' ') + 1 : 0);
      const double value =
          value_of(upper_bits(instruction, kernel.sm, name), name.substr(0, 1) == "D");
      if (std::isnan(value)) operand.value = std::bit_cast<std::int64_t>(value);
    }
  }
}

}  // namespace forewarp::input
