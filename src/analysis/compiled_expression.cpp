// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/compiled_expression.h"

#include <algorithm>
#include <array>
#include <bit>
#include <unordered_map>

#include "analysis/interval.h"

namespace forewarp::analysis {
namespace {

std::int64_t wrapping_add(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}
std::int64_t wrapping_multiply(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
}

std::int64_t read_bytes(std::span<const std::uint8_t> bytes, std::size_t at, unsigned count,
                        bool is_signed) {
  std::uint64_t value = 0;
  for (unsigned i = count; i-- > 0;) value = (value << 8) | bytes[at + i];
  const unsigned unused = 64 - 8 * count;
  if (!is_signed || unused == 0) return static_cast<std::int64_t>(value);
  return static_cast<std::int64_t>(value << unused) >> unused;
}

std::int64_t merge_halves(std::int64_t a, std::int64_t b) {
  const std::int64_t upper = (b >> 16) & 0xffff;
  return (((a & 0xffff) * upper) & 0xffff) | ((b & 0xffff) << 16);
}

}  // namespace

CompiledExpression::CompiledExpression(const ExpressionPool& pool, Expression expression) {
  // A sum or product takes one step per term, besides the steps of the terms themselves.
  Places place;
  usable_ = emit(pool, expression, place);
  if (!usable_) steps_.clear();
  steps_.shrink_to_fit();
}

bool CompiledExpression::emit(const ExpressionPool& pool, Expression e, Places& place) {
  if (place.contains(e)) return true;
  const ExpressionNode& n = pool.node(e);
  const auto push = [&](Step step) {
    steps_.push_back(step);
    return static_cast<std::uint16_t>(steps_.size() - 1);
  };
  if (steps_.size() + 2 * n.term_count + 4 > max_steps) return false;
  for (const Term& t : pool.stored_terms(e)) {
    if (!emit(pool, t.node, place)) return false;
  }
  const Expression operands[] = {n.a, n.b, n.c};
  for (unsigned i = 0; i < operand_count(n.kind); ++i) {
    if (!emit(pool, operands[i], place)) return false;
  }
  if (steps_.size() + 2 * n.term_count + 4 > max_steps) return false;
  Step step;
  step.kind = n.kind;
  step.value = n.value;
  step.index = n.index;
  step.bytes = n.bytes;
  step.is_signed = n.is_signed;
  if (n.kind == ExpressionKind::sum || n.kind == ExpressionKind::product) {
    // sum: at[b] + value * at[a]; product: at[b] * at[a].
    Step start;
    start.value = n.kind == ExpressionKind::sum ? n.value : 1;
    std::uint16_t total = push(start);
    for (const Term& t : pool.stored_terms(e)) {
      step.value = t.coefficient;
      step.a = place[t.node];
      step.b = total;
      total = push(step);
    }
    place[e] = total;
    return true;
  }
  const unsigned count = operand_count(n.kind);
  if (count > 0) step.a = place[n.a];
  if (count > 1) step.b = place[n.b];
  if (count > 2) step.c = place[n.c];
  place[e] = push(step);
  return true;
}

std::optional<std::int64_t> CompiledExpression::constant() const {
  if (steps_.size() != 1 || steps_[0].kind != ExpressionKind::constant) return std::nullopt;
  return steps_[0].value;
}

bool CompiledExpression::atom(const Step& step, const Binding& binding, std::int64_t& result) {
  if (step.kind == ExpressionKind::parameter) {
    const std::size_t end = std::size_t{step.index} + step.bytes;
    if (end > binding.parameter_bytes.size()) return false;
    if (!binding.parameter_known.empty()) {
      if (end > binding.parameter_known.size()) return false;
      for (std::size_t i = step.index; i < end; ++i) {
        if (binding.parameter_known[i] == 0) return false;
      }
    }
    result = read_bytes(binding.parameter_bytes, step.index, step.bytes, step.is_signed);
    return true;
  }
  if (step.kind == ExpressionKind::iteration) {
    if (step.index >= binding.iterations.size()) return false;
    result = binding.iterations[step.index];
    return true;
  }
  const Extent* const extents[] = {&binding.block, &binding.grid, &binding.thread,
                                   &binding.block_index};
  if (step.kind != ExpressionKind::launch || step.index >= 12) return false;
  result = (*extents[step.index / 3])[step.index % 3];
  return true;
}

bool CompiledExpression::operation(const Step& s, const std::int64_t* at, std::int64_t& result) {
  const std::int64_t a = at[s.a], b = at[s.b];
  switch (s.kind) {
    case ExpressionKind::sum:
      result = wrapping_add(b, wrapping_multiply(s.value, a));
      break;
    case ExpressionKind::product:
      result = wrapping_multiply(a, b);
      break;
    case ExpressionKind::sign_extend:
      result = static_cast<std::int32_t>(a);
      break;
    case ExpressionKind::zero_extend:
      result = static_cast<std::uint32_t>(a);
      break;
    case ExpressionKind::floor_divide:
      if (b == 0) return false;
      result = floor_quotient(a, b);
      break;
    case ExpressionKind::truncate_divide:
      if (b == 0) return false;
      result = truncated_quotient(a, b);
      break;
    case ExpressionKind::bit_and:
      result = a & b;
      break;
    case ExpressionKind::bit_or:
      result = a | b;
      break;
    case ExpressionKind::bit_xor:
      result = a ^ b;
      break;
    case ExpressionKind::minimum:
      result = std::min(a, b);
      break;
    case ExpressionKind::maximum:
      result = std::max(a, b);
      break;
    case ExpressionKind::select:
      result = a != 0 ? b : at[s.c];
      break;
    case ExpressionKind::equal:
      result = a == b;
      break;
    case ExpressionKind::less:
      result = a < b;
      break;
    case ExpressionKind::less_unsigned:
      result = static_cast<std::uint64_t>(a) < static_cast<std::uint64_t>(b);
      break;
    case ExpressionKind::logical_and:
      result = a != 0 && b != 0;
      break;
    case ExpressionKind::logical_or:
      result = a != 0 || b != 0;
      break;
    case ExpressionKind::logical_not:
      result = a == 0;
      break;
    case ExpressionKind::power_of_two:
      result = std::int64_t{1} << std::clamp<std::int64_t>(a, 0, max_power);
      break;
    case ExpressionKind::floor_log2:
      result = a <= 0 ? -1 : 63 - std::countl_zero(static_cast<std::uint64_t>(a));
      break;
    case ExpressionKind::half_product:
      result = (a & 0xffff) * (b & 0xffff);
      break;
    case ExpressionKind::half_merge:
      result = merge_halves(a, b);
      break;
    default:
      return false;
  }
  return true;
}

std::optional<std::int64_t> CompiledExpression::evaluate(const Binding& binding) const {
  if (!usable_) return std::nullopt;
  Values v;
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    const Step& step = steps_[i];
    if (step.kind == ExpressionKind::constant) {
      v.at[i] = step.value;
      v.known[i] = true;
    } else if (step.kind < ExpressionKind::product) {
      v.known[i] = atom(step, binding, v.at[i]);
    } else if (operands_known(step, v)) {
      v.known[i] = operation(step, v.at.data(), v.at[i]);
    } else {
      v.known[i] = decided(step, v, v.at[i]);
    }
  }
  if (!v.known[steps_.size() - 1]) return std::nullopt;
  return v.at[steps_.size() - 1];
}

