// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <unordered_map>
#include <utility>

#include "analysis/expression.h"

namespace forewarp::analysis {

/// Rebuilds expressions with some nodes replaced, keeping them in normal form. Results of the
/// callback are not rewritten again. Rewritten expressions are remembered.
class Rewriter {
 public:
  using Replace = std::function<std::optional<Expression>(Expression)>;

  using Memo = std::unordered_map<Expression, Expression>;

  Rewriter(ExpressionPool& pool, Replace replace, Memo* memo = nullptr)
      : pool_(pool), replace_(std::move(replace)), memo_(memo != nullptr ? memo : &own_memo_) {}
  Rewriter(const Rewriter&) = delete;
  Rewriter& operator=(const Rewriter&) = delete;

  Expression operator()(Expression e);

 private:
  Expression rebuild(Expression e);
  Expression rebuild_sum(Expression e);
  ExpressionPool& pool_;
  Replace replace_;
  Memo own_memo_;
  Memo* memo_;
};

/// Whether `e` or any part of it satisfies `test`. Visits every node once.
[[nodiscard]] bool any_part(const ExpressionPool& pool, Expression e,
                            const std::function<bool(Expression)>& test);

}  // namespace forewarp::analysis
