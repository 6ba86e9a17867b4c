// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/thread_dependence.h"

#include <algorithm>
#include <utility>

#include "analysis/rewriter.h"

namespace forewarp::analysis {
namespace {

bool is_symbol(const ExpressionNode& node, IndexKind index) {
  if (node.kind != ExpressionKind::launch) return false;
  switch (static_cast<LaunchSymbol>(node.index)) {
    case LaunchSymbol::thread_x:
    case LaunchSymbol::thread_y:
    case LaunchSymbol::thread_z:
    case LaunchSymbol::lane:
      return index == IndexKind::thread;
    case LaunchSymbol::block_index_x:
    case LaunchSymbol::block_index_y:
    case LaunchSymbol::block_index_z:
      return index == IndexKind::block;
    default:
      return false;
  }
}

}  // namespace

bool mentions(const ExpressionPool& pool, Expression e, IndexKind index) {
  return any_part(pool, e, [&](Expression part) { return is_symbol(pool.node(part), index); });
}

bool linear(const ExpressionPool& pool, Expression e, IndexKind index) {
  if (!mentions(pool, e, index)) return true;
  const ExpressionNode& node = pool.node(e);
  const auto linear_term = [&](const Term& term) { return linear(pool, term.node, index); };
  switch (node.kind) {
    case ExpressionKind::launch:
      return static_cast<LaunchSymbol>(node.index) != LaunchSymbol::lane;
    case ExpressionKind::sign_extend:
    case ExpressionKind::zero_extend:
      return linear(pool, node.a, index);
    case ExpressionKind::sum:
      return std::ranges::all_of(pool.stored_terms(e), linear_term);
    case ExpressionKind::product:
      return std::ranges::count_if(
                 pool.stored_terms(e),
                 [&](const Term& factor) { return mentions(pool, factor.node, index); }) == 1 &&
             std::ranges::all_of(pool.stored_terms(e), linear_term);
    default:
      return false;
  }
}

bool monotone(const ExpressionPool& pool, Expression e, IndexKind index) {
  if (linear(pool, e, index)) return true;
  const ExpressionNode& node = pool.node(e);
  switch (node.kind) {
    case ExpressionKind::sign_extend:
    case ExpressionKind::zero_extend:
      return monotone(pool, node.a, index);
    case ExpressionKind::floor_divide:
    case ExpressionKind::truncate_divide:
      return pool.is_constant(node.b) && monotone(pool, node.a, index);
    case ExpressionKind::sum: {
      const auto moves = [&](const Term& term) { return mentions(pool, term.node, index); };
      return std::ranges::count_if(pool.stored_terms(e), moves) == 1 &&
             std::ranges::all_of(pool.stored_terms(e), [&](const Term& term) {
               return !moves(term) || monotone(pool, term.node, index);
             });
    }
    default:
      return false;
  }
}

ThreadDependence thread_dependence(const ExpressionPool& pool, Expression condition) {
  if (!mentions(pool, condition, IndexKind::thread)) return ThreadDependence::none;
  const ExpressionNode& node = pool.node(condition);
  switch (node.kind) {
    case ExpressionKind::logical_not:
      return thread_dependence(pool, node.a);
    case ExpressionKind::less:
    case ExpressionKind::less_unsigned:
      return linear(pool, node.a, IndexKind::thread) && linear(pool, node.b, IndexKind::thread)
                 ? ThreadDependence::half_space
                 : ThreadDependence::general;
    default:
      return ThreadDependence::general;
  }
}

void collect_parameters(const ExpressionPool& pool, Expression e,
                        std::vector<std::pair<std::uint32_t, std::uint32_t>>& ranges) {
  (void)any_part(pool, e, [&](Expression part) {
    const ExpressionNode& node = pool.node(part);
    if (node.kind == ExpressionKind::parameter) ranges.emplace_back(node.index, node.bytes);
    return false;
  });
}

}  // namespace forewarp::analysis
