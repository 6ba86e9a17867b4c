// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "input/sass/instruction_parser.h"

#include <algorithm>
#include <bit>
#include <cfloat>
#include <cmath>
#include <limits>
#include <span>

#include "input/sass/line_cursor.h"
#include "input/sass/operand_parser.h"
#include "input/scan.h"
#include "program/classify.h"
#include "program/modifier.h"

namespace forewarp::input {
namespace {

constexpr std::size_t longest_text = 0xffff;
constexpr std::size_t most_operands = 0xff;
constexpr std::uint32_t first_sm_without_pop_suffix = 50;
constexpr std::uint32_t first_sm_with_printed_pairs = 80;

bool is_upper(char c) {
  return c >= 'A' && c <= 'Z';
}
bool is_mnemonic_char(char c) {
  return is_upper(c) || (c >= '0' && c <= '9') || c == '_' || c == '.' || (c >= 'a' && c <= 'z');
}

/// Takes "@!P0 "; false if an @ is followed by something else.
bool take_guard(std::string_view& text, Instruction& instruction) {
  if (!take(text, '@')) return true;
  instruction.guard_negated = take(text, '!');
  instruction.guard_uniform = take(text, 'U');
  const Operand guard = parse_operand(take_until(text, " \t"));
  if (guard.kind != OperandKind::predicate) return false;
  instruction.guard = static_cast<std::uint8_t>(guard.index);
  text = skip_blanks(text);
  return true;
}

void add_modifier(Instruction& instruction, std::string_view name, std::uint32_t sm) {
  const Modifier modifier = find_modifier(name);
  if (modifier == modifier::s && sm < first_sm_without_pop_suffix) {
    instruction.pops_convergence = true;
  } else if (instruction.modifier_count < instruction.modifiers.size()) {
    instruction.modifiers[instruction.modifier_count++] = modifier;
  }
}

void set_opcode(Instruction& instruction, std::string_view mnemonic, std::uint32_t sm) {
  instruction.mnemonic_size = static_cast<std::uint16_t>(mnemonic.size());
  instruction.opcode = find_opcode(take_until(mnemonic, "."));
  while (take(mnemonic, '.')) add_modifier(instruction, take_until(mnemonic, "."), sm);
  instruction.instruction_class =
      class_of(opcode_info(instruction.opcode),
               {instruction.modifiers.data(), instruction.modifier_count}, sm);
}

/// Decimal immediates, except of fp64, are floats printed with excess digits: rounds them.
void round_to_float(Operand& operand) {
  const auto value = std::bit_cast<double>(operand.value);
  if (!std::isfinite(value)) return;
  double rounded = std::copysign(std::numeric_limits<double>::infinity(), value);
  if (std::fabs(value) <= static_cast<double>(FLT_MAX)) {
    rounded = static_cast<double>(static_cast<float>(value));
  }
  operand.value = std::bit_cast<std::int64_t>(rounded);
}

bool is_global(InstructionClass c) {
  switch (c) {
    case InstructionClass::load_global:
    case InstructionClass::store_global:
    case InstructionClass::load_generic:
    case InstructionClass::store_generic:
    case InstructionClass::atomic_global:
    case InstructionClass::reduction_global:
    case InstructionClass::cache_control:
      return true;
    default:
      return false;
  }
}

/// Whether `.E` means a register pair although the listing prints a single register: always before
/// sm_80, later for compare-and-swap and cache control.
bool has_unprinted_pair(const Instruction& instruction, std::uint32_t sm) {
  if (!is_global(instruction.instruction_class) || !instruction.has(modifier::e)) return false;
  return sm < first_sm_with_printed_pairs || instruction.has(modifier::cas) ||
         instruction.instruction_class == InstructionClass::cache_control;
}

/// Splits and reads operands; one object per instruction text.
class OperandList {
 public:
  OperandList(std::string_view text, std::uint32_t text_begin, Kernel& kernel)
      : text_(text), text_begin_(text_begin), kernel_(kernel) {}

  /// False if there are more operands than an instruction can have.
  bool read(std::string_view rest) {
    first_ = kernel_.operands.size();
    while (!rest.empty()) {
      const std::size_t size = first_operand_size(rest);
      add(rest.substr(0, size));
      rest = skip_blanks(rest.substr(std::min(rest.size(), size + 1)));
    }
    return count() <= most_operands;
  }
  [[nodiscard]] std::size_t first() const { return first_; }
  [[nodiscard]] std::size_t count() const { return kernel_.operands.size() - first_; }

 private:
  /// Length up to the first comma outside all brackets.
  static std::size_t first_operand_size(std::string_view rest) {
    int depth = 0;
    for (std::size_t i = 0; i < rest.size(); ++i) {
      switch (rest[i]) {
        case '[':
        case '(':
        case '{':
          ++depth;
          break;
        case ']':
        case ')':
        case '}':
          --depth;
          break;
        case ',':
          if (depth <= 0) return i;
          break;
        default:
          break;
      }
    }
    return rest.size();
  }

