// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "analysis/control_flow.h"

namespace forewarp::analysis {

/// Number of instructions by class in a piece of code.
struct Mix {
  std::array<std::uint32_t, static_cast<std::size_t>(InstructionClass::count_)> by_class{};
  std::uint32_t instructions = 0;
  /// Pairs that issue in one cycle, counted at the first instruction.
  std::uint32_t dual_pairs = 0;
  std::uint32_t guarded = 0;  ///< instructions with a guard other than PT

  [[nodiscard]] std::uint32_t of(InstructionClass c) const {
    return by_class[static_cast<std::size_t>(c)];
  }
  Mix& operator+=(const Mix& other);
};

/// One per block, in block order.
[[nodiscard]] std::vector<Mix> block_mixes(const Kernel& kernel, const ControlFlow& flow);

}  // namespace forewarp::analysis
