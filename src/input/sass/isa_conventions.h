// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace forewarp::input {

/// Where an instruction set family stores the compiler's schedule (control words).
enum class ControlLayout : std::uint8_t {
  none,       ///< no schedule, or one of unknown meaning
  per_seven,  ///< sm_32, 35, 37: one word of eight-bit fields before seven instructions
  per_three,  ///< sm_50..62: one word of 21-bit fields before three instructions
  embedded,   ///< sm_70 and later: in the high word of each instruction
};

/// What all code of one instruction set has in common in a listing.
struct IsaConventions {
  std::uint32_t first_sm = 0;        ///< this row applies from here up to the next row's first_sm
  std::uint32_t slot_bytes = 0;      ///< from one instruction to the next
  std::uint32_t bundle_bytes = 0;    ///< a control word is at each multiple; 0: none
  std::uint32_t parameter_base = 0;  ///< byte offset of parameter 0 in constant bank 0
  ControlLayout control = ControlLayout::none;
  std::uint32_t reserved_shared =
      0;  ///< bytes of shared memory that tools count beyond the kernel's own
};

/// The row for an architecture such as 52; an unknown one gets the row of the next older.
[[nodiscard]] const IsaConventions& isa_conventions(std::uint32_t sm);

/// Address of the instruction that follows the one at `address`. See first_address for the first.
[[nodiscard]] std::uint32_t next_address(const IsaConventions& isa, std::uint32_t address);
[[nodiscard]] std::uint32_t first_address(const IsaConventions& isa);

}  // namespace forewarp::input
