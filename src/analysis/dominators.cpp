// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/dominators.h"

#include <algorithm>
#include <utility>

namespace forewarp::analysis {
namespace {

constexpr std::uint32_t unset = 0xffffffff;

/// The graph to solve: a virtual root (number 0), then blocks numbered by place in the order.
struct FlowGraph {
  std::vector<std::uint32_t> number;  ///< of a block; unset if the root does not reach it
  std::vector<BlockId> block;         ///< of a number; block[0] is the virtual root
  std::vector<std::vector<std::uint32_t>> before;  ///< predecessors by number
};

void number_forward(const ControlFlow& flow, FlowGraph& graph) {
  for (const BlockId b : flow.order()) {
    graph.number[b] = static_cast<std::uint32_t>(graph.block.size());
    graph.block.push_back(b);
  }
}

/// Numbers in reverse postorder of the reversed graph, from all blocks that may end their routine.
void number_backward(const ControlFlow& flow, FlowGraph& graph) {
  std::vector<BlockId> post;
  std::vector<bool> seen(flow.blocks().size(), false);
  std::vector<std::pair<BlockId, std::uint32_t>> stack;
  for (BlockId root = 0; root < flow.blocks().size(); ++root) {
    const BasicBlock& block = flow.blocks()[root];
    const bool ends = block.exits || block.returns || flow.successors(root).empty();
    if (!ends || seen[root]) continue;
    seen[root] = true;
    stack.push_back({root, 0});
    while (!stack.empty()) {
      auto& [b, next] = stack.back();
      const auto in = flow.predecessors(b);
      if (next == in.size()) {
        post.push_back(b);
        stack.pop_back();
        continue;
      }
      const BlockId from = in[next++].from;
      if (seen[from]) continue;
      seen[from] = true;
      stack.push_back({from, 0});
    }
  }
  for (auto it = post.rbegin(); it != post.rend(); ++it) {
    graph.number[*it] = static_cast<std::uint32_t>(graph.block.size());
    graph.block.push_back(*it);
  }
}

FlowGraph make_graph(const ControlFlow& flow, Dominators::Direction direction) {
  FlowGraph graph;
  graph.number.assign(flow.blocks().size(), unset);
  graph.block.push_back(no_block);
  const bool forward = direction == Dominators::Direction::forward;
  if (forward) {
    number_forward(flow, graph);
  } else {
    number_backward(flow, graph);
  }
  graph.before.resize(graph.block.size());
  for (std::uint32_t n = 1; n < graph.block.size(); ++n) {
    const BlockId b = graph.block[n];
    const BasicBlock& block = flow.blocks()[b];
    if (forward) {
      if (flow.routines()[block.routine].entry == b) graph.before[n].push_back(0);
      for (const ControlEdge& e : flow.predecessors(b)) {
        if (graph.number[e.from] != unset) graph.before[n].push_back(graph.number[e.from]);
      }
    } else {
      if (block.exits || block.returns || flow.successors(b).empty()) graph.before[n].push_back(0);
      for (const ControlEdge& e : flow.successors(b)) {
        if (graph.number[e.to] != unset) graph.before[n].push_back(graph.number[e.to]);
      }
    }
  }
  return graph;
}

std::uint32_t intersect(const std::vector<std::uint32_t>& up, std::uint32_t a, std::uint32_t b) {
  while (a != b) {
    while (a > b) a = up[a];
    while (b > a) b = up[b];
  }
  return a;
}

}  // namespace

Dominators::Dominators(const ControlFlow& flow, Direction direction)
    : immediate_(flow.blocks().size(), no_block),
      in_(flow.blocks().size(), 0),
      out_(flow.blocks().size(), 0) {
  const FlowGraph graph = make_graph(flow, direction);
  std::vector<std::uint32_t> up(graph.block.size(), unset);
  up[0] = 0;
  // A reducible graph settles in two rounds; the cap bounds the cost of hostile input.
  bool changed = true;
  for (int round = 0; changed && round < 64; ++round) {
    changed = false;
    for (std::uint32_t n = 1; n < up.size(); ++n) {
      std::uint32_t best = unset;
      for (const std::uint32_t p : graph.before[n]) {
        if (up[p] == unset) continue;
        best = best == unset ? p : intersect(up, p, best);
      }
      if (best != up[n]) changed = true;
      up[n] = best;
    }
  }
  for (std::uint32_t n = 1; n < up.size(); ++n) {
    if (up[n] != unset && up[n] != 0) immediate_[graph.block[n]] = graph.block[up[n]];
  }
  number_tree();
}

void Dominators::number_tree() {
  std::vector<std::vector<BlockId>> children(immediate_.size());
  for (BlockId b = 0; b < immediate_.size(); ++b) {
    if (immediate_[b] != no_block) children[immediate_[b]].push_back(b);
  }
  std::uint32_t clock = 0;
  std::vector<std::pair<BlockId, std::uint32_t>> stack;
  for (BlockId root = 0; root < immediate_.size(); ++root) {
    if (immediate_[root] != no_block) continue;
    in_[root] = ++clock;
    stack.push_back({root, 0});
    while (!stack.empty()) {
      auto& [b, next] = stack.back();
      if (next == children[b].size()) {
        out_[b] = ++clock;
        stack.pop_back();
        continue;
      }
      const BlockId child = children[b][next++];
      in_[child] = ++clock;
      stack.push_back({child, 0});
    }
  }
}

}  // namespace forewarp::analysis
