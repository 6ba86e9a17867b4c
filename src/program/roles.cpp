// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "program/roles.h"

#include <algorithm>
#include <string_view>

#include "program/modifier.h"
#include "program/texture_roles.h"
#include "program/widths.h"

namespace forewarp::program {
namespace {

bool is_predicate(const Operand& operand) {
  return operand.kind == OperandKind::predicate || operand.kind == OperandKind::uniform_predicate;
}
bool is_general(const Operand& operand) {
  return operand.kind == OperandKind::register_ || operand.kind == OperandKind::uniform_register;
}

std::size_t leading_predicates(std::span<const Operand> operands, std::size_t from) {
  std::size_t count = 0;
  while (from + count < operands.size() && is_predicate(operands[from + count])) ++count;
  return count;
}

/// [P,] R [,P [,P]]; without a register, the last operand is a source, as in VOTE.ANY P0, P1.
std::size_t optional_predicate_destinations(std::span<const Operand> operands, bool vote) {
  std::size_t count = leading_predicates(operands, 0);
  if (count == operands.size() || !is_general(operands[count])) {
    return vote && count > 0 ? count - 1 : count;
  }
  ++count;
  count += leading_predicates(operands, count);
  return vote && count == operands.size() ? count - 1 : count;
}

std::size_t destination_count(const Kernel& kernel, const Instruction& instruction) {
  const auto operands = kernel.operands_of(instruction);
  if (operands.empty()) return 0;
  const OpcodeInfo& info = opcode_info(instruction.opcode);
  switch (info.destination) {
    case DestinationForm::none:
      return 0;
    case DestinationForm::one:
    case DestinationForm::predicate_mask:
      return 1;
    case DestinationForm::predicates:
      return std::min<std::size_t>(2, leading_predicates(operands, 0));
    case DestinationForm::barrier_result:
      return operands.size();
    case DestinationForm::texture:
      return std::min<std::size_t>(operands.size(),
                                   texture_shape(kernel, instruction).destination_operands);
    case DestinationForm::predicate_then_register: {
      const std::size_t count = leading_predicates(operands, 0);
      return count + (count < operands.size() && is_general(operands[count]) ? 1 : 0);
    }
    case DestinationForm::optional_predicates: {
      const bool vote = instruction.instruction_class == InstructionClass::vote ||
                        instruction.instruction_class == InstructionClass::uniform_vote;
      return optional_predicate_destinations(operands, vote);
    }
  }
  return 0;
}

/// Collects ranges, without registers that never hold a value (RZ, PT, URZ).
class Collector {
 public:
  void read(RegisterRange range) {
    if (roles_.read_count < roles_.reads.size() && holds_value(range)) {
      roles_.reads[roles_.read_count++] = range;
    }
  }
  void write(RegisterRange range) {
    range.use = RoleUse::destination;
    if (roles_.write_count < roles_.writes.size() && holds_value(range)) {
      roles_.writes[roles_.write_count++] = range;
    }
  }
  [[nodiscard]] const Roles& roles() const { return roles_; }

