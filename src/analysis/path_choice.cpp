// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/path_choice.h"

#include <algorithm>

namespace forewarp::analysis {
namespace {

/// The nearest block that dominates all of `blocks`.
BlockId common_dominator(const FlowFacts& facts, const std::vector<BlockId>& blocks) {
  BlockId at = blocks.front();
  for (const BlockId b : blocks) {
    while (at != no_block && !facts.dominators.dominates(at, b)) {
      at = facts.dominators.immediate(at);
    }
  }
  return at;
}

/// Number of edges into a block, without back edges to it.
std::size_t ways_into(const FlowFacts& facts, BlockId block) {
  const auto in = facts.flow.predecessors(block);
  return static_cast<std::size_t>(std::count_if(
      in.begin(), in.end(), [&](const ControlEdge& e) { return !facts.loops.is_back_edge(e); }));
}

}  // namespace

PathChoice::PathChoice(const FlowFacts& facts, BlockId block, const std::vector<BlockId>& from) {
  if (from.size() < 2 || from.size() > max_leaves) return;
  const BlockId branch = facts.dominators.immediate(block);
  if (branch == no_block || build(facts, block, branch, from) == failed) nodes_.clear();
}

std::uint32_t PathChoice::build(const FlowFacts& facts, BlockId block, BlockId branch,
                                const std::vector<BlockId>& from) {
  const auto ways = facts.flow.successors(branch);
  const bool splits = ways.size() == 2 && ways[0].conditional && ways[0].to != ways[1].to &&
                      ways[0].when_taken != ways[1].when_taken;
  // A branch in a loop that ends before `block` decides once per iteration, not just once.
  const LoopId loop = facts.loops.innermost(branch);
  if (!splits || (loop != no_loop && !facts.loops.contains(loop, block))) return failed;
  Node node{branch, false, 0, 0};
  std::size_t used = 0;
  for (const ControlEdge& way : ways) {
    const std::uint32_t side = build_side(facts, block, way, from, used);
    if (side == failed) return failed;
    (way.when_taken ? node.taken : node.otherwise) = side;
  }
  if (used != from.size()) return failed;
  nodes_.push_back(node);
  return static_cast<std::uint32_t>(nodes_.size() - 1);
}

std::uint32_t PathChoice::build_side(const FlowFacts& facts, BlockId block, const ControlEdge& way,
                                     const std::vector<BlockId>& from, std::size_t& used) {
  std::vector<BlockId> inside;
  for (const BlockId p : from) {
    const bool direct = way.to == block && p == way.from;
    const bool through =
        way.to != block && ways_into(facts, way.to) == 1 && facts.dominators.dominates(way.to, p);
    if (direct || through) inside.push_back(p);
  }
  used += inside.size();
  if (inside.empty()) return failed;
  if (inside.size() == 1) {
    nodes_.push_back({inside.front(), true, 0, 0});
    return static_cast<std::uint32_t>(nodes_.size() - 1);
  }
  const BlockId branch = common_dominator(facts, inside);
  if (branch == no_block || !facts.dominators.dominates(way.to, branch)) return failed;
  return build(facts, block, branch, inside);
}

Expression PathChoice::value_of(std::uint32_t node, ExpressionPool& pool,
                                const std::function<Expression(BlockId)>& value_in,
                                const std::function<Expression(BlockId)>& condition_of) const {
  const Node& n = nodes_[node];
  if (n.leaf) return value_in(n.block);
  const Expression yes = value_of(n.taken, pool, value_in, condition_of);
  const Expression no = value_of(n.otherwise, pool, value_in, condition_of);
  if (yes == no) return yes;
  return pool.select(condition_of(n.block), yes, no);
}

Expression PathChoice::value(ExpressionPool& pool,
                             const std::function<Expression(BlockId)>& value_in,
                             const std::function<Expression(BlockId)>& condition_of) const {
  if (nodes_.empty()) return 0;
  return value_of(static_cast<std::uint32_t>(nodes_.size() - 1), pool, value_in, condition_of);
}

}  // namespace forewarp::analysis
