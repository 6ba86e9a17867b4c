// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "trace/accel_sim_line.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <limits>
#include <span>
#include <string_view>

#include "execution/storage/address_space.h"
#include "program/roles.h"

namespace forewarp::trace {
namespace {

constexpr std::size_t most_sources = 4;  // that the parser takes

/// How far below the top of the stack the simulator still takes a generic address for a local one.
constexpr std::uint64_t local_span = 0x4000;
static_assert(AccelSimLines::shared_base == address_space::shared_window);
static_assert(AccelSimLines::local_base ==
              address_space::local_window + address_space::stack_top - local_span);

enum class Base : std::uint8_t { ten = 10, sixteen = 16 };

template <typename T>
void append_number(std::string& out, T value, Base base = Base::ten, std::size_t digits = 1) {
  std::array<char, 24> text{};
  const auto end =
      std::to_chars(text.data(), text.data() + text.size(), value, static_cast<int>(base)).ptr;
  const auto size = static_cast<std::size_t>(end - text.data());
  if (size < digits) out.append(digits - size, '0');
  out.append(text.data(), size);
}

void append_register(std::string& out, std::uint16_t number) {
  out += 'R';
  append_number(out, number);
  out += ' ';
}

/// Place of the general register that the instruction writes; operands.size() without one.
std::size_t destination_place(std::span<const Operand> operands, DestinationForm form) {
  const std::size_t none = operands.size();
  if (form == DestinationForm::none) return none;
  const bool may_follow = form == DestinationForm::predicate_then_register ||
                          form == DestinationForm::optional_predicates;
  std::size_t place = 0;
  while (may_follow && place < operands.size() && operands[place].kind == OperandKind::predicate) {
    ++place;
  }
  const bool is_register =
      place < operands.size() && operands[place].kind == OperandKind::register_;
  return is_register ? place : none;
}

std::string registers_text(const Kernel& kernel, const Instruction& instruction,
                           std::string_view mnemonic) {
  const auto operands = kernel.operands_of(instruction);
  const std::size_t written =
      destination_place(operands, opcode_info(instruction.opcode).destination);
  std::string text = "0 ";
  // The simulator would make every reader of RZ wait for a write to it.
  if (written < operands.size() && !operands[written].is_zero_register()) {
    text = "1 ";
    append_register(text, operands[written].index);
  }
  std::string sources;
  std::size_t count = 0;
  for (std::size_t i = 0; i < operands.size() && count < most_sources; ++i) {
    const Operand& operand = operands[i];
    const bool addresses =
        operand.kind == OperandKind::memory || operand.kind == OperandKind::constant;
    const std::uint16_t number = addresses ? operand.base : operand.index;
    const bool read = addresses || (operand.kind == OperandKind::register_ && i != written);
    if (!read || number == no_register) continue;
    append_register(sources, number);
    ++count;
  }
  text += mnemonic;
  text += ' ';
  append_number(text, count);
  return text + ' ' + sources;
}

/// "@P0 LDG.E R0, [R2]" has the mnemonic LDG.E.
std::string_view mnemonic_of(const Kernel& kernel, const Instruction& instruction) {
  std::string_view text = kernel.text_of(instruction);
  if (text.starts_with('@')) {
    const std::size_t space = text.find(' ');
    text.remove_prefix(space == std::string_view::npos ? text.size() : space + 1);
  }
  return text.substr(0, instruction.mnemonic_size);
}

bool is_generic(const Instruction& instruction) {
  return instruction.instruction_class == InstructionClass::load_generic ||
         instruction.instruction_class == InstructionClass::store_generic;
}

/// Loads, stores and atomics; fetches through textures and surfaces have no addresses here.
bool moves_data(const Kernel& kernel, const Instruction& instruction) {
  switch (instruction.instruction_class) {
    case InstructionClass::texture:
    case InstructionClass::surface_load:
    case InstructionClass::surface_store:
    case InstructionClass::uniform_load_constant:
      return false;
    case InstructionClass::load_constant:
      return true;
    default:
      break;
  }
  const auto operands = kernel.operands_of(instruction);
  return access_bytes(instruction) > 0 &&
         std::any_of(operands.begin(), operands.end(),
                     [](const Operand& operand) { return operand.kind == OperandKind::memory; });
}

/// The access that stands in the line: of a copy the one to global memory.
const MemoryAccess* shown_access(const TraceEvent& event) {
  const auto accesses = std::span(event.accesses).first(event.access_count);
  const auto global = std::find_if(accesses.begin(), accesses.end(), [](const MemoryAccess& a) {
    return a.space == MemorySpace::global && a.lanes != 0;
  });
  if (global != accesses.end()) return &*global;
  return accesses.empty() || accesses.front().lanes == 0 ? nullptr : &accesses.front();
}

std::uint64_t generic_address(const MemoryAccess& access, std::uint64_t address) {
  if (address >= address_space::window_bytes) return address;
  if (access.space == MemorySpace::shared) return address + address_space::shared_window;
  if (access.space == MemorySpace::local) return address + address_space::local_window;
  return address;
}

/// Addresses of the lanes in the mask, in order; a lane without one repeats its neighbour's.
std::size_t lane_addresses(const MemoryAccess& access, LaneMask lanes, bool generic,
                           std::array<std::uint64_t, lane_count>& out) {
  std::size_t count = 0;
  std::uint64_t last =
      access.address[static_cast<unsigned>(std::countr_zero(access.lanes)) & (lane_count - 1)];
  for (unsigned lane = 0; lane < lane_count; ++lane) {
    if (!has_lane(lanes, lane)) continue;
    if (has_lane(access.lanes, lane)) last = access.address[lane];
    out[count++] = generic ? generic_address(access, last) : last;
  }
  return count;
}

/// Two or more lanes without a gap, at equal distances that fit 32 bits.
bool has_stride(std::span<const std::uint64_t> addresses, LaneMask lanes) {
  const LaneMask shifted = lanes >> (static_cast<unsigned>(std::countr_zero(lanes)) & 31U);
  if (addresses.size() < 2 || (shifted & (shifted + 1)) != 0) return false;
  const std::uint64_t stride = addresses[1] - addresses[0];
  const auto way = static_cast<std::int64_t>(stride);
  if (way < std::numeric_limits<std::int32_t>::min() ||
      way > std::numeric_limits<std::int32_t>::max()) {
    return false;
  }
  for (std::size_t i = 1; i < addresses.size(); ++i) {
    if (addresses[i] - addresses[i - 1] != stride) return false;
  }
  return true;
}

}  // namespace

AccelSimLines::AccelSimLines(const Kernel& kernel) {
  for (const Instruction& instruction : kernel.instructions) {
    Line line;
    append_number(line.pc, instruction.address, Base::sixteen, 4);
    line.pc += ' ';
    line.registers = registers_text(kernel, instruction, mnemonic_of(kernel, instruction));
    if (moves_data(kernel, instruction)) {
      line.memory = is_generic(instruction) ? Memory::generic : Memory::direct;
      line.bytes = access_bytes(instruction);
    }
    lines_.push_back(std::move(line));
  }
}

void AccelSimLines::append(std::string& out, const TraceEvent& event) const {
  const Line& line = lines_[event.instruction];
  out += line.pc;
  append_number(out, event.lanes, Base::sixteen, 8);
  out += ' ';
  out += line.registers;
  if (line.memory == Memory::none) {
    out += "0 ";
  } else {
    append_memory(out, line, event);
  }
  out += '\n';
}

void AccelSimLines::append_memory(std::string& out, const Line& line,
                                  const TraceEvent& event) const {
  const MemoryAccess* access = shown_access(event);
  append_number(out, access == nullptr ? line.bytes : access->bytes);
  if (access == nullptr || event.lanes == 0) {
    out += " 1 0x0 0 ";
    return;
  }
  std::array<std::uint64_t, lane_count> address{};
  const std::size_t count =
      lane_addresses(*access, event.lanes, line.memory == Memory::generic, address);
  const auto addresses = std::span(address).first(count);
  const bool stride = has_stride(addresses, event.lanes);
  out += stride ? " 1 0x" : " 2 0x";
  append_number(out, addresses[0], Base::sixteen);
  out += ' ';
  for (std::size_t i = 1; i < (stride ? 2 : count); ++i) {
    append_number(out, static_cast<std::int64_t>(addresses[i] - addresses[i - 1]));
    out += ' ';
  }
}

}  // namespace forewarp::trace
