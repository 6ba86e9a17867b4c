// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/loop_trip.h"

#include <algorithm>

#include "analysis/counted_exit.h"
#include "analysis/path_facts.h"
#include "analysis/unknown_text.h"
#include "base/text.h"

namespace forewarp {
namespace {

/// A block of the loop from which control may leave it.
struct Exit {
  BlockId block = no_block;
  bool leaves_when_taken = true;
  bool always = false;    ///< both ways lead out
  bool decidable = true;  ///< false: an indirect branch
};

std::vector<Exit> exits_of(const FlowFacts& facts, LoopId id) {
  const Loop& loop = facts.loops.all()[id];
  std::vector<Exit> exits;
  const auto add = [&exits](BlockId block, bool when_taken, bool decidable) {
    for (Exit& exit : exits) {
      if (exit.block != block) continue;
      exit.always = true;
      return;
    }
    exits.push_back({block, when_taken, false, decidable});
  };
  for (const ControlEdge& e : loop.exits) {
    add(e.from, e.when_taken, e.kind != EdgeKind::indirect);
  }
  for (const BlockId b : loop.blocks) {
    const BasicBlock& block = facts.flow.blocks()[b];
    if (block.exits || block.returns) add(b, true, true);
  }
  return exits;
}

std::string range_text(const Loop& loop) {
  return "the loop " + hex(loop.begin, 4) + "-" + hex(loop.end, 4);
}

}  // namespace

void LoopSolver::count(const FlowFacts& facts, const ValueFlow& values, ExpressionPool& pool,
                       LoopId id) {
  const Loop& loop = facts.loops.all()[id];
  LoopTrip& trip = trips_[id];
  if (loop.depth > max_followed_depth)
    return fail(facts, id, "is nested too deeply to be followed");
  std::vector<Expression> truths;
  for (const Expression e : conditions_at(facts, values, pool, loop.header)) {
    truths.push_back(resolve(facts, pool, e, loop.parent));
  }
  Prover prover(pool, truths);
  ExitCounter counter(pool, prover, id,
                      [&](Expression e) { return invariant(facts, pool, e, id); });
  Expression passes = 0;
  std::string problem;
  for (const Exit& exit : exits_of(facts, id)) {
    PassCount found;
    const std::uint32_t last = facts.flow.blocks()[exit.block].end - 1;
    const Expression effect = values.effect(last);
    const bool every_pass =
        std::all_of(loop.latches.begin(), loop.latches.end(),
                    [&](BlockId latch) { return facts.dominators.dominates(exit.block, latch); });
    if (exit.always || !exit.decidable || effect == 0) {
      found.why = "is left by a branch that cannot be followed at " +
                  hex(facts.kernel.instructions[last].address, 4);
    } else if (facts.loops.innermost(exit.block) != id) {
      found.why =
          "is left from within an inner loop at " + hex(facts.kernel.instructions[last].address, 4);
    } else if (!every_pass) {
      found.why = "may be left at " + hex(facts.kernel.instructions[last].address, 4) +
                  ", which not every pass reaches";
    } else {
      const Expression resolved = resolve(facts, pool, effect, id);
      found = counter.passes_while(exit.leaves_when_taken ? pool.logical_not(resolved) : resolved);
      if (found.passes == 0) {
        found.why = "ends at " + hex(facts.kernel.instructions[last].address, 4) +
                    " by a branch where " + found.why;
        const std::string unknown = unknown_text(facts, pool, found.blocker);
        if (!unknown.empty()) found.why += ": " + unknown;
      }
    }
    if (found.passes == 0) {
      if (problem.empty()) problem = found.why;
      continue;
    }
    const Expression simple = prover.simplify(found.passes);
    if (simple == 0) continue;
    passes = passes == 0 ? simple : pool.minimum(passes, simple);
    trip.exit_block = exit.block;
  }
  if (passes == 0 && problem.empty()) problem = "has no exit";
  const bool at_latch =
      trip.exit_block != no_block &&
      std::find(loop.latches.begin(), loop.latches.end(), trip.exit_block) != loop.latches.end();
  if (!problem.empty()) {
    trip.at_most = passes;
    return fail(facts, id, problem);
  }
  trip.known = true;
  trip.passes = passes;
  trip.trips = at_latch ? passes : pool.offset(passes, -1);
  trip.assumptions.push_back("the counter of " + range_text(loop) + " does not wrap around");
}

void LoopSolver::fail(const FlowFacts& facts, LoopId id, const std::string& why) {
  const Loop& loop = facts.loops.all()[id];
  const std::uint32_t header = facts.flow.blocks()[loop.header].first;
  trips_[id].known = false;
  trips_[id].passes = trips_[id].trips = 0;
  trips_[id].reason = range_text(loop) + " " + why + "; give --trip " +
                      hex(facts.kernel.instructions[header].address, 4) + "=N";
}

/// Puts the closed forms of the loops around it into the counts of a loop.
void LoopSolver::finish(const FlowFacts& facts, ExpressionPool& pool, LoopId id) {
  LoopTrip& trip = trips_[id];
  const LoopId around = facts.loops.all()[id].parent;
  trip.passes = resolve(facts, pool, trip.passes, around);
  trip.trips = resolve(facts, pool, trip.trips, around);
  trip.at_most = resolve(facts, pool, trip.at_most, around);
  if (!trip.known) return;
  if (trip.passes == 0 || trip.trips == 0)
    return fail(facts, id, "has a count that is too involved");
  const std::string unknown = unknown_text(facts, pool, trip.passes);
  if (!unknown.empty()) fail(facts, id, "has a count that depends on " + unknown);
}

}  // namespace forewarp
