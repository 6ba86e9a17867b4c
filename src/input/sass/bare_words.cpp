// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "input/sass/bare_words.h"

#include "base/text.h"
#include "input/sass/instruction_parser.h"

namespace forewarp::input {
namespace {

// Low twelve bits: operation in 8:0, form of the second source in 11:9.
enum class Form : std::uint32_t { register_ = 0x248, immediate = 0x848, uniform = 0xc48 };

std::string numbered(const char* prefix, std::uint64_t number, std::uint64_t special,
                     char special_letter) {
  std::string text = prefix;
  return number == special ? text + special_letter : text + std::to_string(number);
}
std::string register_text(std::uint64_t number) {
  return numbered("R", number, zero_register, 'Z');
}

std::string guard_text(std::uint64_t low) {
  const std::uint64_t number = (low >> 12) & 7U;
  const bool negated = ((low >> 15) & 1U) != 0;
  if (number == true_predicate && !negated) return "";
  return std::string("@") + (negated ? "!" : "") + numbered("P", number, true_predicate, 'T') + " ";
}

/// Minimum and maximum on sm_90: destination 23:16, sources 31:24 and 39:32, predicate 89:87
/// negated by bit 90; bit 72 is clear for unsigned operands.
std::string minimum_text(std::uint64_t low, std::uint64_t high, Form form) {
  std::string second;
  if (form == Form::register_) second = register_text((low >> 32) & 0xffU);
  if (form == Form::immediate) second = hex(low >> 32);
  if (form == Form::uniform)
    second = numbered("UR", (low >> 32) & 0x3fU, zero_uniform_register, 'Z');
  const bool negated = ((high >> 26) & 1U) != 0;
  const bool is_signed = ((high >> 8) & 1U) != 0;
  return std::string(is_signed ? "VIMNMX " : "VIMNMX.U32 ") + register_text((low >> 16) & 0xffU) +
         ", " + register_text((low >> 24) & 0xffU) + ", " + second + ", " + (negated ? "!" : "") +
         numbered("P", (high >> 23) & 7U, true_predicate, 'T');
}

std::string text_of_words(std::uint64_t low, std::uint64_t high) {
  switch (const auto form = static_cast<Form>(low & 0xfffU)) {
    case Form::register_:
    case Form::immediate:
    case Form::uniform:
      return guard_text(low) + minimum_text(low, high, form);
  }
  return guard_text(low) + "UNDECODED " + hex(low, 16) + ", " + hex(high, 16);
}

}  // namespace

void decode_bare_words(Kernel& kernel, Instruction& instruction) {
  const std::string text = text_of_words(instruction.word_low, instruction.word_high);
  // The text was made above, so parsing it does not fail.
  if (parse_instruction(text, kernel, instruction).expected != nullptr) return;
  if (instruction.opcode == unknown_opcode) ++kernel.unknown_opcodes;
}

}  // namespace forewarp::input
