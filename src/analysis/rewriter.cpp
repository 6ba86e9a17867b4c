// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/rewriter.h"

#include <unordered_set>
#include <vector>

namespace forewarp::analysis {

Expression Rewriter::operator()(Expression e) {
  if (const auto known = memo_->find(e); known != memo_->end()) return known->second;
  const std::optional<Expression> replaced = replace_(e);
  const Expression result = replaced ? *replaced : rebuild(e);
  memo_->emplace(e, result);
  return result;
}

Expression Rewriter::rebuild(Expression e) {
  const ExpressionNode n = pool_.node(e);
  if (n.kind < ExpressionKind::product) return e;
  if (n.kind == ExpressionKind::sum) return rebuild_sum(e);
  if (n.kind == ExpressionKind::product) {
    const std::vector<Term> factors(pool_.stored_terms(e).begin(), pool_.stored_terms(e).end());
    Expression total = pool_.constant(1);
    for (const Term& f : factors) total = pool_.multiply(total, (*this)(f.node));
    return total;
  }
  const unsigned count = operand_count(n.kind);
  const Expression a = (*this)(n.a);
  const Expression b = count > 1 ? (*this)(n.b) : 0;
  const Expression c = count > 2 ? (*this)(n.c) : 0;
  if (a == n.a && b == n.b && c == n.c) return e;
  return pool_.remake(n.kind, a, b, c);
}

Expression Rewriter::rebuild_sum(Expression e) {
  std::vector<Term> all;
  std::int64_t constant = pool_.constant_part(e);
  bool changed = false;
  for (const Term& t : pool_.terms(e)) {
    const Expression part = (*this)(t.node);
    changed = changed || part != t.node;
    if (part == 0) return 0;
    constant = pool_.append_scaled(part, t.coefficient, all, constant);
  }
  return changed ? pool_.sum(std::move(all), constant) : e;
}

bool any_part(const ExpressionPool& pool, Expression e,
              const std::function<bool(Expression)>& test) {
  std::unordered_set<Expression> seen{e};
  std::vector<Expression> work{e};
  const auto visit = [&](Expression part) {
    if (seen.insert(part).second) work.push_back(part);
  };
  while (!work.empty()) {
    const Expression at = work.back();
    work.pop_back();
    if (test(at)) return true;
    const ExpressionNode& n = pool.node(at);
    for (const Term& t : pool.stored_terms(at)) visit(t.node);
    const Expression operands[] = {n.a, n.b, n.c};
    for (unsigned i = 0; i < operand_count(n.kind); ++i) visit(operands[i]);
  }
  return false;
}

}  // namespace forewarp::analysis
