// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/prover.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

#include "analysis/interval.h"
#include "analysis/rewriter.h"

namespace forewarp::analysis {
namespace {

constexpr std::size_t max_known = 24;
constexpr int max_depth = 4;

}  // namespace

Prover::Prover(ExpressionPool& pool, const std::vector<Expression>& truths) : pool_(pool) {
  for (const Expression truth : truths) learn(truth);
  // Values now known to be nonnegative allow unsigned comparisons to be read as signed.
  for (Expression& e : known_) e = plain(e);
}

void Prover::learn(Expression truth) {
  if (truth == 0 || truths_.size() >= max_known) return;
  truths_.push_back(truth);
  const ExpressionNode n = pool_.node(truth);
  switch (n.kind) {
    case ExpressionKind::logical_and:
      learn(n.a);
      learn(n.b);
      return;
    case ExpressionKind::less:
    case ExpressionKind::less_unsigned:
      return learn_nonnegative(pool_.offset(pool_.subtract(n.b, n.a), -1));
    case ExpressionKind::equal:
      learn_nonnegative(pool_.subtract(n.a, n.b));
      return learn_nonnegative(pool_.subtract(n.b, n.a));
    case ExpressionKind::logical_not:
      break;
    default:
      return;
  }
  const ExpressionNode inner = pool_.node(n.a);
  switch (inner.kind) {
    case ExpressionKind::less:
    case ExpressionKind::less_unsigned:
      return learn_nonnegative(pool_.subtract(inner.a, inner.b));
    case ExpressionKind::equal: {
      const Expression d = pool_.subtract(inner.a, inner.b);
      if (pool_.range(d).low == 0) return learn_nonnegative(pool_.offset(d, -1));
      if (pool_.range(d).high == 0) return learn_nonnegative(pool_.offset(pool_.negate(d), -1));
      return;
    }
    case ExpressionKind::logical_or:
      learn(pool_.logical_not(inner.a));
      return learn(pool_.logical_not(inner.b));
    default:
      return;
  }
}

void Prover::learn_nonnegative(Expression e) {
  if (e != 0 && known_.size() < max_known) known_.push_back(plain(e));
}

Expression Prover::plain(Expression e) {
  if (!pool_.contains(e, contains_extension)) return e;
  Rewriter strip(pool_, [this, &strip](Expression at) -> std::optional<Expression> {
    const ExpressionNode n = pool_.node(at);
    if (n.kind == ExpressionKind::sign_extend) return strip(n.a);
    if (n.kind != ExpressionKind::zero_extend) return std::nullopt;
    const Expression inner = strip(n.a);
    if (nonnegative(inner, max_depth)) return inner;
    return std::nullopt;
  });
  return strip(e);
}

bool Prover::nonnegative(Expression e, int depth) {
  if (e == 0) return false;
  if (pool_.range(e).low >= 0) return true;
  e = reduced(e);
  if (depth > max_depth) return false;
  for (const Expression g : known_) {
    if (pool_.range(pool_.subtract(e, g)).low >= 0) return true;
  }
  if (nonnegative_division(e, depth)) return true;
  if (depth > 0) return false;
  for (std::size_t i = 0; i < known_.size(); ++i) {
    const Expression rest = pool_.subtract(e, known_[i]);
    for (std::size_t j = i; j < known_.size(); ++j) {
      if (pool_.range(pool_.subtract(rest, known_[j])).low >= 0) return true;
    }
  }
  return false;
}

/// An expression of the same sign without the coefficients' common factor: 4*x - 1 becomes x - 1.
Expression Prover::reduced(Expression e) {
  std::vector<Term> terms = pool_.terms(e);
  std::int64_t common = 0;
  for (const Term& t : terms) {
    if (t.coefficient == std::numeric_limits<std::int64_t>::min()) return e;
    common = std::gcd(common, t.coefficient);
  }
  if (common <= 1) return e;
  for (Term& t : terms) t.coefficient /= common;
  return pool_.sum(std::move(terms), floor_quotient(pool_.constant_part(e), common));
}

/// floor(x/m) + c >= 0 follows from x + c*m >= 0; c - floor(x/m) >= 0 from c*m + m-1 - x >= 0. For
/// max(a, b) + rest it suffices that one of the two holds, for min(a, b) + rest both must.
bool Prover::nonnegative_division(Expression e, int depth) {
  const std::vector<Term> terms = pool_.terms(e);
  for (const Term& t : terms) {
    const ExpressionNode n = pool_.node(t.node);
    const Expression rest = pool_.subtract(e, pool_.scale(t.node, t.coefficient));
    const bool positive = t.coefficient > 0;
    if (n.kind == ExpressionKind::maximum || n.kind == ExpressionKind::minimum) {
      const bool first = nonnegative(pool_.add(rest, pool_.scale(n.a, t.coefficient)), depth + 1);
      const bool second = nonnegative(pool_.add(rest, pool_.scale(n.b, t.coefficient)), depth + 1);
      const bool either = (n.kind == ExpressionKind::maximum) == positive;
      if (either ? first || second : first && second) return true;
    }
    constexpr std::int64_t largest = std::numeric_limits<std::int32_t>::max();
    if (n.kind == ExpressionKind::floor_divide && std::abs(t.coefficient) < largest) {
      const auto m = pool_.constant_value(n.b);
      if (!m || *m <= 0 || *m > largest) continue;
      std::int64_t slack = 0;  // m*floor(x/m) is at most x and at least x - (m-1)
      if (t.coefficient == -1) slack = *m - 1;
      if (t.coefficient > 1) slack = -(*m - 1) * t.coefficient;
      const Expression bound = pool_.add(pool_.scale(rest, *m), pool_.scale(n.a, t.coefficient));
      if (nonnegative(pool_.offset(bound, slack), depth + 1)) return true;
    }
  }
  return false;
}

Expression Prover::simplify(Expression e) {
  Rewriter rewrite(pool_, [this, &rewrite](Expression at) -> std::optional<Expression> {
    const ExpressionNode n = pool_.node(at);
    if (std::find(truths_.begin(), truths_.end(), at) != truths_.end()) return pool_.constant(1);
    switch (n.kind) {
      case ExpressionKind::logical_not:
        if (std::find(truths_.begin(), truths_.end(), n.a) != truths_.end()) {
          return pool_.constant(0);
        }
        return std::nullopt;
      case ExpressionKind::less:
      case ExpressionKind::less_unsigned: {
        const Expression a = rewrite(n.a), b = rewrite(n.b);
        if (at_least(a, b)) return pool_.constant(0);
        if (nonnegative(pool_.offset(pool_.subtract(b, a), -1))) return pool_.constant(1);
        return std::nullopt;
      }
      case ExpressionKind::maximum:
      case ExpressionKind::minimum: {
        const Expression a = rewrite(n.a), b = rewrite(n.b);
        const bool larger = n.kind == ExpressionKind::maximum;
        if (at_least(a, b)) return larger ? a : b;
        if (at_least(b, a)) return larger ? b : a;
        return std::nullopt;
      }
      case ExpressionKind::truncate_divide: {
        const Expression a = rewrite(n.a);
        if (!nonnegative(a)) return std::nullopt;
        return pool_.floor_divide(a, rewrite(n.b));
      }
      case ExpressionKind::floor_divide: {
        // The sign of a nonnegative value.
        const Expression a = rewrite(n.a);
        const auto m = pool_.constant_value(n.b);
        if (!m || *m < (std::int64_t{1} << 31)) return std::nullopt;
        if (pool_.range(a).high >= *m || !nonnegative(a)) return std::nullopt;
        return pool_.constant(0);
      }
      default:
        return std::nullopt;
    }
  });
  return rewrite(e);
}

}  // namespace forewarp::analysis
