// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "analysis/expression.h"
#include "analysis/flow_facts.h"

namespace forewarp::analysis {

/// Which branches decide by which predecessor a block is reached: a binary tree with branches
/// inside and predecessors at its leaves. Empty when branches alone do not decide it.
class PathChoice {
 public:
  PathChoice() = default;
  /// `from`: the predecessors of `block` without back edges, each once.
  PathChoice(const FlowFacts& facts, BlockId block, const std::vector<BlockId>& from);

  [[nodiscard]] bool decided() const { return !nodes_.empty(); }
  /// The value that arrives in `block`, from the value in each predecessor and the condition under
  /// which each branch is taken. 0 when a condition is not known.
  [[nodiscard]] Expression value(ExpressionPool& pool,
                                 const std::function<Expression(BlockId)>& value_in,
                                 const std::function<Expression(BlockId)>& condition_of) const;

 private:
  struct Node {
    BlockId block = no_block;  ///< the branch, or the predecessor of a leaf
    bool leaf = false;
    std::uint32_t taken = 0, otherwise = 0;  ///< nodes
  };
  static constexpr std::size_t max_leaves = 8;
  std::uint32_t build(const FlowFacts& facts, BlockId block, BlockId branch,
                      const std::vector<BlockId>& from);
  std::uint32_t build_side(const FlowFacts& facts, BlockId block, const ControlEdge& way,
                           const std::vector<BlockId>& from, std::size_t& used);
  Expression value_of(std::uint32_t node, ExpressionPool& pool,
                      const std::function<Expression(BlockId)>& value_in,
                      const std::function<Expression(BlockId)>& condition_of) const;

  static constexpr std::uint32_t failed = 0xffffffff;
  std::vector<Node> nodes_;  ///< the root is the last one
};

}  // namespace forewarp::analysis
