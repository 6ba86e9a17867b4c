// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "timing/wcet/feasible_bound.h"

#include <algorithm>
#include <string>

#include "base/text.h"

namespace forewarp::timing {
namespace {

/// Adds `times` times a part of a path to its sum; `cycles` decides which path is the longest.
void add(WarpBound& sum, const WarpBound& part, double times) {
  sum.cycles += times * part.cycles;
  sum.units += times * part.units;
  sum.delays += times * part.delays;
  sum.barriers += times * part.barriers;
  for (std::size_t c = 0; c < sum.components.size(); ++c) {
    sum.components[c] += times * part.components[c];
  }
  for (const auto& [key, region] : part.regions) {
    RegionTime& known = sum.regions[key];
    known.count += times * region.count;
    known.cycles.compute += times * region.cycles.compute;
    known.cycles.load += times * region.cycles.load;
    known.cycles.store += times * region.cycles.store;
    known.most = std::max(known.most, region.most);
  }
}

/// Longest paths, from the inner loops out to the whole routine.
class LongestWays {
 public:
  LongestWays(const WorstKernel& worst, const KernelAnalysis& analysis, const FeasibleInput& input)
      : worst_(worst), flow_(analysis.flow()), loops_(analysis.loops()), input_(input) {
    const std::size_t blocks = flow_.blocks().size();
    own_.resize(blocks);
    for (BlockId b = 0; b < blocks; ++b) own_[b] = of_block(b);
  }

  WarpBound all() {
    const auto& loops = loops_.all();
    for (std::size_t i = loops.size(); i-- > 0;) {  // inner loops come after outer ones in the list
      const auto id = static_cast<LoopId>(i);
      WarpBound pass = level(id);
      WarpBound whole;
      add(whole, pass, input_.passes[i]);
      own_[loops[i].header] = std::move(whole);  // stands for the loop from here on
    }
    return level(no_loop);
  }

 private:
  WarpBound of_block(BlockId id) const {
    const BasicBlock& block = flow_.blocks()[id];
    WarpTimeline timeline(worst_);
    for (std::uint32_t i = block.first; i < block.end; ++i) timeline.issue(i);
    WarpBound bound = timeline.finish();
    // Earlier arithmetic may still owe its registers: the first issue waits at most this long.
    const double carried = worst_.rules.raw_sfu + worst_.rules.multiply_add - worst_.rules.spacing;
    WorkCycles cycles;
    for (const auto& [key, region] : bound.regions) cycles += region.cycles;
    cycles.compute += carried;
    bound.cycles += carried;
    bound.components[static_cast<std::size_t>(Component::arithmetic)] += carried;
    bound.regions.clear();
    bound.regions[{block.first, block.end}] = {1, cycles, bound.cycles};
    return bound;
  }

  /// The block that stands for `block` at the level of `loop`; no_block outside of it.
  [[nodiscard]] BlockId at_level(BlockId block, LoopId loop) const {
    LoopId inner = loops_.innermost(block);
    if (inner == loop) return block;
    while (inner != no_loop && loops_.all()[inner].parent != loop) {
      inner = loops_.all()[inner].parent;
    }
    return inner == no_loop ? no_block : loops_.all()[inner].header;
  }
  /// Whether lanes may diverge inside what the block stands for and reconverge only behind it.
  [[nodiscard]] bool parts(BlockId block, LoopId loop) const {
    if (input_.divides[block] != 0) return true;
    const LoopId inner = loops_.headed_by(block);
    if (inner == no_loop || inner == loop) return false;
    return std::any_of(flow_.order().begin(), flow_.order().end(), [&](BlockId b) {
      return loops_.contains(inner, b) && input_.divides[b] != 0;
    });
  }

  /// One pass through the loop, or the whole routine.
  WarpBound level(LoopId loop) {
    std::vector<BlockId> nodes;
    bool divided = false;
    for (const BlockId b : flow_.order()) {
      const bool inside = loop == no_loop || loops_.contains(loop, b);
      if (!inside || at_level(b, loop) != b) continue;
      // The header of `loop` still stands for itself; headers of inner loops stand for their loops.
      nodes.push_back(b);
      divided = divided || parts(b, loop);
    }
    return divided ? everything(nodes) : longest(nodes, loop);
  }

  WarpBound everything(const std::vector<BlockId>& nodes) const {
    WarpBound sum;
    for (const BlockId b : nodes) add(sum, own_[b], 1);
    return sum;
  }

  /// Needs nodes in an order in which each comes before its successors, back edges aside.
  WarpBound longest(const std::vector<BlockId>& nodes, LoopId loop) {
    std::vector<double> way(flow_.blocks().size(), -1);
    std::vector<BlockId> before(flow_.blocks().size(), no_block);
    BlockId last = nodes.front();
    way[last] = own_[last].cycles;
    for (const BlockId node : nodes) {
      if (way[node] < 0) continue;
      if (way[node] > way[last]) last = node;
      relax(node, loop, way, before);
    }
    WarpBound sum;
    for (BlockId b = last; b != no_block; b = before[b]) add(sum, own_[b], 1);
    return sum;
  }

  /// Follows all edges out of the node, or out of the loop that it stands for.
  void relax(BlockId node, LoopId loop, std::vector<double>& way,
             std::vector<BlockId>& before) const {
    const LoopId stands_for = loops_.headed_by(node);
    const bool collapsed = stands_for != no_loop && stands_for != loop;
    const auto follow = [&](const ControlEdge& edge) {
      if (loop != no_loop && !loops_.contains(loop, edge.to)) return;
      const BlockId to = at_level(edge.to, loop);
      if (to == no_block || to == node || loops_.is_back_edge(edge)) return;
      const double length = way[node] + own_[to].cycles;
      if (length <= way[to]) return;
      way[to] = length;
      before[to] = node;
    };
    if (collapsed) {
      for (const ControlEdge& edge : loops_.all()[stands_for].exits) follow(edge);
    } else {
      for (const ControlEdge& edge : flow_.successors(node)) follow(edge);
    }
  }

  const WorstKernel& worst_;
  const ControlFlow& flow_;
  const Loops& loops_;
  const FeasibleInput& input_;
  std::vector<WarpBound> own_;  ///< by block; at a header, of the whole loop once that is done
};

std::string unfollowed(const KernelAnalysis& analysis) {
  if (!analysis.loops().irreducible().empty()) return "it has a loop with several entries";
  if (analysis.flow().routines().size() > 1) return "it calls functions";
  if (!analysis.flow().notes().empty()) return analysis.flow().notes().front();
  return {};
}

}  // namespace

Expected<WarpBound> feasible_bound(const WorstKernel& worst, const KernelAnalysis& analysis,
                                   const FeasibleInput& input) {
  const std::string why = unfollowed(analysis);
  if (!why.empty() || analysis.flow().blocks().empty()) {
    return Diagnostic{
        worst.kernel->name,
        "its feasible paths have no upper bound: " + why + " " + blame(Component::simt_stack),
        "code whose control flow can be followed",
        "give the data that its branches depend on: then the executed path is bounded"};
  }
  return LongestWays(worst, analysis, input).all();
}

}  // namespace forewarp::timing
