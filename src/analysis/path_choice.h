// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "analysis/expression.h"
#include "analysis/flow_facts.h"

namespace forewarp::analysis {

/// The branches that decide through which predecessor a block is reached: a binary tree with
/// branches as inner nodes and predecessors as leaves. Empty if branches alone do not decide.
class PathChoice {
 public:
  PathChoice() = default;
  /// `from`: the predecessors of `block`, each once, without back edges.
  PathChoice(const FlowFacts& facts, BlockId block, const std::vector<BlockId>& from);

  [[nodiscard]] bool decided() const { return !nodes_.empty(); }
  /// The value on arrival in `block`, from the value in each predecessor and the condition for each
  /// branch to be taken. 0 if a condition is unknown.
  [[nodiscard]] Expression value(ExpressionPool& pool,
                                 const std::function<Expression(BlockId)>& value_in,
                                 const std::function<Expression(BlockId)>& condition_of) const;

 private:
  struct Node {
    BlockId block = no_block;  ///< the branch, or for a leaf the predecessor
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
