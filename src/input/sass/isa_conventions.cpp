// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "input/sass/isa_conventions.h"

#include <array>

namespace forewarp::input {
namespace {

// Properties of compilers' output, not of devices: from compiled probes for sm_35 to sm_90, raw
// cubins for later, and the documents of asfermi and envytools for earlier architectures.
constexpr auto rows = std::to_array<IsaConventions>({
    {0, 8, 0, 0x10, ControlLayout::none, 0},
    {20, 8, 0, 0x20, ControlLayout::none, 0},
    {30, 8, 0x40, 0x140, ControlLayout::none, 0},
    {32, 8, 0x40, 0x140, ControlLayout::per_seven, 0},
    {50, 8, 0x20, 0x140, ControlLayout::per_three, 0},
    {70, 16, 0, 0x160, ControlLayout::embedded, 0},
    {90, 16, 0, 0x210, ControlLayout::embedded, 0x400},
    {100, 16, 0, 0x380, ControlLayout::embedded, 0x400},
});

}  // namespace

const IsaConventions& isa_conventions(std::uint32_t sm) {
  const IsaConventions* found = &rows[0];
  for (const IsaConventions& row : rows) {
    if (row.first_sm <= sm) found = &row;
  }
  return *found;
}

std::uint32_t next_address(const IsaConventions& isa, std::uint32_t address) {
  const std::uint32_t next = address + isa.slot_bytes;
  return isa.bundle_bytes != 0 && next % isa.bundle_bytes == 0 ? next + isa.slot_bytes : next;
}

std::uint32_t first_address(const IsaConventions& isa) {
  return isa.bundle_bytes != 0 ? isa.slot_bytes : 0;
}

}  // namespace forewarp::input
