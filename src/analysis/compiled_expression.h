// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "analysis/expression.h"
#include "program/launch.h"

namespace forewarp::analysis {

/// Numbers for the symbols of an expression.
struct Binding {
  std::span<const std::uint8_t> parameter_bytes;  ///< the argument block, from parameter 0 on
  /// Same length: 0 for unknown bytes (a buffer's address). Empty: all are known.
  std::span<const std::uint8_t> parameter_known;
  Extent block{1, 1, 1};
  Extent grid{1, 1, 1};
  Extent thread{0, 0, 0};
  Extent block_index{0, 0, 0};
  /// Completed passes, by loop; missing ones are unknown.
  std::span<const std::int64_t> iterations;
};

/// An expression compiled to a straight-line program, evaluated without allocation or look-ups.
class CompiledExpression {
 public:
  CompiledExpression() = default;
  CompiledExpression(const ExpressionPool& pool, Expression expression);

  /// No value if the result depends on something that `binding` lacks, on a value that is unknown
  /// before the run, or on a division by zero.
  [[nodiscard]] std::optional<std::int64_t> evaluate(const Binding& binding) const;
  /// The number, if the expression is a constant.
  [[nodiscard]] std::optional<std::int64_t> constant() const;

 private:
  struct Step {
    ExpressionKind kind = ExpressionKind::constant;
    std::uint8_t bytes = 0;
    bool is_signed = false;
    std::uint16_t a = 0, b = 0, c = 0;  ///< earlier steps
    std::uint32_t index = 0;
    std::int64_t value = 0;
  };
  static constexpr std::size_t max_steps = 256;
  struct Values {
    std::array<std::int64_t, max_steps> at;  ///< uninitialised: written before it is read
    std::array<bool, max_steps> known;
  };
  using Places = std::unordered_map<Expression, std::uint16_t>;
  bool emit(const ExpressionPool& pool, Expression e, Places& place);
  static bool atom(const Step& step, const Binding& binding, std::int64_t& result);
  static bool operands_known(const Step& step, const Values& v);
  static bool decided(const Step& step, const Values& v, std::int64_t& result);
  static bool operation(const Step& step, const std::int64_t* at, std::int64_t& result);

  std::vector<Step> steps_;
  bool usable_ = false;
};

}  // namespace forewarp::analysis
