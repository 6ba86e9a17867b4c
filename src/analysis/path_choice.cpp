// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/path_choice.h"

#include "analysis/value_flow.h"

namespace forewarp {

PathChoice path_choice(const FlowFacts& facts, BlockId block, const std::vector<BlockId>& from) {
  if (from.size() != 2) return {};
  const BlockId branch = facts.dominators.immediate(block);
  if (branch == no_block) return {};
  const auto ways = facts.flow.successors(branch);
  if (ways.size() != 2 || !ways[0].conditional || ways[0].to == ways[1].to) return {};
  if (ways[0].when_taken == ways[1].when_taken) return {};
  PathChoice choice{branch, no_block, no_block};
  for (const ControlEdge& way : ways) {
    BlockId& side = way.when_taken ? choice.when_taken : choice.otherwise;
    for (const BlockId p : from) {
      const bool direct = way.to == block && p == branch;
      const bool inside = way.to != block && facts.flow.predecessors(way.to).size() == 1 &&
                          facts.dominators.dominates(way.to, p);
      if (!direct && !inside) continue;
      if (side != no_block) return {};
      side = p;
    }
    if (side == no_block) return {};
  }
  return choice;
}

}  // namespace forewarp
