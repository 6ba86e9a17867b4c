// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "input/sass/control_word.h"

namespace forewarp::input {
namespace {

constexpr std::uint32_t slot_bytes = 8;

/// 0x20 + n: wait n + 1 cycles. Larger fields occur only on texture waits and branches; their low
/// bits have the same meaning.
Control decode_byte(std::uint8_t field) {
  Control control;
  control.known = true;
  control.raw = field;
  control.stall =
      field == dual_issue_field ? std::uint8_t{0} : static_cast<std::uint8_t>((field & 0x1fU) + 1U);
  return control;
}

}  // namespace

Control decode_field(std::uint32_t field) {
  Control control;
  control.known = true;
  control.stall = static_cast<std::uint8_t>(field & 0xfU);
  control.yield = ((field >> 4) & 1U) == 0;
  control.write_barrier = static_cast<std::uint8_t>((field >> 5) & 7U);
  control.read_barrier = static_cast<std::uint8_t>((field >> 8) & 7U);
  control.wait_mask = static_cast<std::uint8_t>((field >> 11) & every_barrier);
  control.reuse = static_cast<std::uint8_t>((field >> 17) & 0xfU);
  return control;
}

Control decode_shared(ControlLayout layout, std::uint64_t word, std::uint32_t address) {
  if (layout == ControlLayout::per_seven) {
    const std::uint32_t slot = address / slot_bytes % 8;
    if (slot == 0) return {};
    return decode_byte(static_cast<std::uint8_t>((word >> (2 + 8 * (slot - 1))) & 0xffU));
  }
  if (layout == ControlLayout::per_three) {
    const std::uint32_t slot = address / slot_bytes % 4;
    if (slot == 0) return {};
    return decode_field(static_cast<std::uint32_t>((word >> (21 * (slot - 1))) & 0x1fffffU));
  }
  return {};
}

Control decode_embedded(std::uint64_t high_word) {
  return decode_field(static_cast<std::uint32_t>((high_word >> 41) & 0x1fffffU));
}

}  // namespace forewarp::input
