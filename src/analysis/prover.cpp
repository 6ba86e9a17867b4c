// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/prover.h"

#include <algorithm>

#include "analysis/rewriter.h"

namespace forewarp {
namespace {

constexpr std::size_t max_known = 24;
constexpr int max_depth = 4;

}  // namespace

Prover::Prover(ExpressionPool& pool, const std::vector<Expression>& truths) : pool_(pool) {
  for (const Expression truth : truths) learn(truth);
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
  Rewriter strip(pool_, [this, &strip](Expression at) -> std::optional<Expression> {
    const ExpressionNode n = pool_.node(at);
    if (n.kind != ExpressionKind::sign_extend) return std::nullopt;
    return strip(n.a);
  });
  return strip(e);
}

bool Prover::nonnegative(Expression e, int depth) {
  if (e == 0) return false;
  if (pool_.range(e).low >= 0) return true;
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

/// floor(x/m) + c >= 0 when x + c*m >= 0; c - floor(x/m) >= 0 when c*m + m-1 - x >= 0; and the same
/// for max(a, b) + rest, where one of the two suffices, and min(a, b) + rest, where both must hold.
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
    if (n.kind == ExpressionKind::floor_divide && (t.coefficient == 1 || t.coefficient == -1)) {
      const auto m = pool_.constant_value(n.b);
      if (!m || *m <= 0) continue;
      const Expression scaled = pool_.scale(rest, *m);
      const Expression bound =
          positive ? pool_.add(scaled, n.a) : pool_.offset(pool_.subtract(scaled, n.a), *m - 1);
      if (nonnegative(bound, depth + 1)) return true;
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
        // The sign of something that is not negative.
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

}  // namespace forewarp
