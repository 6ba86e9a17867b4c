// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/unknown_text.h"

#include "analysis/rewriter.h"
#include "analysis/value_flow.h"
#include "base/text.h"

namespace forewarp::analysis {
namespace {

std::string_view phrase(UnknownReason reason) {
  switch (reason) {
    case UnknownReason::load:
      return "a value loaded at ";
    case UnknownReason::special_register:
      return "a special register read at ";
    case UnknownReason::warp:
      return "what the lanes of the warp agree on at ";
    case UnknownReason::call:
      return "the result of the call at ";
    case UnknownReason::merge:
      return "a value that differs by the path that leads to ";
    case UnknownReason::loop_carried:
      return "a value that changes irregularly in the loop at ";
    case UnknownReason::not_modelled:
      return "a value computed at ";
    case UnknownReason::entry:
      return "what a register holds before the code at ";
    case UnknownReason::too_complex:
      return "an expression that grew too large";
  }
  return "an unknown value at ";
}

/// `depth`: number of causes followed so far.
std::string text_of(const FlowFacts& facts, const ExpressionPool& pool, Expression e, int depth) {
  constexpr int most_causes = 3;
  if (!pool.contains(e, contains_unknown | contains_constant_bank)) return "";
  Expression found = 0;
  const bool any = any_part(pool, e, [&](Expression part) {
    found = part;
    const ExpressionKind kind = pool.kind(part);
    return kind == ExpressionKind::constant_bank || kind == ExpressionKind::unknown;
  });
  if (!any) return "";
  if (found == 0) return std::string(phrase(UnknownReason::too_complex));
  const ExpressionNode& n = pool.node(found);
  if (n.kind == ExpressionKind::constant_bank) {
    return "constant memory c[" + hex(static_cast<std::uint64_t>(n.value)) + "][" + hex(n.index) +
           "]";
  }
  const auto reason = static_cast<UnknownReason>(n.a);
  if (n.index >= facts.kernel.instructions.size()) return std::string(phrase(reason));
  const Instruction& instruction = facts.kernel.instructions[n.index];
  std::string text = std::string(phrase(reason)) + hex(instruction.address, 4);
  const bool names_one = reason == UnknownReason::load || reason == UnknownReason::not_modelled ||
                         reason == UnknownReason::special_register || reason == UnknownReason::warp;
  if (names_one) text += " (" + std::string(facts.kernel.text_of(instruction)) + ")";
  if (n.b != 0 && depth < most_causes) {
    const std::string cause = text_of(facts, pool, n.b, depth + 1);
    if (!cause.empty()) text += " and comes from " + cause;
  }
  return text;
}

}  // namespace

std::string unknown_text(const FlowFacts& facts, const ExpressionPool& pool, Expression e) {
  return text_of(facts, pool, e, 0);
}

}  // namespace forewarp::analysis
