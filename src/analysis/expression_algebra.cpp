// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Sums, products and their normal form.
#include <algorithm>
#include <bit>
#include <optional>
#include <span>
#include <utility>

#include "analysis/expression.h"
#include "analysis/interval.h"

namespace forewarp::analysis {
namespace {

std::int64_t wrapping_add(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}

std::int64_t wrapping_multiply(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
}

/// Sorts terms by node, merges equal nodes and drops zeros.
void merge_terms(std::vector<Term>& terms) {
  std::sort(terms.begin(), terms.end(),
            [](const Term& a, const Term& b) { return a.node < b.node; });
  std::size_t kept = 0;
  for (std::size_t i = 0; i < terms.size();) {
    Term merged = terms[i++];
    for (; i < terms.size() && terms[i].node == merged.node; ++i) {
      merged.coefficient = wrapping_add(merged.coefficient, terms[i].coefficient);
    }
    if (merged.coefficient != 0) terms[kept++] = merged;
  }
  terms.resize(kept);
}

constexpr std::int64_t word = std::int64_t{1} << 32;

}  // namespace

Interval ExpressionPool::range_of_sum(std::span<const Term> terms, std::int64_t constant) const {
  Interval r{constant, constant};
  for (const Term& t : terms) {
    r = plus(r, times(range(t.node), {t.coefficient, t.coefficient}));
  }
  return r;
}

Interval ExpressionPool::range_of_product(std::span<const Term> factors) const {
  Interval r{1, 1};
  for (const Term& t : factors) r = times(r, range(t.node));
  return r;
}

Expression ExpressionPool::sum(std::vector<Term> terms, std::int64_t constant_term) {
  for (const Term& t : terms) {
    if (t.node == 0) return 0;
  }
  merge_terms(terms);
  join_pairs(terms, constant_term);
  if (terms.empty()) return constant(constant_term);
  if (terms.size() == 1 && terms[0].coefficient == 1 && constant_term == 0) return terms[0].node;
  if (terms.size() > max_terms) return 0;
  ExpressionNode n;
  n.kind = ExpressionKind::sum;
  n.value = constant_term;
  n.range = range_of_sum(terms, constant_term);
  if (const auto remainder = remainder_range(terms, constant_term)) n.range = *remainder;
  return intern(n, terms);
}

/// Range of c*x - c*m*floor(x/m) + d, which is c*(x mod m) + d.
std::optional<Interval> ExpressionPool::remainder_range(const std::vector<Term>& terms,
                                                        std::int64_t constant_term) {
  for (const Term& t : terms) {
    const ExpressionNode n = nodes_[t.node];
    if (n.kind != ExpressionKind::floor_divide) continue;
    const auto m = constant_value(n.b);
    if (!m || *m <= 1) continue;
    for (const Term& x : terms) {  // c*(x/a) - c*m*(x/(a*m))
      const ExpressionNode inner = nodes_[x.node];
      if (inner.kind != ExpressionKind::floor_divide || inner.a != n.a || terms.size() != 2)
        continue;
      const auto a = constant_value(inner.b);
      if (!a || *a <= 0 || *a >= *m || *m % *a != 0) continue;
      const std::int64_t modulus = *m / *a;
      if (t.coefficient != wrapping_multiply(-modulus, x.coefficient)) continue;
      return plus(times({0, modulus - 1}, {x.coefficient, x.coefficient}),
                  {constant_term, constant_term});
    }
    if (t.coefficient % *m != 0) continue;
    const std::int64_t c = -(t.coefficient / *m);
    const std::vector<Term> inside = this->terms(n.a);
    if (inside.size() + 1 != terms.size()) continue;
    const bool matches = std::all_of(inside.begin(), inside.end(), [&](const Term& x) {
      const Term wanted{x.node, wrapping_multiply(x.coefficient, c)};
      return std::find(terms.begin(), terms.end(), wanted) != terms.end();
    });
    if (!matches) continue;
    const std::int64_t d = wrapping_add(constant_term, -wrapping_multiply(constant_part(n.a), c));
    return plus(times({0, *m - 1}, {c, c}), {d, d});
  }
  return std::nullopt;
}

/// x + 2^32*floor(X/2^32) = X if x is X's low word: joins the words of 64-bit values.
void ExpressionPool::join_pairs(std::vector<Term>& terms, std::int64_t& constant_term) {
  for (bool again = true; again;) {
    again = false;
    for (std::size_t h = 0; h < terms.size() && !again; ++h) {
      if (terms[h].coefficient % word != 0) continue;
      const std::int64_t factor = terms[h].coefficient / word;
      for (std::size_t l = 0; l < terms.size() && !again; ++l) {
        if (terms[l].coefficient != factor) continue;
        const Expression whole = pair_of(terms[l].node, terms[h].node);
        if (whole == 0) continue;
        terms.erase(terms.begin() + static_cast<std::ptrdiff_t>(std::max(h, l)));
        terms.erase(terms.begin() + static_cast<std::ptrdiff_t>(std::min(h, l)));
        for (const Term& t : this->terms(whole)) {
          terms.push_back({t.node, wrapping_multiply(t.coefficient, factor)});
        }
        constant_term =
            wrapping_add(constant_term, wrapping_multiply(constant_part(whole), factor));
        merge_terms(terms);
        again = true;
      }
    }
  }
}

/// The 64-bit value with low word `low` and high word `high`; 0 if they belong to different values.
Expression ExpressionPool::pair_of(Expression low, Expression high) {
  const ExpressionNode h = nodes_[high];
  const bool extended = kind(low) == ExpressionKind::zero_extend;
  const Expression word_read = extended ? nodes_[low].a : low;
  const ExpressionNode& w = nodes_[word_read];
  if (w.kind == h.kind && w.bytes == 4 && h.bytes == 4 && w.index % 8 == 0 &&
      h.index == w.index + 4 && (extended || !w.is_signed)) {
    if (h.kind == ExpressionKind::parameter) return parameter(w.index, 8, true);
    if (h.kind == ExpressionKind::constant_bank && h.value == w.value) {
      return constant_bank(static_cast<std::uint32_t>(w.value), w.index, 8);
    }
  }
  if (h.kind != ExpressionKind::floor_divide || !extended) return 0;
  const auto divisor = constant_value(h.b);
  if (!divisor || *divisor <= 1 || *divisor > word) return 0;
  const Expression whole = scale(h.a, word / *divisor);
  return residue(whole) == word_read ? whole : 0;
}

Expression ExpressionPool::product(std::vector<Expression> factors) {
  if (factors.size() > max_factors) return 0;
  if (factors.size() == 1) return factors[0];
  std::sort(factors.begin(), factors.end());
  std::vector<Term> terms;
  for (const Expression f : factors) terms.push_back({f, 1});
  ExpressionNode n;
  n.kind = ExpressionKind::product;
  n.range = range_of_product(terms);
  return intern(n, terms);
}

Expression ExpressionPool::add(Expression a, Expression b) {
  return add_scaled(a, b, 1);
}

Expression ExpressionPool::subtract(Expression a, Expression b) {
  return add_scaled(a, b, -1);
}

Expression ExpressionPool::add_scaled(Expression a, Expression b, std::int64_t factor) {
  if (a == 0 || b == 0) return 0;
  std::vector<Term> all;
  const std::int64_t constant = append_scaled(b, factor, all, append_scaled(a, 1, all, 0));
  return sum(std::move(all), constant);
}

Expression ExpressionPool::scale(Expression a, std::int64_t factor) {
  if (a == 0) return 0;
  if (factor == 1) return a;
  std::vector<Term> all;
  const std::int64_t constant = append_scaled(a, factor, all, 0);
  return sum(std::move(all), constant);
}

Expression ExpressionPool::offset(Expression a, std::int64_t by) {
  if (a == 0) return 0;
  return sum(terms(a), wrapping_add(constant_part(a), by));
}

std::int64_t ExpressionPool::append_scaled(Expression e, std::int64_t factor,
                                           std::vector<Term>& terms, std::int64_t constant) const {
  if (kind(e) == ExpressionKind::sum) {
    for (const Term& t : stored_terms(e)) {
      terms.push_back({t.node, wrapping_multiply(t.coefficient, factor)});
    }
  } else if (!is_constant(e)) {
    terms.push_back({e, factor});
  }
  return wrapping_add(constant, wrapping_multiply(constant_part(e), factor));
}

Expression ExpressionPool::multiply(Expression a, Expression b) {
  if (a == 0 || b == 0) return 0;
  if (const auto c = constant_value(a)) return scale(b, *c);
  if (const auto c = constant_value(b)) return scale(a, *c);
  const std::vector<Term> left = terms(a), right = terms(b);
  if ((left.size() + 1) * (right.size() + 1) > max_terms) return 0;
  const std::int64_t left_constant = constant_part(a), right_constant = constant_part(b);
  std::vector<Term> all;
  const auto factors_of = [this](Expression e, std::vector<Expression>& out) {
    if (kind(e) != ExpressionKind::product) {
      out.push_back(e);
      return;
    }
    for (const Term& t : stored_terms(e)) out.push_back(t.node);
  };
  for (const Term& l : left) {
    for (const Term& r : right) {
      std::vector<Expression> factors;
      factors_of(l.node, factors);
      factors_of(r.node, factors);
      all.push_back({product(std::move(factors)), wrapping_multiply(l.coefficient, r.coefficient)});
    }
  }
  for (const Term& l : left) {
    all.push_back({l.node, wrapping_multiply(l.coefficient, right_constant)});
  }
  for (const Term& r : right) {
    all.push_back({r.node, wrapping_multiply(r.coefficient, left_constant)});
  }
  return sum(std::move(all), wrapping_multiply(left_constant, right_constant));
}

Expression ExpressionPool::residue(Expression a) {
  if (a == 0) return 0;
  if (const auto c = constant_value(a)) return constant(static_cast<std::int32_t>(*c));
  if (a < residues_.size() && residues_[a] != 0) return residues_[a] - 1;
  std::vector<Term> all;
  std::int64_t rest = static_cast<std::int32_t>(constant_part(a));
  for (const Term& t : terms(a)) {
    const std::int64_t coefficient = static_cast<std::int32_t>(t.coefficient);
    if (coefficient == 0) continue;
    const Expression part = residue_of_term({t.node, coefficient});
    if (part == 0) return 0;
    rest = append_scaled(part, coefficient, all, rest);
  }
  merge_terms(all);
  // Merging terms can move a coefficient out of the 32-bit range again.
  for (Term& t : all) t.coefficient = static_cast<std::int32_t>(t.coefficient);
  const Expression result = sum(std::move(all), static_cast<std::int32_t>(rest));
  if (residues_.size() <= a) residues_.resize(nodes_.size() + 1, 0);
  residues_[a] = result + 1;
  return result;
}

/// The node of a term, simplified as far as its coefficient modulo 2^32 allows.
Expression ExpressionPool::residue_of_term(const Term& term) {
  const ExpressionNode n = nodes_[term.node];
  switch (n.kind) {
    case ExpressionKind::sign_extend:
    case ExpressionKind::zero_extend:
      return n.a;
    case ExpressionKind::product: {
      std::vector<Term> factors(stored_terms(term.node).begin(), stored_terms(term.node).end());
      Expression result = constant(1);
      for (const Term& f : factors) result = multiply(result, residue_of_term({f.node, 1}));
      return result;
    }
    case ExpressionKind::floor_divide: {
      const auto divisor = constant_value(n.b);
      if (!divisor || *divisor < 2 || *divisor > word) return term.node;
      if (!std::has_single_bit(static_cast<std::uint64_t>(*divisor))) return term.node;
      if (term.coefficient % *divisor != 0) return term.node;
      return floor_divide(residue(n.a), n.b);
    }
    case ExpressionKind::bit_and:
      return bit_and(residue(n.a), residue(n.b));
    case ExpressionKind::bit_or:
      return bit_or(residue(n.a), residue(n.b));
    case ExpressionKind::bit_xor:
      return bit_xor(residue(n.a), residue(n.b));
    case ExpressionKind::select:
      return select(n.a, residue(n.b), residue(n.c));
    default:
      return term.node;
  }
}

Expression ExpressionPool::join(Expression low, Expression high) {
  return add(zero_extend(low), scale(high, word));
}

}  // namespace forewarp::analysis
