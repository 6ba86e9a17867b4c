// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "binding/code_edit.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <utility>

#include "program/modifier.h"
#include "program/roles.h"

namespace forewarp::binding {
namespace {

constexpr std::uint8_t longest_stall = 15;  // that a control word can state
// Bank of the compiler's own constants, which hold what no instruction can: doubles, but no floats.
constexpr std::uint16_t compiler_constants = 2;

bool reads(const Kernel& kernel, const Instruction& instruction, std::uint16_t number) {
  const Roles roles = roles_of(kernel, instruction);
  return std::ranges::any_of(roles.read(), [&](const RegisterRange& range) {
    return range.file == RegisterFile::general && number >= range.first &&
           number < range.first + range.count;
  });
}

bool writes(const Kernel& kernel, const Instruction& instruction, std::uint16_t number) {
  const Roles roles = roles_of(kernel, instruction);
  return std::ranges::any_of(roles.written(), [&](const RegisterRange& range) {
    return range.file == RegisterFile::general && number >= range.first &&
           number < range.first + range.count;
  });
}

/// The general register that a two-operand instruction takes its value from.
std::optional<std::uint16_t> only_source(const Kernel& kernel, const Instruction& instruction) {
  const auto operands = kernel.operands_of(instruction);
  if (operands.size() != 2 || operands[1].kind != OperandKind::register_) return {};
  if (operands[1].negate || operands[1].absolute || operands[1].is_zero_register()) return {};
  return operands[1].index;
}

bool is_type(Modifier m) {
  return m == modifier::f32 || m == modifier::f64 || m == modifier::s64 || m == modifier::u64;
}

}  // namespace

CodeEdit::CodeEdit(const KernelAnalysis& analysis, const Gpu& gpu)
    : analysis_(analysis),
      gpu_(gpu),
      kernel_(analysis.kernel()),
      dropped_(kernel_.instructions.size()),
      replaced_(kernel_.instructions.size()) {}

std::uint32_t CodeEdit::block_begin(std::uint32_t index) const {
  const BlockId block = analysis_.flow().block_of(index);
  return block == no_block ? index : analysis_.flow().blocks()[block].first;
}

std::uint32_t CodeEdit::block_end(std::uint32_t index) const {
  const BlockId block = analysis_.flow().block_of(index);
  return block == no_block ? index + 1 : analysis_.flow().blocks()[block].end;
}

void CodeEdit::wait_for(std::uint32_t instead, std::uint32_t gone) {
  const std::uint8_t barrier = kernel_.instructions[instead].control.write_barrier;
  const std::uint8_t old = kernel_.instructions[gone].control.write_barrier;
  if (barrier >= dependence_barriers || old >= dependence_barriers) return;
  for (std::uint32_t i = gone + 1; i < block_end(gone); ++i) {
    Control& control = kernel_.instructions[i].control;
    if ((std::uint32_t{control.wait_mask} >> old & 1U) == 0) continue;
    control.wait_mask = static_cast<std::uint8_t>(control.wait_mask | 1U << barrier);
    return;
  }
}

void CodeEdit::replace(std::uint32_t index, std::string_view mnemonic) {
  Instruction& instruction = kernel_.instructions[index];
  instruction.opcode = find_opcode(mnemonic);
  instruction.instruction_class = opcode_info(instruction.opcode).instruction_class;
  std::uint8_t kept = 0;
  for (std::uint8_t m = 0; m < instruction.modifier_count; ++m) {
    if (!is_type(instruction.modifiers[m]))
      instruction.modifiers[kept++] = instruction.modifiers[m];
  }
  instruction.modifier_count = kept;
  for (Operand& operand :
       std::span(kernel_.operands).subspan(instruction.first_operand, instruction.operand_count)) {
    const bool own = operand.kind == OperandKind::constant && operand.index == compiler_constants;
    if (own && operand.base == no_register) operand.kind = OperandKind::floating;
  }
  instruction.control.write_barrier = instruction.control.read_barrier = no_barrier;
  replaced_[index] = true;
}

void CodeEdit::forward(std::uint32_t index) {
  const Instruction& conversion = kernel_.instructions[index];
  const auto source = only_source(kernel_, conversion);
  const std::uint16_t made = kernel_.operands_of(conversion).front().index;
  std::vector<Operand*> readers;
  bool overwritten = false, lost = false;
  for (std::uint32_t i = index + 1; source && i < block_end(index) && !overwritten; ++i) {
    if (dropped_[i]) continue;
    const Instruction& later = kernel_.instructions[i];
    for (std::uint32_t o = 0; o < later.operand_count; ++o) {
      Operand& operand = kernel_.operands[later.first_operand + o];
      const bool result = o == 0 && writes(kernel_, later, made);
      if (operand.kind != OperandKind::register_ || operand.index != made || result) continue;
      lost = lost || !reads(kernel_, later, made);
      readers.push_back(&operand);
    }
    overwritten = writes(kernel_, later, made);
    lost = lost || (!overwritten && writes(kernel_, later, *source) && *source != made);
  }
  const bool in_place = source && *source == made;
  if (!in_place && (!source || conversion.guarded() || !overwritten || lost)) {
    if (source && !conversion.guarded() && make_there(index, *source, made)) {
      drop(index);
    } else {
      replace(index, "MOV");
    }
    return;
  }
  for (Operand* reader : readers) reader->index = *source;
  drop(index);
}

/// What calculates `source` for one reader at `index` calculates it into `made`, where nothing in
/// between uses that register.
bool CodeEdit::make_there(std::uint32_t index, std::uint16_t source, std::uint16_t made) {
  for (std::uint32_t i = index; i-- > block_begin(index);) {
    if (dropped_[i]) continue;
    const Instruction& earlier = kernel_.instructions[i];
    if (writes(kernel_, earlier, source)) {
      Operand& result = kernel_.operands[earlier.first_operand];
      if (!replaced_[i] || earlier.guarded() || result.index != source) return false;
      result.index = made;
      return true;
    }
    const bool used = reads(kernel_, earlier, made) || writes(kernel_, earlier, made);
    if (used || reads(kernel_, earlier, source)) return false;
  }
  return false;
}

/// What an instruction that went waited for, the next one of its block waits for.
void CodeEdit::keep_waits() {
  for (std::uint32_t i = 0; i < dropped_.size(); ++i) {
    if (!dropped_[i]) continue;
    const std::uint32_t end = block_end(i);
    std::uint32_t next = i + 1;
    while (next < end && dropped_[next]) ++next;
    if (next >= end) continue;
    Control& control = kernel_.instructions[next].control;
    control.wait_mask =
        static_cast<std::uint8_t>(control.wait_mask | kernel_.instructions[i].control.wait_mask);
  }
}

/// A fixed latency is kept by the stall count: up to the first reader in the block.
void CodeEdit::space_replaced() {
  for (std::uint32_t i = 0; i < replaced_.size(); ++i) {
    Instruction& instruction = kernel_.instructions[i];
    if (!replaced_[i] || dropped_[i] || instruction.operand_count == 0) continue;
    const auto timing = gpu_.classes.find(class_name(instruction.instruction_class));
    const double latency = timing == gpu_.classes.end() ? 1 : timing->second.latency;
    const std::uint16_t made = kernel_.operands_of(instruction).front().index;
    double between = 0;
    std::uint32_t next = i + 1;
    for (; next < block_end(i); ++next) {
      if (dropped_[next]) continue;
      if (reads(kernel_, kernel_.instructions[next], made)) break;
      between += std::max<double>(1, kernel_.instructions[next].control.stall);
    }
    const double left = next < block_end(i) ? latency - between : 1;
    instruction.control.stall =
        static_cast<std::uint8_t>(std::clamp<double>(std::ceil(left), 1, longest_stall));
  }
}

std::shared_ptr<const Kernel> CodeEdit::take() {
  keep_waits();
  space_replaced();
  return std::make_shared<const Kernel>(std::move(kernel_));
}

}  // namespace forewarp::binding
