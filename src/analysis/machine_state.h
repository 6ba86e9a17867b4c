// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/expression.h"

namespace forewarp::analysis {

/// The last writer of a register: an instruction, or a block where several paths meet.
struct Definition {
  static constexpr std::uint32_t none = 0xffffffff;       ///< not written since the entry
  static constexpr std::uint32_t merge_bit = 0x80000000;  ///< or'ed with the block where paths meet
  std::uint32_t code = none;

  [[nodiscard]] bool is_none() const { return code == none; }
  [[nodiscard]] bool is_merge() const { return code != none && (code & merge_bit) != 0; }
  [[nodiscard]] bool is_instruction() const { return (code & merge_bit) == 0; }
  [[nodiscard]] std::uint32_t instruction() const { return code; }
  [[nodiscard]] std::uint32_t block() const { return code & ~merge_bit; }
  bool operator==(const Definition&) const = default;
};

/// The symbolic contents of all slots at one point of the code. General and uniform registers hold
/// residues modulo 2^32, predicates 0 or 1. The condition code holds the unreduced sum S of the
/// last .CC instruction; its carry is floor(S / 2^32).
struct MachineState {
  std::vector<Expression> value;
  std::vector<Definition> definition;
};

}  // namespace forewarp::analysis
