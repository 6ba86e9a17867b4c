// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/address.h"

#include <algorithm>

#include "analysis/rewriter.h"

namespace forewarp::analysis {
namespace {

/// Whether any part of `e` varies between threads, blocks or iterations.
bool contains_varying(const ExpressionPool& pool, Expression e) {
  return pool.contains(e, contains_iteration | contains_phi | contains_unknown | contains_thread);
}

Expression without_extensions(ExpressionPool& pool, Expression e) {
  if (!pool.contains(e, contains_extension)) return e;
  Rewriter strip(pool, [&](Expression at) -> std::optional<Expression> {
    const ExpressionNode n = pool.node(at);
    const bool extends =
        n.kind == ExpressionKind::sign_extend || n.kind == ExpressionKind::zero_extend;
    if (!extends || !contains_varying(pool, n.a)) return std::nullopt;
    return strip(n.a);
  });
  return strip(e);
}

/// Where the form stores a symbol's coefficient; null for a symbol that has no place in it.
Expression* place_of(AddressForm& form, const ExpressionNode& symbol, ExpressionPool& pool) {
  if (symbol.kind == ExpressionKind::iteration) {
    for (auto& [loop, coefficient] : form.loops) {
      if (loop == symbol.index) return &coefficient;
    }
    form.loops.push_back({symbol.index, pool.constant(0)});
    return &form.loops.back().second;
  }
  if (symbol.kind != ExpressionKind::launch) return nullptr;
  const auto thread = static_cast<std::uint32_t>(LaunchSymbol::thread_x);
  const auto block = static_cast<std::uint32_t>(LaunchSymbol::block_index_x);
  const auto lane = static_cast<std::uint32_t>(LaunchSymbol::lane);
  if (symbol.index >= thread && symbol.index < block) return &form.thread[symbol.index - thread];
  if (symbol.index >= block && symbol.index < lane) return &form.block_index[symbol.index - block];
  return nullptr;
}

/// Adds one term; false unless it is a symbol times something that does not vary.
bool add_term(ExpressionPool& pool, AddressForm& form, const Term& term) {
  if (!contains_varying(pool, term.node)) {
    form.base = pool.add(form.base, pool.scale(term.node, term.coefficient));
    return true;
  }
  std::vector<Term> factors{{term.node, 1}};
  if (pool.kind(term.node) == ExpressionKind::product) {
    const auto stored = pool.stored_terms(term.node);
    factors.assign(stored.begin(), stored.end());
  }
  Expression symbol = 0;
  Expression coefficient = pool.constant(term.coefficient);
  for (const Term& f : factors) {
    if (!contains_varying(pool, f.node)) {
      coefficient = pool.multiply(coefficient, f.node);
    } else if (symbol == 0) {
      symbol = f.node;
    } else {
      return false;
    }
  }
  const ExpressionNode node = pool.node(symbol);
  Expression* place = place_of(form, node, pool);
  if (place == nullptr) return false;
  *place = pool.add(*place, coefficient);
  return true;
}

}  // namespace

void make_affine(ExpressionPool& pool, AddressForm& form) {
  const Expression zero = pool.constant(0);
  form.thread.fill(zero);
  form.block_index.fill(zero);
  form.base = zero;
  form.affine = false;
  const Expression plain = without_extensions(pool, form.value);
  if (plain == 0) return;
  form.base = pool.constant(pool.constant_part(plain));
  for (const Term& term : pool.terms(plain)) {
    if (!add_term(pool, form, term)) return;
  }
  form.affine = form.base != 0;
  for (const Term& t : pool.terms(form.base)) {
    const ExpressionNode& n = pool.node(t.node);
    if (n.kind != ExpressionKind::parameter || n.bytes != 8 || t.coefficient != 1) continue;
    form.pointer = form.pointer ? std::nullopt : std::optional<std::uint32_t>(n.index);
  }
}

bool lane_addresses(const CompiledExpression& address, Binding binding, std::uint32_t first_thread,
                    std::span<std::int64_t> out) {
  const Extent& block = binding.block;
  std::uint32_t thread = first_thread;
  for (std::int64_t& lane : out) {
    const std::uint32_t width = std::max(block[0], 1U), height = std::max(block[1], 1U);
    binding.thread = {thread % width, thread / width % height, thread / width / height};
    const auto value = address.evaluate(binding);
    if (!value) return false;
    lane = *value;
    ++thread;
  }
  return true;
}

}  // namespace forewarp::analysis
