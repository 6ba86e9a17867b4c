// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>

#include "analysis/expression.h"
#include "analysis/prover.h"

namespace forewarp::analysis {

/// How many passes a loop makes if one condition alone ends it.
struct PassCount {
  Expression passes = 0;   ///< 0: not found
  Expression blocker = 0;  ///< the part of the condition that prevents a solution, if any
  std::string why;         ///< if not found: a clause about the branch
};

/// Solves "pass k (from 0) continues while `condition` holds" for the number of passes. Assumes
/// that the counter does not wrap around.
class ExitCounter {
 public:
  /// `invariant` tells whether an expression has the same value in every pass.
  ExitCounter(ExpressionPool& pool, Prover& prover, std::uint32_t loop,
              std::function<bool(Expression)> invariant)
      : pool_(pool), prover_(prover), loop_(loop), invariant_(std::move(invariant)) {}

  [[nodiscard]] PassCount passes_while(Expression condition);

 private:
  struct Affine {
    bool valid = false;
    Expression start = 0, step = 0;
    Expression blocker = 0;
  };
  PassCount both(Expression a, Expression b, bool minimum);
  PassCount while_positive(Expression difference);
  PassCount while_different(Expression a, Expression b);
  PassCount while_equal(Expression a, Expression b);
  PassCount while_not(Expression condition);
  PassCount while_shifted(Expression smaller, Expression larger, bool strictly);
  PassCount while_less(Expression a, Expression b, bool or_equal);
  [[nodiscard]] Affine affine(Expression e);
  [[nodiscard]] Expression without_wrapping(Expression e);
  [[nodiscard]] Expression read_unsigned(Expression e);
  [[nodiscard]] bool counts(Expression e) const;
  [[nodiscard]] PassCount failure(Expression blocker, std::string why) const {
    return {0, blocker, std::move(why)};
  }

  ExpressionPool& pool_;
  Prover& prover_;
  std::uint32_t loop_;
  std::function<bool(Expression)> invariant_;
};

}  // namespace forewarp::analysis
