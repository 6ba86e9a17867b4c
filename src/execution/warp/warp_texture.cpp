// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Textures and surfaces: always recorded; computed where a running program has them.
#include <algorithm>
#include <optional>
#include <vector>

#include "execution/storage/program_services.h"
#include "execution/warp/warp_access.h"
#include "program/texture_roles.h"

namespace forewarp::execution::warp_operation {
namespace {

/// What the printed instruction says: its registers in order, and how coordinates are given.
struct Printed {
  std::vector<std::uint16_t> registers;  ///< first registers of the operands, in order
  std::uint32_t handle_word = 0;         ///< of constant bank 0, where the texture's handle is
  bool has_handle = false;
  unsigned dimensions = 2;
  bool layered = false, cube = false;
  std::uint32_t channels = 0xf;  ///< a bit for each channel that is returned
  bool level = false;            ///< a level of detail follows the coordinates
};

Printed printed(const Kernel& kernel, const Instruction& instruction) {
  Printed print;
  const std::string_view text = kernel.text_of(instruction);
  print.level =
      text.find(".LL") != std::string_view::npos || text.find(".LB") != std::string_view::npos;
  bool dimension_seen = false;
  for (const Operand& operand : kernel.operands_of(instruction)) {
    if (operand.kind == OperandKind::register_) {
      print.registers.push_back(operand.index);
    } else if (operand.kind == OperandKind::integer && !dimension_seen) {
      // The last number before the dimension is the handle's place.
      print.handle_word = static_cast<std::uint32_t>(operand.value);
      print.has_handle = true;
    } else if (operand.kind == OperandKind::integer) {
      print.channels = static_cast<std::uint32_t>(operand.value) & 0xfU;
    } else if (operand.kind == OperandKind::word) {
      std::string_view word = kernel.text_of(operand);
      if (word.find_first_not_of("RGBA") == std::string_view::npos) {
        print.channels = 0;
        for (const char c : word) print.channels |= 1U << std::string_view("RGBA").find(c);
        continue;
      }
      dimension_seen = true;
      print.layered = word.starts_with("ARRAY_");
      if (print.layered) word.remove_prefix(6);
      print.dimensions = word == "1D" ? 1 : word == "2D" ? 2 : 3;
      print.cube = word == "CUBE";
    }
  }
  return print;
}

const Texture* texture_of(const Warp& warp, const Printed& print) {
  const LaunchImage& image = *warp.block->environment->image;
  const auto& services = image.input().services;
  if (!services || !print.has_handle) return nullptr;
  const auto handle = image.word(0, std::uint64_t{4} * print.handle_word);
  const auto found = services->textures.find(handle.value);
  return found == services->textures.end() ? nullptr : &found->second;
}

/// Where the coordinates are, one cell each.
std::vector<std::uint32_t> coordinate_cells(const Printed& print, std::size_t first,
                                            bool short_form, bool paired) {
  const unsigned count = print.dimensions + (print.layered ? 1 : 0);
  std::vector<std::uint32_t> cells;
  const auto& registers = print.registers;
  if (first >= registers.size()) return cells;
  // Short forms before sm_70 with two coordinates have one in each operand; otherwise the first
  // operand has up to two of them, or all where it is the only one.
  const unsigned in_first = short_form && !paired && !print.level && count == 2 ? 1
                            : registers.size() == first + 1                     ? count
                                                                                : 2;
  for (unsigned i = 0; i < count; ++i) {
    const bool second = i >= in_first;
    if (second && first + 1 >= registers.size()) return {};
    const unsigned base = second ? registers[first + 1] : registers[first];
    cells.push_back(base + (second ? i - in_first : i));
  }
  return cells;
}

/// Destination registers of the returned channels, in order.
std::vector<std::uint16_t> result_registers(const Printed& print, unsigned destinations) {
  std::vector<std::uint16_t> all;
  unsigned count = 0;
  for (unsigned i = 0; i < 4; ++i) count += print.channels >> i & 1U;
  for (unsigned i = 0; i < count; ++i) {
    if (destinations == 1) {
      all.push_back(static_cast<std::uint16_t>(print.registers[0] + i));
    } else {
      all.push_back(
          static_cast<std::uint16_t>(i < 2 ? print.registers[1] + i : print.registers[0] + i - 2));
    }
  }
  return all;
}

/// Null: the register that is zero.
std::uint32_t* register_cell(Warp& warp, std::uint32_t number) {
  return number == zero_register ? nullptr : warp.cell_at(cell::general + number);
}

/// One lane's fetch.
Texel fetch(const Texture& texture, const Printed& print, bool by_element,
            const std::array<std::uint32_t, 4>& words) {
  const unsigned first = print.layered ? 1 : 0;
  const std::uint32_t layer = words[0] & 0xffffU;
  if (by_element) {
    std::array<std::int32_t, 3> at{};
    for (unsigned i = 0; i < print.dimensions; ++i)
      at[i] = static_cast<std::int32_t>(words[first + i]);
    if (print.layered) at[2] = static_cast<std::int32_t>(layer);
    return fetch_element(texture, at);
  }
  std::array<float, 3> at{};
  for (unsigned i = 0; i < print.dimensions; ++i) at[i] = std::bit_cast<float>(words[first + i]);
  return fetch_texture(texture, at, print.dimensions, print.layered, layer);
}

/// False: nothing that computes this form.
bool fetch_lanes(Warp& warp, std::uint32_t index, LaneMask lanes) {
  const Kernel& kernel = *warp.block->environment->program->kernel;
  const Instruction& instruction = kernel.instructions[index];
  const std::string_view mnemonic = opcode_info(instruction.opcode).mnemonic;
  const bool short_form = mnemonic == "TEXS" || mnemonic == "TLDS";
  if (!short_form && mnemonic != "TEX" && mnemonic != "TLD") return false;
  const Printed print = printed(kernel, instruction);
  const Texture* const texture = texture_of(warp, print);
  if (texture == nullptr || print.cube) return false;
  GlobalMemory& memory = *warp.block->environment->memory;
  const auto origin = reinterpret_cast<std::uint64_t>(texture->data);  // NOLINT: as kernels see it
  if (const std::uint32_t at = memory.buffer_of(origin, 1); at != GlobalMemory::no_buffer)
    memory.touch(at, buffer_use::read);
  const bool modern = kernel.sm >= 70;
  const unsigned destinations = modern || short_form ? 2 : 1;
  if (print.registers.size() <= destinations) return false;
  const auto cells = coordinate_cells(print, destinations, short_form, modern);
  if (cells.empty()) return false;
  const auto results = result_registers(print, destinations);
  const bool by_element = mnemonic.starts_with("TLD");
  // Results may be registers of the coordinates: all lanes are read first.
  std::array<std::array<std::uint32_t, 4>, lane_count> words{};
  for (std::size_t k = 0; k < cells.size() && k < 4; ++k) {
    const std::uint32_t* from = register_cell(warp, cells[k]);
    for (unsigned i = 0; i < lane_count && from != nullptr; ++i) words[i][k] = from[i];
  }
  for (unsigned i = 0; i < lane_count; ++i) {
    if (!has_lane(lanes, i)) continue;
    const Texel texel = fetch(*texture, print, by_element, words[i]);
    std::size_t next = 0;
    for (unsigned channel = 0; channel < 4; ++channel) {
      if ((print.channels >> channel & 1U) == 0 || next >= results.size()) continue;
      if (std::uint32_t* to = register_cell(warp, results[next++])) to[i] = texel[channel];
    }
  }
  for (const std::uint16_t number : results) {
    if (number != zero_register && warp.unknown.any)
      warp.unknown.mark(cell::general + number, lanes, 0, no_origin);
  }
  return true;
}

}  // namespace

/// Records the bits of the first coordinate as the address.
void texture(Warp& warp, const MicroOp& op, LaneMask lanes) {
  MemoryAccess& access = warp.access[0];
  const std::uint32_t index = index_of(warp, op);
  const std::uint32_t* coordinate = plain_source(warp, op.source[0]);
  for (unsigned i = 0; i < lane_count; ++i) access.address[i] = coordinate[i];
  access.instruction = index;
  access.space = op.space;
  access.kind = AccessKind::fetch;
  access.bytes = op.bytes;
  access.lanes = lanes;
  warp.access_count = 1;
  if (warp.block->environment->image->input().services && fetch_lanes(warp, index, lanes)) return;
  for (const std::uint32_t at : warp.block->environment->program->writes(index)) {
    warp.unknown.mark(at, lanes, lanes, index);
  }
}

}  // namespace forewarp::execution::warp_operation
