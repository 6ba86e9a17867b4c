// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "input/sass/kernel_builder.h"

#include <algorithm>
#include <utility>

#include "input/sass/bare_words.h"
#include "input/sass/control_word.h"
#include "input/sass/kernel_module.h"
#include "input/sass/nan_literals.h"
#include "input/sass/operand_parser.h"
#include "program/outside_function.h"

namespace forewarp::input {
namespace {

constexpr std::uint32_t function_alignment = 128;  // of sections with code

bool is_padding(const Instruction& instruction) {
  return instruction.instruction_class == InstructionClass::no_operation ||
         instruction.instruction_class == InstructionClass::branch;
}

}  // namespace

KernelBuilder::KernelBuilder(std::string mangled, std::uint32_t sm) : isa_(isa_conventions(sm)) {
  kernel_.mangled = std::move(mangled);
  kernel_.sm = sm;
  kernel_.parameter_base = isa_.parameter_base;
}

std::uint32_t KernelBuilder::following_address() const {
  const std::uint32_t first = function_begin_ + first_address(isa_);
  return empty() ? first : std::max(first, next_address(isa_, last_address()));
}

std::uint32_t KernelBuilder::begin_function(std::string_view name) {
  const std::uint32_t end = empty() ? 0 : next_address(isa_, last_address());
  function_begin_ = (end + function_alignment - 1) / function_alignment * function_alignment;
  labels_.push_back({name, function_begin_});
  control_is_new_ = false;
  control_bundle_ = no_bundle;
  return function_begin_;
}

std::vector<std::string> KernelBuilder::take_outside_names() {
  std::vector<std::string> names;
  for (; asked_operands_ < kernel_.operands.size(); ++asked_operands_) {
    const Operand& operand = kernel_.operands[asked_operands_];
    if (operand.kind != OperandKind::word) continue;
    const std::string_view text = kernel_.text_of(operand);
    const auto address = address_word(text);
    std::string_view name = label_name(text);
    if (address) name = address->label.empty() ? address->symbol : std::string_view();
    if (name.empty() || name.front() == '.' || name.front() == '$') continue;  // labels of its own
    if (outside_function(name) == OutsideFunction::other) names.emplace_back(name);
  }
  return names;
}

bool KernelBuilder::calls_by_register() const {
  return std::ranges::any_of(kernel_.instructions, [&](const Instruction& instruction) {
    const bool jump = opcode_info(instruction.opcode).mnemonic == "JMX";  // calls before sm_70
    if (!jump && instruction.instruction_class != InstructionClass::call) return false;
    const auto operands = kernel_.operands_of(instruction);
    return !operands.empty() && operands.back().kind != OperandKind::target &&
           operands.back().kind != OperandKind::word &&
           operands.back().kind != OperandKind::integer;
  });
}

/// What is printed as a place in the function becomes one in the kernel.
void KernelBuilder::move_targets(const Instruction& instruction) {
  for (std::size_t i = instruction.first_operand; i < kernel_.operands.size(); ++i) {
    if (kernel_.operands[i].kind == OperandKind::target)
      kernel_.operands[i].value += function_begin_;
  }
}

InstructionFault KernelBuilder::add(const InstructionLine& line, std::uint32_t listing_line) {
  Instruction instruction;
  instruction.address = line.address ? function_begin_ + *line.address : following_address();
  if (!empty() && instruction.address <= last_address()) {
    return {"an address above that of the instruction before it", 0};
  }
  instruction.listing_line = listing_line;
  instruction.source_line = source_line_;
  instruction.source_file = source_file_;
  instruction.dual_with_next = line.opens_pair;
  const InstructionFault fault = parse_instruction(line.text, kernel_, instruction);
  if (fault.expected != nullptr) return fault;
  move_targets(instruction);
  last_has_low_ = line.word.has_value();
  last_has_high_ = false;
  open_undecoded_ = false;
  if (line.word) instruction.word_low = *line.word;
  apply_control(instruction);
  kernel_.instructions.push_back(instruction);
  if (instruction.opcode == unknown_opcode) ++kernel_.unknown_opcodes;

  return {};
}

void KernelBuilder::apply_control(Instruction& instruction) {
  if (isa_.bundle_bytes == 0) return;
  const std::uint32_t bundle = instruction.address / isa_.bundle_bytes;
  if (control_is_new_) control_bundle_ = bundle;  // a control word applies to what follows it
  control_is_new_ = false;
  if (bundle != control_bundle_) return;
  instruction.control = decode_shared(isa_.control, control_word_, instruction.address);
  if (!instruction.control.known) return;
  if (isa_.control == ControlLayout::per_seven) {
    instruction.dual_with_next |= instruction.control.raw == dual_issue_field;
  } else {
    instruction.dual_with_next |= instruction.control.stall == 0 && !is_padding(instruction);
  }
}

void KernelBuilder::add_word(std::uint64_t word, std::uint32_t listing_line) {
  if (isa_.control == ControlLayout::embedded) {
    if (empty() || last_has_high_ || !last_has_low_) return add_undecoded(word, listing_line);
    Instruction& last = kernel_.instructions.back();
    last.word_high = word;
    last.control = decode_embedded(word);
    last_has_high_ = true;
    if (open_undecoded_) decode_bare_words(kernel_, last);
    open_undecoded_ = false;
    return;
  }
  if (!empty() && !last_has_low_) {  // the word of a pair's second instruction is on the next line
    kernel_.instructions.back().word_low = word;
    last_has_low_ = true;
    return;
  }
  control_word_ = word;
  control_is_new_ = true;
}

void KernelBuilder::add_undecoded(std::uint64_t low_word, std::uint32_t listing_line) {
  Instruction instruction;
  instruction.address = following_address();
  instruction.decoded = false;
  instruction.listing_line = listing_line;
  instruction.source_line = source_line_;
  instruction.source_file = source_file_;
  instruction.word_low = low_word;
  instruction.text_begin = static_cast<std::uint32_t>(kernel_.text.size());
  instruction.first_operand = static_cast<std::uint32_t>(kernel_.operands.size());
  kernel_.instructions.push_back(instruction);
  last_has_low_ = true;
  last_has_high_ = false;
  open_undecoded_ = true;
}

void KernelBuilder::add_label(std::string_view name) {
  labels_.push_back({name, following_address()});
}

void KernelBuilder::set_source(std::string_view file, std::uint32_t line) {
  constexpr std::size_t most_files = std::size_t{1} << 16U;  // that an instruction can name
  auto found = files_.find(file);
  if (found == files_.end()) {
    if (kernel_.source_files.size() >= most_files) return;
    found = files_.emplace(file, static_cast<std::uint16_t>(kernel_.source_files.size())).first;
    kernel_.source_files.emplace_back(file);
  }
  source_file_ = found->second;
  source_line_ = line;
}

bool KernelBuilder::half_encoded() const {
  if (isa_.control != ControlLayout::embedded || !last_has_low_ || last_has_high_) return false;
  return open_undecoded_ ||
         (kernel_.instructions.size() > 1 && kernel_.instructions.front().control.known);
}

/// Labels were words until now. This kernel's become targets, those of calls out of it stay words.
void KernelBuilder::resolve_labels() {
  if (labels_.empty()) return;
  std::stable_sort(labels_.begin(), labels_.end(),
                   [](const Label& a, const Label& b) { return a.name < b.name; });
  for (Operand& operand : kernel_.operands) {
    if (operand.kind != OperandKind::word) continue;
    const std::string_view text = kernel_.text_of(operand);
    std::string_view name = label_name(text);
    const auto address = address_word(text);  // in a return, relative to the function
    if (address) name = address->label.empty() ? address->symbol : address->label;
    if (name.empty()) name = text;
    const auto found = std::lower_bound(
        labels_.begin(), labels_.end(), name,
        [](const Label& label, std::string_view wanted) { return label.name < wanted; });
    if (found == labels_.end() || found->name != name) continue;
    operand.kind = address ? OperandKind::integer : OperandKind::target;
    const bool high = address && address->part == SymbolAddress::Part::high;
    operand.value = high ? 0 : found->address + (address ? address->addend : 0);
  }
}

Kernel KernelBuilder::finish() {
  resolve_labels();
  restore_nan_literals(kernel_);
  for (const Instruction& instruction : kernel_.instructions) {
    kernel_.undecoded += instruction.decoded ? 0 : 1;
    kernel_.has_control |= instruction.control.known;
  }
  kernel_.instructions.shrink_to_fit();
  kernel_.operands.shrink_to_fit();
  return std::move(kernel_);
}

}  // namespace forewarp::input
