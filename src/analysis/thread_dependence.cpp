// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/thread_dependence.h"

#include <algorithm>
#include <utility>

#include "analysis/rewriter.h"

namespace forewarp {
namespace {

bool is_thread_symbol(const ExpressionNode& node) {
  if (node.kind != ExpressionKind::launch) return false;
  const auto symbol = static_cast<LaunchSymbol>(node.index);
  return symbol == LaunchSymbol::thread_x || symbol == LaunchSymbol::thread_y ||
         symbol == LaunchSymbol::thread_z || symbol == LaunchSymbol::lane;
}

bool mentions_thread(const ExpressionPool& pool, Expression e) {
  return any_part(pool, e, [&](Expression part) { return is_thread_symbol(pool.node(part)); });
}

/// Linear in threadIdx with coefficients that no thread changes. Index arithmetic is taken not to
/// wrap, so extensions to 64 bits do not matter.
bool linear(const ExpressionPool& pool, Expression e) {
  if (!mentions_thread(pool, e)) return true;
  const ExpressionNode& node = pool.node(e);
  const auto linear_term = [&](const Term& term) { return linear(pool, term.node); };
  switch (node.kind) {
    case ExpressionKind::launch:
      return static_cast<LaunchSymbol>(node.index) != LaunchSymbol::lane;
    case ExpressionKind::sign_extend:
    case ExpressionKind::zero_extend:
      return linear(pool, node.a);
    case ExpressionKind::sum:
      return std::ranges::all_of(pool.stored_terms(e), linear_term);
    case ExpressionKind::product:
      return std::ranges::count_if(
                 pool.stored_terms(e),
                 [&](const Term& factor) { return mentions_thread(pool, factor.node); }) == 1 &&
             std::ranges::all_of(pool.stored_terms(e), linear_term);
    default:
      return false;
  }
}

}  // namespace

ThreadDependence thread_dependence(const ExpressionPool& pool, Expression condition) {
  if (!mentions_thread(pool, condition)) return ThreadDependence::none;
  const ExpressionNode& node = pool.node(condition);
  switch (node.kind) {
    case ExpressionKind::logical_not:
      return thread_dependence(pool, node.a);
    case ExpressionKind::less:
    case ExpressionKind::less_unsigned:
      return linear(pool, node.a) && linear(pool, node.b) ? ThreadDependence::half_space
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

}  // namespace forewarp
