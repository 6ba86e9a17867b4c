// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "analysis/loops.h"
#include "analysis/value_flow.h"

namespace forewarp::analysis {

/// How often a loop runs each time it is entered.
struct LoopTrip {
  bool known = false;
  Expression passes = 0;  ///< executions of its header per entry
  /// Executions of its latch: `passes`, or one less if it exits before the latch.
  Expression trips = 0;
  BlockId exit_block = no_block;  ///< the block whose branch ends it, if there is only one
  Expression at_most = 0;  ///< upper bound on `trips` from the exits that can be counted, or 0
  std::string reason;      ///< if unknown: a sentence with the loop's address range
  std::vector<std::string> assumptions;
};

/// A block of a loop that may leave it.
struct LoopExit {
  BlockId block = no_block;
  bool when_taken = true;  ///< its branch leaves the loop when taken
  bool always = false;     ///< both successors are outside
  bool decidable = true;   ///< false: an indirect branch
};

class ExitCounter;
struct PassCount;

/// Resolves phi atoms into closed forms (init + step*k, also for register pairs and shifted
/// counters) and loop exits into trip counts, inner loops first.
class LoopSolver {
 public:
  LoopSolver() = default;
  LoopSolver(const FlowFacts& facts, const ValueFlow& values, ExpressionPool& pool);

  [[nodiscard]] const std::vector<LoopTrip>& trips() const { return trips_; }
  /// `e` as seen from a block whose innermost loop is `context`: phis are resolved, and iterations
  /// of loops that do not contain the block are replaced by their final values.
  [[nodiscard]] Expression resolve(const FlowFacts& facts, ExpressionPool& pool, Expression e,
                                   LoopId context);

 private:
  struct Closed {
    Expression form = 0;
    bool solved = false;
  };
  using Memo = std::unordered_map<Expression, Expression>;

  void solve_loop(const FlowFacts& facts, const ValueFlow& values, ExpressionPool& pool, LoopId id);
  std::vector<Expression> latch_values(const FlowFacts& facts, const ValueFlow& values,
                                       ExpressionPool& pool, LoopId id);
  void close_constant(ExpressionPool& pool, LoopId id, const std::vector<Expression>& init,
                      const std::vector<Expression>& next);
  void close_simple(const FlowFacts& facts, ExpressionPool& pool, LoopId id, Slot slot,
                    Expression init, Expression next);
  void close_pair(const FlowFacts& facts, ExpressionPool& pool, LoopId id, Slot high,
                  const std::vector<Expression>& init, const std::vector<Expression>& next);
  bool close_by_others(const FlowFacts& facts, ExpressionPool& pool, LoopId id, Slot slot,
                       Expression init, Expression next);
  void count(const FlowFacts& facts, const ValueFlow& values, ExpressionPool& pool, LoopId id);
  PassCount passes_until(const FlowFacts& facts, const ValueFlow& values, ExpressionPool& pool,
                         LoopId id, const LoopExit& exit, ExitCounter& counter);
  void forget();
  void fail(const FlowFacts& facts, LoopId id, const std::string& why);
  void finish(const FlowFacts& facts, ExpressionPool& pool, LoopId id);
  bool invariant(const FlowFacts& facts, const ExpressionPool& pool, Expression e, LoopId id) const;
  std::optional<Expression> replace(const FlowFacts& facts, ExpressionPool& pool, Expression e,
                                    LoopId context);

  int nesting_ = 0;  ///< recursion depth of replace(), bounded for any graph
  std::vector<std::vector<Closed>> closed_;  ///< by loop, then slot
  std::vector<bool> done_;
  std::vector<LoopTrip> trips_;
  std::vector<Memo> memo_;               ///< by context; the last one is for code outside loops
  std::vector<std::size_t> remembered_;  ///< contexts whose memo is not empty
};

}  // namespace forewarp::analysis
