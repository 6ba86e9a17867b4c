// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "analysis/expression.h"

namespace forewarp::analysis {

/// Decides and simplifies expressions under conditions known to hold, such as the guards on the way
/// to a place. Assumes that signed 32-bit arithmetic does not overflow.
class Prover {
 public:
  Prover(ExpressionPool& pool, const std::vector<Expression>& truths);

  /// True if e >= 0 is proved; false means undecided.
  [[nodiscard]] bool nonnegative(Expression e) { return nonnegative(plain(e), 0); }
  [[nodiscard]] bool at_least(Expression a, Expression b) {
    return nonnegative(pool_.subtract(a, b));
  }
  /// An equal expression with minima, maxima, selects and divisions resolved where possible.
  [[nodiscard]] Expression simplify(Expression e);

 private:
  void learn(Expression truth);
  void learn_nonnegative(Expression e);
  bool nonnegative(Expression e, int depth);
  bool nonnegative_division(Expression e, int depth);
  Expression plain(Expression e);
  Expression reduced(Expression e);

  ExpressionPool& pool_;
  std::vector<Expression> known_;  ///< each is >= 0
  std::vector<Expression> truths_;
};

}  // namespace forewarp::analysis