  void add(std::string_view operand) {
    operand = drop_trailing_blanks(skip_blanks(operand));
    // "R20 0x0", "R6 -0x140 (*"BRANCH_TARGETS ..."*)": a register, then an offset.
    if (!operand.empty() && (operand.front() == 'R' || operand.front() == 'U')) {
      const std::size_t blank = operand.find_first_of(" \t");
      if (blank != std::string_view::npos) {
        append(operand.substr(0, blank));
        return add(operand.substr(blank));
      }
    }
    const std::size_t note = operand.find("(*\"");
    if (note == std::string_view::npos) return append(operand);
    if (note > 0) append(drop_trailing_blanks(operand.substr(0, note)));
    add_branch_targets(operand.substr(note));
  }

  /// (*"BRANCH_TARGETS .L_x_90,.L_x_91"*): each label becomes an operand, at first as a word.
  void add_branch_targets(std::string_view note) {
    if (!take(note, "(*\"BRANCH_TARGETS ")) return;
    for (;;) {
      append(take_until(note, ",\" "));
      if (!take(note, ',')) return;
    }
  }

  void append(std::string_view text) {
    Operand operand;
    if (!text.empty()) operand = parse_operand(text);
    operand.text_begin = text_begin_ + static_cast<std::uint32_t>(text.data() - text_.data());
    operand.text_size = static_cast<std::uint16_t>(text.size());
    kernel_.operands.push_back(operand);
  }

  std::string_view text_;
  std::uint32_t text_begin_;
  Kernel& kernel_;
  std::size_t first_ = 0;
};

/// An absolute call of a function that is not in the code; the listing prints an unresolved 0.
bool leaves_kernel(const Instruction& instruction, std::int64_t target) {
  return instruction.instruction_class == InstructionClass::call && target == 0 &&
         (instruction.has(modifier::abs) || opcode_info(instruction.opcode).mnemonic == "JCAL");
}

void refine_operands(const Instruction& instruction, std::uint32_t sm,
                     std::span<Operand> operands) {
  const InstructionClass c = instruction.instruction_class;
  const bool fp64 = c == InstructionClass::fp64 || c == InstructionClass::fp64_compare;
  const bool pair = has_unprinted_pair(instruction, sm);
  for (Operand& operand : operands) {
    if (operand.kind == OperandKind::floating && !fp64) round_to_float(operand);
    if (operand.kind == OperandKind::memory && pair) operand.wide = true;
  }
  const bool integer = !operands.empty() && operands.back().kind == OperandKind::integer;
  if (integer && takes_target(instruction) && !leaves_kernel(instruction, operands.back().value)) {
    operands.back().kind = OperandKind::target;
  }
}

}  // namespace

bool takes_target(const Instruction& instruction) {
  switch (instruction.instruction_class) {
    case InstructionClass::branch:
    case InstructionClass::control_stack:
      return true;
    case InstructionClass::call:
      return true;
    case InstructionClass::convergence:
      return opcode_info(instruction.opcode).destination == DestinationForm::one &&
             !instruction.has(modifier::n32);
    default:
      return false;
  }
}

InstructionFault parse_instruction(std::string_view text, Kernel& kernel,
                                   Instruction& instruction) {
  if (text.size() > longest_text) return {"an instruction of at most 65535 characters", 0};
  std::string_view rest = text;
  if (!take_guard(rest, instruction)) return {"a guard such as @P0 or @!P0", 1};
  const auto at = [&] { return text.size() - rest.size(); };
  if (rest.empty() || !is_upper(rest.front())) return {"an opcode", at()};
  std::size_t size = 0;
  while (size < rest.size() && is_mnemonic_char(rest[size])) ++size;
  if (size < rest.size() && rest[size] != ' ' && rest[size] != '\t') {
    return {"an opcode of letters, digits and dots", at() + size};
  }
  set_opcode(instruction, rest.substr(0, size), kernel.sm);
  instruction.text_begin = static_cast<std::uint32_t>(kernel.text.size());
  instruction.text_size = static_cast<std::uint16_t>(text.size());
  OperandList list(text, instruction.text_begin, kernel);
  if (!list.read(skip_blanks(rest.substr(size)))) return {"at most 255 operands", at()};
  kernel.text.append(text);
  instruction.first_operand = static_cast<std::uint32_t>(list.first());
  instruction.operand_count = static_cast<std::uint8_t>(list.count());
  refine_operands(instruction, kernel.sm, std::span(kernel.operands).subspan(list.first()));
  return {};
}

}  // namespace forewarp::input
