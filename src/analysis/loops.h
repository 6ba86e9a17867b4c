// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/control_flow.h"
#include "analysis/dominators.h"

namespace forewarp::analysis {

using LoopId = std::uint32_t;
inline constexpr LoopId no_loop = 0xffffffff;

/// Loops nested deeper than this are found, but the values they change are not followed.
inline constexpr std::uint32_t max_followed_depth = 12;

/// A natural loop: the blocks that reach a back edge to `header` without passing through `header`.
struct Loop {
  BlockId header = no_block;
  std::vector<BlockId> latches;    ///< sources of its back edges
  std::vector<BlockId> blocks;     ///< ascending, including blocks of inner loops
  std::vector<ControlEdge> exits;  ///< edges that leave it
  bool may_end_thread = false;     ///< an EXIT or RET is inside
  LoopId parent = no_loop;
  std::uint32_t depth = 1;           ///< 1 for an outermost loop
  std::uint32_t begin = 0, end = 0;  ///< addresses of its first instruction and past its last
};

/// All natural loops, outer before inner. Back edges to one header form one loop.
class Loops {
 public:
  Loops() = default;
  Loops(const Kernel& kernel, const ControlFlow& flow, const Dominators& dominators);

  [[nodiscard]] const std::vector<Loop>& all() const { return loops_; }
  /// The innermost loop that contains a block, or no_loop.
  [[nodiscard]] LoopId innermost(BlockId block) const { return innermost_[block]; }
  /// The loop whose header is `block`, or no_loop.
  [[nodiscard]] LoopId headed_by(BlockId block) const { return of_header_[block]; }
  /// Whether `loop` contains `block`, directly or in an inner loop.
  [[nodiscard]] bool contains(LoopId loop, BlockId block) const {
    const LoopId inner = innermost_[block];
    return inner != no_loop && tree_in_[loop] <= tree_in_[inner] &&
           tree_out_[inner] <= tree_out_[loop];
  }
  /// Whether `inner` equals `outer` or is nested in it.
  [[nodiscard]] bool nests(LoopId outer, LoopId inner) const {
    return tree_in_[outer] <= tree_in_[inner] && tree_out_[inner] <= tree_out_[outer];
  }
  /// Back edges whose target does not dominate their source: cycles with several entries.
  [[nodiscard]] const std::vector<ControlEdge>& irreducible() const { return irreducible_; }
  [[nodiscard]] bool is_back_edge(const ControlEdge& edge) const;

 private:
  void find_headers(const ControlFlow& flow, const Dominators& dominators);
  void find_bodies(const ControlFlow& flow);
  void number_tree();
  void describe(const Kernel& kernel, const ControlFlow& flow);
  std::vector<Loop> loops_;
  std::vector<std::uint32_t> tree_in_, tree_out_;
  std::vector<LoopId> innermost_;
  std::vector<LoopId> of_header_;
  std::vector<ControlEdge> irreducible_;
};

}  // namespace forewarp::analysis
