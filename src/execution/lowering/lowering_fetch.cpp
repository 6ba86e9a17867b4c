// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Textures and surfaces.
#include <array>
#include <bit>
#include <span>
#include <vector>

#include "execution/lowering/lowering.h"
#include "execution/state/fetch_form.h"
#include "program/texture_roles.h"
#include "program/widths.h"

namespace forewarp::execution {
namespace {

constexpr unsigned word_bytes = 4;

void set_handle(Lowering& l, std::uint16_t bank, std::uint32_t word) {
  l.op.source[2] = {l.pool_cell({bank, word_bytes * word}), true, false};
}

void set_dimension(std::string_view word, FetchForm& form) {
  form.layered = word.starts_with("ARRAY_");
  if (form.layered) word.remove_prefix(6);
  form.cube = word == "CUBE";
  form.dimensions = word == "1D" ? 1 : word == "2D" ? 2 : 3;
}

/// The channels that letters name.
std::uint32_t named_channels(std::string_view letters) {
  std::uint32_t channels = 0;
  for (const char c : letters) channels |= 1U << std::string_view("RGBA").find(c);
  return channels;
}

/// What is printed of a texture instruction, by kind.
struct TextureOperands {
  std::vector<const Operand*> registers, integers;  ///< integers before the dimension
  const Operand* uniform = nullptr;
};

bool take_operands(Lowering& l, FetchForm& form, TextureOperands& found) {
  bool dimension_seen = false;
  for (const Operand& operand : l.operands()) {
    if (operand.kind == OperandKind::register_) {
      found.registers.push_back(&operand);
    } else if (operand.kind == OperandKind::uniform_register) {
      found.uniform = &operand;
    } else if (operand.kind == OperandKind::integer && !dimension_seen) {
      found.integers.push_back(&operand);
    } else if (operand.kind == OperandKind::integer) {
      form.channels = static_cast<std::uint32_t>(operand.value) & 0xfU;
    } else if (operand.kind == OperandKind::word) {
      const std::string_view word = l.kernel().text_of(operand);
      if (word.find_first_not_of("RGBA") == std::string_view::npos) {
        form.channels = named_channels(word) & 0xfU;
      } else {
        set_dimension(word, form);
        dimension_seen = true;
      }
    }
  }
  return dimension_seen || l.mnemonic() == "TLD4S";  // always of two dimensions
}

/// TLD4.G gathers the second channel; nothing is printed before sm_70 for the first.
void set_component(std::string_view text, FetchForm& form) {
  std::string_view rest = text.substr(std::min(text.find('.'), text.size()));
  if (rest.starts_with(".SCR")) rest.remove_prefix(4);
  form.gather = 1;
  for (std::uint32_t i = 0; i < 4; ++i) {
    const char letter = std::string_view("RGBA")[i];
    const bool ends = rest.size() < 3 || rest[2] == '.' || rest[2] == ' ';
    if (rest.size() > 1 && rest[1] == letter && ends) form.component = i & 3U;
  }
}

/// Where the handle is: the last number before the dimension is its word in a constant bank; it may
/// be in a uniform register, or, with .B, in the second source's first register.
void take_handle(Lowering& l, bool in_register, const TextureOperands& found,
                 const Operand* second) {
  if (found.uniform != nullptr) {
    l.op.source[2].cell = l.uniform_cell(found.uniform->index);
  } else if (in_register) {
    l.op.source[2].cell = l.register_cell(*second);
  } else if (!found.integers.empty()) {
    const bool with_bank = found.integers.size() > 1;
    set_handle(l, with_bank ? static_cast<std::uint16_t>(found.integers.front()->value) : 0,
               static_cast<std::uint32_t>(found.integers.back()->value));
  }
}

/// TEX, TLD, TLD4 and their short forms: destinations, coordinates and a handle.
bool computed_texture(Lowering& l, FetchForm& form) {
  const std::string_view mnemonic = l.mnemonic();
  const bool short_form = mnemonic.ends_with("S");
  const bool modern = l.sm() >= 70;
  TextureOperands found;
  if (!take_operands(l, form, found)) return false;
  const std::size_t destinations = modern || short_form ? 2 : 1;
  if (found.registers.size() <= destinations) return false;
  form.one_destination = destinations == 1;
  // With two destinations the first has the third and fourth channel.
  const Operand& first_two = *found.registers[destinations - 1];
  l.op.destination = first_two.is_zero_register() ? cell::sink : l.register_cell(first_two);
  const Operand& other_two = *found.registers[0];
  l.op.second = other_two.is_zero_register() ? cell::sink : l.register_cell(other_two);
  const Operand* second =
      found.registers.size() > destinations + 1 ? found.registers[destinations + 1] : nullptr;
  l.op.source[0].cell = l.register_cell(*found.registers[destinations]);
  if (second != nullptr) l.op.source[1].cell = l.register_cell(*second);
  const std::string_view text = l.kernel().text_of(l.instruction());
  // Offsets, comparisons with a depth, samples.
  for (const std::string_view word : {".AOFFI", ".DC", ".MS"}) {
    if (text.find(word) != std::string_view::npos) return false;
  }
  const bool level = l.has(modifier::ll) || l.has(modifier::lb);
  const bool in_register =
      found.uniform == nullptr && program::has_register_handle(l.kernel(), l.instruction());
  if (in_register && second == nullptr) return false;
  take_handle(l, in_register, found, second);
  const unsigned count = form.coordinates();
  if (second == nullptr || in_register) {
    form.in_first = count & 7U;  // a handle and a level of detail are behind them
    if (in_register && l.has(modifier::scr) && count > 2) return false;
  } else if (short_form) {
    // Two coordinates have one in each operand; with others, the first operand has two.
    form.in_first = !level && count == 2 ? 1 : 2;
  } else {
    form.in_first = !modern || !l.has(modifier::scr) ? count & 7U : 2;
  }
  form.by_element = mnemonic.starts_with("TLD") && !mnemonic.starts_with("TLD4");
  if (mnemonic.starts_with("TLD4")) set_component(text, form);
  return !(form.cube && form.layered) && form.coordinates() <= 4;
}

bool texture(Lowering& l) {
  l.op.operation = Operation::texture;
  l.op.space = MemorySpace::texture;
  l.set(flag::own_unknown);
  FetchForm form;
  const std::string_view mnemonic = l.mnemonic();
  const bool known = mnemonic != "TXD" && mnemonic != "TMML" && mnemonic != "TXQ";
  form.computed = known && computed_texture(l, form);
  l.op.immediate = std::bit_cast<std::uint32_t>(form);
  return true;
}

FetchForm surface_form(const Instruction& instruction, std::string_view text) {
  FetchForm form;
  form.layered = instruction.has(modifier::n1d_array) || instruction.has(modifier::n2d_array);
  const bool line = instruction.has(modifier::n1d) || instruction.has(modifier::n1d_array);
  form.dimensions = instruction.has(modifier::n3d) ? 3 : line ? 1 : 2;
  form.in_first = form.coordinates() & 7U;
  const auto is = [&](std::string_view part) { return text.find(part) != std::string_view::npos; };
  const auto mode = instruction.has(modifier::trap) ? FetchForm::Mode::trap
                    : is(".IGN")                    ? FetchForm::Mode::zero
                                                    : FetchForm::Mode::clamp;
  form.mode = static_cast<std::uint32_t>(mode) & 3U;
  form.computed = is(".D.BA");  // bytes as they are; .P converts to the surface's format
  return form;
}

/// SULD.D.BA R, [R], HANDLE and SUST.D.BA [R], R, HANDLE: the handle is a word of a constant bank,
/// with the bank before it from sm_70 on, or in a register.
bool surface(Lowering& l) {
  l.op.operation = Operation::surface;
  l.op.space = MemorySpace::surface;
  l.set(flag::own_unknown);
  const Instruction& instruction = l.instruction();
  FetchForm form = surface_form(instruction, l.kernel().text_of(instruction));
  l.op.bytes = static_cast<std::uint8_t>(word_bytes * data_registers(instruction));
  if (l.has(modifier::u8) || l.has(modifier::s8)) l.op.bytes = 1;
  if (l.has(modifier::u16) || l.has(modifier::s16)) l.op.bytes = 2;
  if (l.has(modifier::s8)) l.op.type = ValueType::s8;
  if (l.has(modifier::s16)) l.op.type = ValueType::s16;
  const bool stores = l.mnemonic() == "SUST";
  std::vector<const Operand*> numbers;
  bool handle = false, data = !stores;
  for (const Operand& operand : l.operands()) {
    if (operand.kind == OperandKind::memory) {
      if (operand.base != no_register) l.op.source[0].cell = l.general_cell(operand.base);
      continue;
    }
    if (operand.kind == OperandKind::integer) numbers.push_back(&operand);
    const bool uniform = operand.kind == OperandKind::uniform_register;
    if (operand.kind != OperandKind::register_ && !uniform) continue;
    if (!stores && l.op.destination == cell::sink && &operand == &l.operands().front()) {
      if (!operand.is_zero_register()) l.op.destination = l.register_cell(operand);
    } else if (!data) {
      l.op.source[1].cell = l.register_cell(operand);
      data = true;
    } else {
      l.op.source[2].cell = l.register_cell(operand);
      handle = true;
    }
  }
  if (!handle && !numbers.empty()) {
    const bool with_bank = numbers.size() > 1;
    set_handle(l, with_bank ? static_cast<std::uint16_t>(numbers.front()->value) : 0,
               static_cast<std::uint32_t>(numbers.back()->value));
    handle = true;
  }
  if (!handle || !data) form.computed = 0;
  l.op.immediate = std::bit_cast<std::uint32_t>(form);
  return true;
}

/// Counted, with unknown results.
bool counted_surface(Lowering& l) {
  l.op.operation = Operation::surface;
  l.op.space = MemorySpace::surface;
  l.set(flag::own_unknown);
  for (const Operand& operand : l.operands()) {
    if (operand.kind == OperandKind::memory && operand.base != no_register)
      l.op.source[0].cell = l.general_cell(operand.base);
  }
  FetchForm form;
  l.op.immediate = std::bit_cast<std::uint32_t>(form);
  return true;
}

constexpr auto rules = std::to_array<LoweringRule>({
    {"TEX", texture},
    {"TLD", texture},
    {"TLD4", texture},
    {"TXD", texture},
    {"TEXS", texture},
    {"TLDS", texture},
    {"TLD4S", texture},
    {"TMML", texture},
    {"TXQ", texture},
    {"SULD", surface},
    {"SUST", surface},
    {"SULDGA", counted_surface},
    {"SUSTGA", counted_surface},
    {"SUATOM", counted_surface},
    {"SURED", counted_surface},
});

}  // namespace

std::span<const LoweringRule> fetch_rules() {
  return rules;
}

}  // namespace forewarp::execution
