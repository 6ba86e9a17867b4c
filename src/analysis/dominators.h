// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/control_flow.h"

namespace forewarp::analysis {

/// Which blocks lie on every path to a block (forward), or from it (backward). Blocks of different
/// routines do not dominate each other. Method: Cooper, Harvey, Kennedy 2001.
class Dominators {
 public:
  enum class Direction : std::uint8_t { forward, backward };

  Dominators() = default;
  Dominators(const ControlFlow& flow, Direction direction);

  /// The immediate dominator. no_block for an entry (forward), and for a block after which the
  /// routine may end or that never reaches an end (backward).
  [[nodiscard]] BlockId immediate(BlockId block) const { return immediate_[block]; }
  /// Reflexive; constant time.
  [[nodiscard]] bool dominates(BlockId a, BlockId b) const {
    return a == b || (in_[a] != 0 && in_[b] != 0 && in_[a] <= in_[b] && out_[b] <= out_[a]);
  }

 private:
  void number_tree();
  std::vector<BlockId> immediate_;
  std::vector<std::uint32_t> in_, out_;  ///< visit numbers in the dominator tree, 0: not in it
};

}  // namespace forewarp::analysis
