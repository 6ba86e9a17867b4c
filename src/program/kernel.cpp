// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "program/kernel.h"

#include <algorithm>

namespace forewarp {

std::size_t Kernel::index_at(std::uint32_t address) const {
  const auto found = std::lower_bound(
      instructions.begin(), instructions.end(), address,
      [](const Instruction& instruction, std::uint32_t a) { return instruction.address < a; });
  return static_cast<std::size_t>(found - instructions.begin());
}

}  // namespace forewarp
