// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "walk.h"

namespace forewarp::tests::testing {
namespace {

/// The edge that is taken; null at the end of the thread. Sets `known` to false when undecided.
const ControlEdge* choose(const KernelAnalysis& analysis, const Binding& binding, BlockId block,
                          bool& known) {
  const BasicBlock& b = analysis.flow().blocks()[block];
  const auto ways = analysis.flow().successors(block);
  const Condition* condition = analysis.condition(b.end - 1);
  const bool conditional = !ways.empty() && ways[0].conditional;
  if (!conditional) {
    if (b.exits && condition == nullptr) return nullptr;
    return ways.empty() ? nullptr : &ways[0];
  }
  const auto taken = condition == nullptr ? std::nullopt : condition->program.evaluate(binding);
  known = taken.has_value();
  if (!known) return nullptr;
  if (b.exits && *taken != 0) return nullptr;
  for (const ControlEdge& way : ways) {
    if (way.when_taken == (*taken != 0)) return &way;
  }
  return nullptr;
}

}  // namespace

Walk walk(const KernelAnalysis& analysis, Binding binding, std::size_t max_steps) {
  Walk result;
  const Loops& loops = analysis.loops();
  std::vector<std::int64_t> iterations(loops.all().size(), 0);
  std::vector<std::size_t> open(loops.all().size(), 0);
  BlockId block = 0;
  bool back = false;
  for (std::size_t step = 0; step < max_steps; ++step) {
    if (const LoopId loop = loops.headed_by(block); loop != no_loop) {
      iterations[loop] = back ? iterations[loop] + 1 : 0;
      if (!back) {
        open[loop] = result.runs.size();
        result.runs.push_back({loop, 0, 0, iterations});
      }
      ++result.runs[open[loop]].passes;
      if (back) ++result.runs[open[loop]].back_edges;
    }
    binding.iterations = iterations;
    bool known = true;
    const ControlEdge* edge = choose(analysis, binding, block, known);
    if (edge == nullptr) {
      result.complete = known;
      return result;
    }
    back = loops.is_back_edge(*edge);
    block = edge->to;
  }
  return result;
}

}  // namespace forewarp::tests::testing