 private:
  static bool holds_value(const RegisterRange& range) {
    if (range.count == 0 || range.first == no_register) return false;
    switch (range.file) {
      case RegisterFile::general:
        return range.first != zero_register;
      case RegisterFile::uniform:
        return range.first != zero_uniform_register;
      case RegisterFile::predicate:
      case RegisterFile::uniform_predicate:
        return range.first != true_predicate;
      default:
        return true;
    }
  }
  Roles roles_;
};

RegisterRange range_of(RegisterFile file, std::uint16_t first, std::uint8_t count, RoleUse use,
                       std::uint8_t slot = 0) {
  return {file, use, count, slot, false, first};
}

constexpr RegisterRange condition_code{
    RegisterFile::condition_code, RoleUse::source, 1, 0, false, 0};

void add_destination(Collector& out, const Operand& operand, std::uint8_t width) {
  constexpr auto use = RoleUse::destination;
  if (operand.writes_cc) out.write(condition_code);
  switch (operand.kind) {
    case OperandKind::register_:
      return out.write(range_of(RegisterFile::general, operand.index, width, use));
    case OperandKind::uniform_register:
      return out.write(range_of(RegisterFile::uniform, operand.index, width, use));
    case OperandKind::predicate:
      return out.write(range_of(RegisterFile::predicate, operand.index, 1, use));
    case OperandKind::uniform_predicate:
      return out.write(range_of(RegisterFile::uniform_predicate, operand.index, 1, use));
    case OperandKind::convergence:
      return out.write(range_of(RegisterFile::convergence, operand.index, 1, use));
    case OperandKind::condition_code:
      return out.write(condition_code);
    // The mask may be in a register: all count as written, and who relies on that asks for the
    // mask.
    case OperandKind::predicate_set:
      return out.write(range_of(RegisterFile::predicate, 0, true_predicate, use));
    default:
      return;
  }
}

/// P2R reads the predicates selected by the mask after PR; runs of ones become ranges.
void add_predicate_set(Collector& out, std::span<const Operand> operands) {
  std::uint64_t mask = 0x7f;
  for (const Operand& operand : operands) {
    if (operand.kind == OperandKind::integer)
      mask = static_cast<std::uint64_t>(operand.value) & 0x7f;
  }
  for (std::uint16_t bit = 0; bit < true_predicate;) {
    std::uint8_t run = 0;
    while (bit + run < true_predicate && ((mask >> (bit + run)) & 1U) != 0) ++run;
    out.read(range_of(RegisterFile::predicate, bit, run, RoleUse::source));
    bit = static_cast<std::uint16_t>(bit + run + 1);
  }
}

void add_address(Collector& out, const Operand& operand, std::uint8_t slot,
                 std::uint8_t base_width) {
  const std::uint8_t pair = operand.wide ? 2 : base_width;
  RegisterRange base =
      range_of(RegisterFile::general, operand.base, operand.unsigned_base ? std::uint8_t{1} : pair,
               RoleUse::address, slot);
  base.reuse = operand.reuse;
  out.read(base);
  out.read(range_of(RegisterFile::uniform, operand.uniform_base,
                    operand.wide || operand.unsigned_base ? 2 : 1, RoleUse::address, slot));
  out.read(
      range_of(RegisterFile::uniform, operand.descriptor, 2, RoleUse::uniform_descriptor, slot));
}

/// Adds the source operand at `slot`; returns whether it occupies a slot.
bool add_source(Collector& out, const Operand& operand, std::uint8_t slot, std::uint8_t width,
                RoleUse use) {
  switch (operand.kind) {
    case OperandKind::register_: {
      RegisterRange range = range_of(RegisterFile::general, operand.index, width, use, slot);
      range.reuse = operand.reuse;
      out.read(range);
      return true;
    }
    case OperandKind::uniform_register:
      out.read(range_of(RegisterFile::uniform, operand.index, width, use, slot));
      return true;
    case OperandKind::constant:
      out.read(range_of(RegisterFile::general, operand.base, 1, RoleUse::address, slot));
      out.read(range_of(RegisterFile::uniform, operand.uniform_base, 1, RoleUse::address, slot));
      return true;
    case OperandKind::memory:
      add_address(out, operand, slot, width);
      return true;
    case OperandKind::predicate:
      out.read(range_of(RegisterFile::predicate, operand.index, 1, RoleUse::source));
      return false;
    case OperandKind::uniform_predicate:
      out.read(range_of(RegisterFile::uniform_predicate, operand.index, 1, RoleUse::source));
      return false;
    case OperandKind::convergence:
      out.read(range_of(RegisterFile::convergence, operand.index, 1, RoleUse::source));
      return false;
    case OperandKind::condition_code:
      out.read(condition_code);
      return false;
    default:
      return true;
  }
}

bool moves_data(InstructionClass c) {
  switch (c) {
    case InstructionClass::store_global:
    case InstructionClass::store_shared:
    case InstructionClass::store_local:
    case InstructionClass::store_generic:
    case InstructionClass::atomic_global:
    case InstructionClass::atomic_shared:
    case InstructionClass::reduction_global:
    case InstructionClass::surface_store:
      return true;
    default:
      return false;
  }
}

/// From sm_80 on, global accesses read a uniform descriptor pair that older disassemblers do not
/// print. Loads encode it in the low word, all others in the high word.
void add_hidden_descriptor(Collector& out, const Kernel& kernel, const Instruction& instruction) {
  // Compare-and-swap encodes its second value in place of the descriptor.
  if (kernel.sm < 80 || instruction.word_low == 0 || instruction.has(modifier::cas)) return;
  bool global = false;
  for (const Operand& operand : kernel.operands_of(instruction)) {
    if (operand.kind != OperandKind::memory || !operand.wide) continue;
    if (operand.descriptor != no_register) return;  // printed
    global = true;
  }
  if (!global) return;
  const InstructionClass c = instruction.instruction_class;
  const bool load = c == InstructionClass::load_global || c == InstructionClass::load_generic ||
                    c == InstructionClass::load_shared;  // generic code that leads there
  const std::uint64_t bits = load ? instruction.word_low >> 32 : instruction.word_high;
  const auto first = static_cast<std::uint16_t>(bits & zero_uniform_register);
  out.read(range_of(RegisterFile::uniform, first, 2, RoleUse::uniform_descriptor));
}

void add_guard(Collector& out, const Instruction& instruction) {
  const auto file =
      instruction.guard_uniform ? RegisterFile::uniform_predicate : RegisterFile::predicate;
  out.read(range_of(file, instruction.guard, 1, RoleUse::guard));
}

/// Before sm_70 `.X` adds the condition code's carry, and `.XLO` follows what `.XHI` found; later,
/// carries are printed predicates.
bool reads_carry(const Kernel& kernel, const Instruction& instruction) {
  return kernel.sm < 70 && (instruction.has(modifier::x) || instruction.has(modifier::xlo));
}

void add_sources(Collector& out, const Kernel& kernel, const Instruction& instruction,
                 std::size_t destinations) {
  const auto operands = kernel.operands_of(instruction);
  Widths widths = widths_of(kernel, instruction);
  if (instruction.instruction_class == InstructionClass::texture) {
    const TextureShape shape = texture_shape(kernel, instruction);
    widths.source = {shape.source[0], shape.source[1], 2, 2};  // followed by a uniform handle pair
  }
  const RoleUse data = moves_data(instruction.instruction_class) ? RoleUse::data : RoleUse::source;
  std::uint8_t slot = 0;
  for (const Operand& operand : operands.subspan(destinations)) {
    if (operand.kind == OperandKind::predicate_set) {
      add_predicate_set(out, operands);
      continue;
    }
    const std::uint8_t width = slot < widths.source.size() ? widths.source[slot] : std::uint8_t{1};
    if (add_source(out, operand, slot, width, data)) ++slot;
  }
}

}  // namespace

Roles roles_of(const Kernel& kernel, const Instruction& instruction) {
  Collector out;
  if (instruction.guarded()) add_guard(out, instruction);
  const auto operands = kernel.operands_of(instruction);
  const std::size_t destinations = destination_count(kernel, instruction);
  const Widths widths = widths_of(kernel, instruction);
  TextureShape texture;
  const bool is_texture = instruction.instruction_class == InstructionClass::texture;
  if (is_texture) texture = texture_shape(kernel, instruction);
  for (std::size_t i = 0; i < destinations; ++i) {
    const std::uint8_t width =
        is_texture ? texture.destination[std::min<std::size_t>(i, 1)] : widths.destination;
    add_destination(out, operands[i], width);
  }
  add_sources(out, kernel, instruction, destinations);
  if (reads_carry(kernel, instruction)) out.read(condition_code);
  add_hidden_descriptor(out, kernel, instruction);
  return out.roles();
}

std::uint32_t access_bytes(const Instruction& instruction) {
  // The copy engine moves pieces of 16 bytes.
  const std::string_view mnemonic = opcode_info(instruction.opcode).mnemonic;
  if (mnemonic.starts_with("UTMA") || mnemonic.starts_with("UBLK")) return 16;
  switch (instruction.instruction_class) {
    case InstructionClass::load_global:
    case InstructionClass::load_shared:
    case InstructionClass::load_local:
    case InstructionClass::load_generic:
    case InstructionClass::load_constant:
    case InstructionClass::uniform_load_constant:
    case InstructionClass::store_global:
    case InstructionClass::store_shared:
    case InstructionClass::store_local:
    case InstructionClass::store_generic:
    case InstructionClass::atomic_global:
    case InstructionClass::atomic_shared:
    case InstructionClass::reduction_global:
    case InstructionClass::async_copy:
      break;
    default:
      return 0;
  }
  const std::uint8_t registers = data_registers(instruction);
  if (registers > 1) return registers * 4U;
  if (instruction.has(modifier::u8) || instruction.has(modifier::s8)) return 1;
  if (instruction.has(modifier::u16) || instruction.has(modifier::s16)) return 2;
  return 4;
}

}  // namespace forewarp::program
