// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "program/texture_roles.h"

#include <algorithm>
#include <bit>
#include <string>

#include "program/modifier.h"

namespace forewarp::program {
namespace {

std::uint8_t narrow(unsigned value) {
  return static_cast<std::uint8_t>(value);
}

/// Number of coordinates for the printed dimension; an array index is one more.
unsigned coordinate_count(std::string_view dimension) {
  const unsigned array = dimension.starts_with("ARRAY_") ? 1 : 0;
  if (array != 0) dimension.remove_prefix(6);
  if (dimension == "1D") return 1 + array;
  if (dimension == "2D") return 2 + array;
  return 3 + array;  // 3D, CUBE
}

/// Channel letters of the short forms: R, RG, RA, RGB, RGBA.
bool is_channel_list(std::string_view word) {
  return !word.empty() && word.find_first_not_of("RGBA") == std::string_view::npos;
}

struct Printed {
  unsigned coordinates = 2;
  unsigned channels = 4;
  unsigned register_operands = 0;
};

Printed printed_shape(const Kernel& kernel, const Instruction& instruction) {
  Printed printed;
  bool dimension_seen = false;
  for (const Operand& operand : kernel.operands_of(instruction)) {
    if (operand.kind == OperandKind::register_) ++printed.register_operands;
    if (operand.kind == OperandKind::word) {
      const std::string_view word = kernel.text_of(operand);
      if (is_channel_list(word)) {
        printed.channels = static_cast<unsigned>(word.size());
      } else {
        printed.coordinates = coordinate_count(word);
        dimension_seen = true;
      }
    } else if (dimension_seen && operand.kind == OperandKind::integer) {
      printed.channels = narrow(
          static_cast<unsigned>(std::popcount(static_cast<std::uint64_t>(operand.value) & 0xfU)));
    }
  }
  return printed;
}

}  // namespace

TextureShape texture_shape(const Kernel& kernel, const Instruction& instruction) {
  const Printed printed = printed_shape(kernel, instruction);
  const std::string_view mnemonic = opcode_info(instruction.opcode).mnemonic;
  const bool short_form = mnemonic.ends_with("S");
  TextureShape shape;
  const bool gather = mnemonic == "TLD4" || mnemonic == "TLD4S";
  // After the coordinates: a level of detail, a handle in a register (.B), a reference value.
  const unsigned extra = unsigned{instruction.has(modifier::ll) || instruction.has(modifier::lb)} +
                         unsigned{has_register_handle(kernel, instruction)} +
                         unsigned{instruction.has(modifier::dc)};
  const unsigned channels =
      gather && !short_form ? std::max(printed.channels, 1U) : printed.channels;
  if (kernel.sm >= 70 || short_form) {
    shape.destination = {narrow(channels > 2 ? channels - 2 : 0), narrow(std::min(channels, 2U))};
    const unsigned second = (printed.coordinates > 2 ? printed.coordinates - 2 : 0) + extra;
    shape.source = {narrow(std::min(printed.coordinates, 2U)), narrow(std::max(second, 1U))};
    if (mnemonic == "TXD") shape.source[1] = narrow(2 * std::min(printed.coordinates, 2U));
    return shape;
  }
  shape.destination_operands = 1;
  shape.destination = {narrow(channels), 0};
  const bool split = printed.register_operands > 2;
  const unsigned total = printed.coordinates + extra;
  shape.source = {narrow(split ? printed.coordinates : total), narrow(std::max(extra, 1U))};
  return shape;
}

bool has_register_handle(const Kernel& kernel, const Instruction& instruction) {
  if (!instruction.has(modifier::b)) return false;
  constexpr std::string_view gather = "TLD4.", screened = "SCR.", blue = "B.";
  const std::string_view text = kernel.text_of(instruction);
  const std::size_t at = text.find(gather);
  if (at == std::string_view::npos) return true;
  const std::size_t begin = at + gather.size();
  std::string words(text.substr(begin, text.find(' ', begin) - begin));
  words += '.';
  if (words.starts_with(screened)) words.erase(0, screened.size());
  if (words.starts_with(blue)) words.erase(0, blue.size());
  return words.starts_with(blue) || words.find(".B.") != std::string::npos;
}

}  // namespace forewarp::program
