// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/loop_trip.h"

#include <algorithm>

#include "analysis/counted_exit.h"
#include "analysis/path_facts.h"
#include "analysis/unknown_text.h"
#include "base/text.h"

namespace forewarp::analysis {
namespace {

std::vector<LoopExit> exits_of(const FlowFacts& facts, LoopId id) {
  const Loop& loop = facts.loops.all()[id];
  std::vector<LoopExit> exits;
  const auto add = [&exits](BlockId block, bool when_taken, bool decidable) {
    for (LoopExit& exit : exits) {
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

/// The number of passes that one exit allows, or a clause saying why it is unknown.
PassCount LoopSolver::passes_until(const FlowFacts& facts, const ValueFlow& values,
                                   ExpressionPool& pool, LoopId id, const LoopExit& exit,
                                   ExitCounter& counter) {
  const std::uint32_t last = facts.flow.blocks()[exit.block].end - 1;
  const std::string place = hex(facts.kernel.instructions[last].address, 4);
  const Expression effect = values.effect(last);
  const std::vector<BlockId>& latches = facts.loops.all()[id].latches;
  const bool every_pass = std::all_of(latches.begin(), latches.end(), [&](BlockId latch) {
    return facts.dominators.dominates(exit.block, latch);
  });
  PassCount found;
  if (exit.always || !exit.decidable || effect == 0) {
    found.why = "is left by a branch that cannot be followed at " + place;
  } else if (facts.loops.innermost(exit.block) != id) {
    found.why = "is left from within an inner loop at " + place;
  } else if (!every_pass) {
    found.why = "may be left at " + place + ", which not every pass reaches";
  } else {
    const Expression resolved = resolve(facts, pool, effect, id);
    found = counter.passes_while(exit.when_taken ? pool.logical_not(resolved) : resolved);
    if (found.passes != 0) return found;
    const std::string unknown = found.blocker == 0 ? "" : unknown_text(facts, pool, found.blocker);
    found.why = "runs until the branch at " + place + ", " +
                (unknown.empty() ? found.why : "which depends on " + unknown);
  }
  return found;
}

void LoopSolver::count(const FlowFacts& facts, const ValueFlow& values, ExpressionPool& pool,
                       LoopId id) {
  const Loop& loop = facts.loops.all()[id];
  LoopTrip& trip = trips_[id];
  if (loop.depth > max_followed_depth) {
    return fail(facts, id, "is nested too deeply to be followed");
  }
  std::vector<Expression> truths;
  for (const Expression e : conditions_at(facts, values, pool, loop.header)) {
    truths.push_back(resolve(facts, pool, e, loop.parent));
  }
  Prover prover(pool, truths);
  ExitCounter counter(pool, prover, id,
                      [&](Expression e) { return invariant(facts, pool, e, id); });
  const auto smaller = [&pool](Expression a, Expression b) {
    return a == 0 ? b : pool.minimum(a, b);
  };
  Expression passes = 0, trips = 0;
  std::string problem;
  const std::vector<LoopExit> exits = exits_of(facts, id);
  for (const LoopExit& exit : exits) {
    PassCount found = passes_until(facts, values, pool, id, exit, counter);
    if (found.passes != 0) found.passes = prover.simplify(found.passes);
    if (found.passes == 0) {
      if (problem.empty())
        problem = found.why.empty() ? "has a count that is too involved" : found.why;
      continue;
    }
    // The pass that leaves the loop executes the latch only if it leaves from there.
    const bool at_latch =
        std::find(loop.latches.begin(), loop.latches.end(), exit.block) != loop.latches.end();
    passes = smaller(passes, found.passes);
    trips = smaller(trips, at_latch ? found.passes : pool.offset(found.passes, -1));
  }
  if (exits.empty()) problem = "has no exit";
  if (!problem.empty()) {
    fail(facts, id, problem);
    trip.at_most = trips;
    return;
  }
  trip.known = true;
  trip.passes = passes;
  trip.trips = trips;
  trip.exit_block = exits.size() == 1 ? exits.front().block : no_block;
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

/// Inserts the closed forms of the surrounding loops into a loop's counts.
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

}  // namespace forewarp::analysis
