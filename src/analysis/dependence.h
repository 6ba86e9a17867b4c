// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "analysis/control_flow.h"
#include "program/roles.h"

namespace forewarp::analysis {

/// Why one instruction must come after another.
enum class DependenceKind : std::uint8_t {
  value,       ///< reads what the other wrote; registers, predicates, carries
  overwrite,   ///< writes what the other wrote
  anti,        ///< writes what the other reads
  memory,      ///< may touch the same memory, and one of the two writes
  barrier,     ///< one is a barrier or fence, the other a memory access
  scoreboard,  ///< waits on the scoreboard (0..5) that the other sets
};

struct Dependence {
  std::uint32_t from = 0;  ///< positions in the path
  std::uint32_t to = 0;
  DependenceKind kind = DependenceKind::value;
  RegisterFile file = RegisterFile::general;  ///< value, overwrite, anti
  std::uint16_t number = 0;                   ///< register, or scoreboard
};

/// Dependences along a straight line of instructions (indices; a loop body may be listed twice),
/// ordered by `to`. Memory accesses are distinguished by space only: shared, local, everything
/// else.
[[nodiscard]] std::vector<Dependence> dependences(const Kernel& kernel,
                                                  std::span<const std::uint32_t> path);

/// The dependence graph of every block and the flow between blocks, in Graphviz' DOT.
[[nodiscard]] std::string dependence_dot(const Kernel& kernel, const ControlFlow& flow);

}  // namespace forewarp::analysis
