// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/loops.h"

#include <algorithm>
#include <utility>

namespace forewarp::analysis {
namespace {

/// Each block's place in the order; an edge to the same or an earlier place is retreating.
std::vector<std::uint32_t> places(const ControlFlow& flow) {
  std::vector<std::uint32_t> place(flow.blocks().size(), 0);
  for (std::uint32_t i = 0; i < flow.order().size(); ++i) place[flow.order()[i]] = i;
  return place;
}

}  // namespace

Loops::Loops(const Kernel& kernel, const ControlFlow& flow, const Dominators& dominators)
    : innermost_(flow.blocks().size(), no_loop), of_header_(flow.blocks().size(), no_loop) {
  find_headers(flow, dominators);
  find_bodies(flow);
  number_tree();
  describe(kernel, flow);
}

void Loops::find_headers(const ControlFlow& flow, const Dominators& dominators) {
  const std::vector<std::uint32_t> place = places(flow);
  for (const BlockId b : flow.order()) {
    for (const ControlEdge& e : flow.successors(b)) {
      if (place[e.to] > place[b]) continue;
      if (!dominators.dominates(e.to, b)) {
        irreducible_.push_back(e);
        continue;
      }
      LoopId& id = of_header_[e.to];
      if (id == no_loop) {
        id = static_cast<LoopId>(loops_.size());
        loops_.emplace_back();
        loops_.back().header = e.to;
      }
      auto& latches = loops_[id].latches;
      if (latches.empty() || latches.back() != b) latches.push_back(b);
    }
  }
  // Outer headers come first in the order, so parents precede their children.
  std::sort(loops_.begin(), loops_.end(),
            [&](const Loop& a, const Loop& b) { return place[a.header] < place[b.header]; });
  for (LoopId id = 0; id < loops_.size(); ++id) of_header_[loops_[id].header] = id;
}

void Loops::find_bodies(const ControlFlow& flow) {
  // `outer` is a union-find forest: the outermost loop found so far around each loop.
  std::vector<LoopId> outer(loops_.size());
  for (LoopId id = 0; id < outer.size(); ++id) outer[id] = id;
  const auto outermost = [&](LoopId id) {
    while (outer[id] != id) {
      outer[id] = outer[outer[id]];
      id = outer[id];
    }
    return id;
  };
  std::vector<BlockId> work;
  for (auto id = static_cast<LoopId>(loops_.size()); id-- > 0;) {
    Loop& loop = loops_[id];
    work = loop.latches;
    if (innermost_[loop.header] == no_loop) innermost_[loop.header] = id;
    while (!work.empty()) {
      BlockId b = work.back();
      work.pop_back();
      if (innermost_[b] == no_loop) {
        innermost_[b] = id;
      } else {
        const LoopId inner = outermost(innermost_[b]);
        if (inner == id) continue;
        outer[inner] = id;
        loops_[inner].parent = id;
        b = loops_[inner].header;
      }
      if (b == loop.header) continue;
      for (const ControlEdge& e : flow.predecessors(b)) work.push_back(e.from);
    }
  }
}

void Loops::number_tree() {
  std::vector<std::vector<LoopId>> children(loops_.size());
  std::vector<std::pair<LoopId, std::uint32_t>> stack;
  tree_in_.assign(loops_.size(), 0);
  tree_out_.assign(loops_.size(), 0);
  std::vector<LoopId> roots;
  for (LoopId id = 0; id < loops_.size(); ++id) {
    const LoopId parent = loops_[id].parent;
    (parent == no_loop ? roots : children[parent]).push_back(id);
    if (parent != no_loop) loops_[id].depth = loops_[parent].depth + 1;
  }
  std::uint32_t clock = 0;
  for (const LoopId root : roots) {
    stack.push_back({root, 0});
    tree_in_[root] = ++clock;
    while (!stack.empty()) {
      auto& [id, next] = stack.back();
      if (next == children[id].size()) {
        tree_out_[id] = ++clock;
        stack.pop_back();
        continue;
      }
      const LoopId child = children[id][next++];
      tree_in_[child] = ++clock;
      stack.push_back({child, 0});
    }
  }
}

void Loops::describe(const Kernel& kernel, const ControlFlow& flow) {
  for (Loop& loop : loops_) loop.begin = 0xffffffff;
  for (BlockId b = 0; b < flow.blocks().size(); ++b) {
    const BasicBlock& block = flow.blocks()[b];
    const Instruction& last = kernel.instructions[block.end - 1];
    const std::uint32_t next = block.end < kernel.instructions.size()
                                   ? kernel.instructions[block.end].address
                                   : last.address + 1;
    for (LoopId id = innermost_[b]; id != no_loop; id = loops_[id].parent) {
      Loop& loop = loops_[id];
      loop.blocks.push_back(b);
      loop.begin = std::min(loop.begin, kernel.instructions[block.first].address);
      loop.end = std::max(loop.end, next);
      loop.may_end_thread = loop.may_end_thread || block.exits || block.returns;
      for (const ControlEdge& e : flow.successors(b)) {
        if (!contains(id, e.to)) loop.exits.push_back(e);
      }
    }
  }
}

bool Loops::is_back_edge(const ControlEdge& edge) const {
  const LoopId loop = of_header_[edge.to];
  if (loop == no_loop) return false;
  const auto& latches = loops_[loop].latches;
  return std::find(latches.begin(), latches.end(), edge.from) != latches.end();
}

}  // namespace forewarp::analysis