bool CompiledExpression::operands_known(const Step& step, const Values& v) {
  if (step.kind == ExpressionKind::product || step.kind == ExpressionKind::sum) {
    return v.known[step.a] && v.known[step.b];
  }
  switch (operand_count(step.kind)) {
    case 1:
      return v.known[step.a];
    case 2:
      return v.known[step.a] && v.known[step.b];
    default:
      return v.known[step.a] && v.known[step.b] && v.known[step.c];
  }
}

/// Decides results that do not need all operands: false and x, true or x, 0 * x, a select.
bool CompiledExpression::decided(const Step& step, const Values& v, std::int64_t& result) {
  if (step.kind == ExpressionKind::select) {
    if (!v.known[step.a]) return false;
    const std::uint16_t chosen = v.at[step.a] != 0 ? step.b : step.c;
    result = v.at[chosen];
    return v.known[chosen];
  }
  for (const std::uint16_t side : {step.a, step.b}) {
    if (!v.known[side]) continue;
    const bool truth = v.at[side] != 0;
    const bool settles =
        truth ? step.kind == ExpressionKind::logical_or
              : step.kind == ExpressionKind::logical_and || step.kind == ExpressionKind::product;
    if (!settles) continue;
    result = truth ? 1 : 0;
    return true;
  }
  return false;
}

}  // namespace forewarp::analysis
