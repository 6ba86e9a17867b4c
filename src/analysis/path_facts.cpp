// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/path_facts.h"

namespace forewarp::analysis {

std::vector<Expression> conditions_at(const FlowFacts& facts, const ValueFlow& values,
                                      ExpressionPool& pool, BlockId block, std::size_t limit) {
  std::vector<Expression> conditions;
  // A chain of dominators can be long; the nearest guards are the most useful.
  constexpr int max_steps = 256;
  BlockId at = block;
  for (int step = 0; step < max_steps && at != no_block && conditions.size() < limit; ++step) {
    const ControlEdge* only = nullptr;
    bool several = false;
    for (const ControlEdge& e : facts.flow.predecessors(at)) {
      if (facts.loops.is_back_edge(e)) continue;
      several = several || only != nullptr;
      only = &e;
    }
    if (only != nullptr && !several && only->conditional && only->kind != EdgeKind::indirect) {
      const Expression effect = values.effect(facts.flow.blocks()[only->from].end - 1);
      if (effect != 0) {
        conditions.push_back(only->when_taken ? effect : pool.logical_not(effect));
      }
    }
    at = facts.dominators.immediate(at);
  }
  return conditions;
}

}  // namespace forewarp::analysis
