// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "analysis/expression.h"

namespace forewarp::analysis {

/// Decides and simplifies under conditions that are known to hold (the guards on the way to a
/// place). Signed 32-bit arithmetic is taken not to overflow.
class Prover {
 public:
  Prover(ExpressionPool& pool, const std::vector<Expression>& truths);

  /// True when e >= 0 follows; false says nothing.
  [[nodiscard]] bool nonnegative(Expression e) { return nonnegative(plain(e), 0); }
  [[nodiscard]] bool at_least(Expression a, Expression b) {
    return nonnegative(pool_.subtract(a, b));
  }
  /// The same value, with minima, maxima, choices and divisions decided where that can be done.
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
