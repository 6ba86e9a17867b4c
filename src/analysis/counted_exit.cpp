// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/counted_exit.h"

#include <optional>

#include "analysis/rewriter.h"

namespace forewarp::analysis {

bool ExitCounter::counts(Expression e) const {
  if (!pool_.contains(e, contains_iteration)) return false;
  return any_part(pool_, e, [this](Expression part) {
    const ExpressionNode& n = pool_.node(part);
    return n.kind == ExpressionKind::iteration && n.index == loop_;
  });
}

PassCount ExitCounter::passes_while(Expression condition) {
  if (condition == 0) return failure(0, "whose condition is too involved to follow");
  if (const auto c = pool_.constant_value(condition)) {
    if (*c == 0) return {pool_.constant(1), 0, {}};
    return failure(0, "which never leaves it");
  }
  if (!counts(condition)) {
    if (!invariant_(condition))
      return failure(condition, "which depends on a value that is not known");
    return failure(0, "whose condition does not change from pass to pass");
  }
  const ExpressionNode n = pool_.node(condition);
  switch (n.kind) {
    case ExpressionKind::logical_and:
      return both(n.a, n.b, true);
    case ExpressionKind::logical_or:
      return both(n.a, n.b, false);
    case ExpressionKind::logical_not:
      return while_not(n.a);
    case ExpressionKind::less:
    case ExpressionKind::less_unsigned:
      return while_less(n.a, n.b, false);
    case ExpressionKind::equal:
      return while_equal(n.a, n.b);
    default:
      return failure(condition, "whose condition is no comparison of a counter");
  }
}

PassCount ExitCounter::while_not(Expression condition) {
  const ExpressionNode n = pool_.node(condition);
  switch (n.kind) {
    case ExpressionKind::less:
    case ExpressionKind::less_unsigned:
      return while_less(n.b, n.a, true);
    case ExpressionKind::equal:
      return while_different(n.a, n.b);
    case ExpressionKind::logical_and:
      return both(pool_.logical_not(n.a), pool_.logical_not(n.b), false);
    case ExpressionKind::logical_or:
      return both(pool_.logical_not(n.a), pool_.logical_not(n.b), true);
    default:
      return failure(condition, "whose condition is no comparison of a counter");
  }
}

/// Combines two conditions: a loop that continues while both hold ends with the first to fail;
/// while either holds, with the last (`minimum` false).
PassCount ExitCounter::both(Expression a, Expression b, bool minimum) {
  const PassCount first = passes_while(a);
  if (first.passes == 0) return first;
  const PassCount second = passes_while(b);
  if (second.passes == 0) return second;
  return {minimum ? pool_.minimum(first.passes, second.passes)
                  : pool_.maximum(first.passes, second.passes),
          0,
          {}};
}

/// Drops sign and zero extensions around expressions of the counter.
Expression ExitCounter::without_wrapping(Expression e) {
  if (!pool_.contains(e, contains_extension)) return e;
  Rewriter strip(pool_, [this, &strip](Expression at) -> std::optional<Expression> {
    const ExpressionNode n = pool_.node(at);
    const bool extends =
        n.kind == ExpressionKind::sign_extend || n.kind == ExpressionKind::zero_extend;
    if (!extends || !counts(n.a)) return std::nullopt;
    const Expression inner = strip(n.a);
    return n.kind == ExpressionKind::sign_extend ? inner : read_unsigned(inner);
  });
  return strip(e);
}

/// A sum read as unsigned: its 32-bit parameters with positive coefficients become unsigned words.
Expression ExitCounter::read_unsigned(Expression e) {
  Expression result = pool_.constant(pool_.constant_part(e));
  for (const Term& t : pool_.terms(e)) {
    const ExpressionNode n = pool_.node(t.node);
    const bool word = n.kind == ExpressionKind::parameter && n.bytes == 4 && t.coefficient > 0;
    result =
        pool_.add(result, pool_.scale(word ? pool_.zero_extend(t.node) : t.node, t.coefficient));
  }
  return result;
}

ExitCounter::Affine ExitCounter::affine(Expression e) {
  const Expression k = pool_.iteration(loop_);
  Affine result;
  result.start = pool_.constant(pool_.constant_part(e));
  result.step = pool_.constant(0);
  for (const Term& t : pool_.terms(e)) {
    if (invariant_(t.node)) {
      result.start = pool_.add(result.start, pool_.scale(t.node, t.coefficient));
      continue;
    }
    Expression factor = pool_.constant(1);
    unsigned times = t.node == k ? 1 : 0;
    if (pool_.kind(t.node) == ExpressionKind::product) {
      const std::vector<Term> factors(pool_.stored_terms(t.node).begin(),
                                      pool_.stored_terms(t.node).end());
      for (const Term& f : factors) {
        if (f.node == k)
          ++times;
        else
          factor = pool_.multiply(factor, f.node);
      }
    }
    if (times != 1 || !invariant_(factor)) {
      result.blocker = t.node;
      return result;
    }
    result.step = pool_.add(result.step, pool_.scale(factor, t.coefficient));
  }
  result.valid = result.start != 0 && result.step != 0;
  return result;
}

PassCount ExitCounter::while_less(Expression a, Expression b, bool or_equal) {
  a = without_wrapping(a);
  b = without_wrapping(b);
  const PassCount shifted = while_shifted(a, b, !or_equal);
  if (shifted.passes != 0) return shifted;
  return while_positive(pool_.offset(pool_.subtract(b, a), or_equal ? 1 : 0));
}

/// start + step*k > 0 with step < 0 fails first at k = ceil(start / -step).
PassCount ExitCounter::while_positive(Expression difference) {
  const Affine line = affine(difference);
  if (!line.valid) return failure(line.blocker, "whose counter does not move evenly");
  if (prover_.nonnegative(line.step)) {
    return failure(0, "whose counter does not move towards its bound");
  }
  const Expression down = pool_.negate(line.step);
  const bool surely_down = prover_.nonnegative(pool_.offset(down, -1));
  if (!surely_down && pool_.is_constant(down)) {
    return failure(0, "whose counter does not move towards its bound");
  }
  const Expression rounds = pool_.floor_divide(pool_.offset(pool_.add(line.start, down), -1), down);
  return {pool_.maximum(pool_.constant(1), pool_.offset(rounds, 1)), 0, {}};
}

/// start + step*k != 0 fails at k = -start/step, which is assumed to be whole.
PassCount ExitCounter::while_different(Expression a, Expression b) {
  a = without_wrapping(a);
  b = without_wrapping(b);
  if (pool_.constant_value(b) == 0) {
    if (const PassCount shifted = while_shifted(b, a, true); shifted.passes != 0) return shifted;
  } else if (pool_.constant_value(a) == 0) {
    if (const PassCount shifted = while_shifted(a, b, true); shifted.passes != 0) return shifted;
  }
  const Affine line = affine(pool_.subtract(a, b));
  if (!line.valid) return failure(line.blocker, "whose counter does not move evenly");
  const auto step = pool_.constant_value(line.step);
  if (step == 0) return failure(0, "whose counter does not move");
  const bool downwards = step ? *step < 0 : prover_.nonnegative(pool_.negate(line.step));
  const Expression distance = downwards ? line.start : pool_.negate(line.start);
  const Expression stride = downwards ? pool_.negate(line.step) : line.step;
  return {pool_.offset(pool_.floor_divide(distance, stride), 1), 0, {}};
}

PassCount ExitCounter::while_equal(Expression a, Expression b) {
  const Affine line = affine(pool_.subtract(without_wrapping(a), without_wrapping(b)));
  if (!line.valid) return failure(line.blocker, "whose counter does not move evenly");
  // A moving counter equals its bound in at most one pass; only the first pass is considered.
  const Expression at_start = pool_.equal(line.start, pool_.constant(0));
  return {pool_.offset(at_start, 1), 0, {}};
}

/// Counters that halve or double: x / 2^(s*k + t) > c holds for k <= (log2(x / (c+1)) - t) / s, and
/// x * 2^(s*k + t) < r holds for k <= (log2((r-1) / x) - t) / s.
PassCount ExitCounter::while_shifted(Expression smaller, Expression larger, bool strictly) {
  const auto exponent_of = [this](Expression e, Expression& rest) -> Expression {
    rest = pool_.constant(1);
    const std::vector<Term> terms = pool_.terms(e);
    if (terms.size() != 1 || pool_.constant_part(e) != 0 || terms[0].coefficient <= 0) return 0;
    Expression exponent = 0;
    std::vector<Term> factors{{terms[0].node, 1}};
    if (pool_.kind(terms[0].node) == ExpressionKind::product) {
      const auto stored = pool_.stored_terms(terms[0].node);
      factors.assign(stored.begin(), stored.end());
    }
    for (const Term& f : factors) {
      const ExpressionNode n = pool_.node(f.node);
      if (n.kind == ExpressionKind::power_of_two && exponent == 0)
        exponent = n.a;
      else
        rest = pool_.multiply(rest, f.node);
    }
    rest = pool_.scale(rest, terms[0].coefficient);
    return exponent;
  };
  Expression reach = 0, exponent = 0, rest = 0;
  const ExpressionNode n = pool_.node(larger);
  const bool halves =
      n.kind == ExpressionKind::floor_divide || n.kind == ExpressionKind::truncate_divide;
  if (halves && counts(n.b) && invariant_(n.a) && invariant_(smaller)) {
    exponent = exponent_of(n.b, rest);
    if (exponent == 0 || !invariant_(rest)) return {};
    const Expression least = pool_.multiply(pool_.offset(smaller, strictly ? 1 : 0), rest);
    reach = pool_.floor_divide(n.a, least);
  } else if (counts(smaller) && invariant_(larger)) {
    exponent = exponent_of(smaller, rest);
    if (exponent == 0 || !invariant_(rest)) return {};
    reach = pool_.floor_divide(pool_.offset(larger, strictly ? -1 : 0), rest);
  }
  if (reach == 0 || exponent == 0) return {};
  const Affine line = affine(exponent);
  if (!line.valid) return {};
  const Expression last =
      pool_.floor_divide(pool_.subtract(pool_.floor_log2(reach), line.start), line.step);
  // Passes 0 .. last continue; the next one ends the loop.
  return {pool_.maximum(pool_.constant(1), pool_.offset(last, 2)), 0, {}};
}

}  // namespace forewarp::analysis
