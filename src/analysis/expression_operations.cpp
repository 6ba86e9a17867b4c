// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Division, bits, selection and conditions.
#include <algorithm>
#include <bit>
#include <utility>

#include "analysis/expression.h"
#include "analysis/interval.h"

namespace forewarp::analysis {
namespace {

constexpr std::int64_t int32_low = std::numeric_limits<std::int32_t>::min();
constexpr std::int64_t int32_high = std::numeric_limits<std::int32_t>::max();
constexpr Interval truth{0, 1};

/// k if the value is 2^k, including 2^63 read as unsigned; else -1.
int exact_log2(std::int64_t value) {
  const auto bits = static_cast<std::uint64_t>(value);
  return std::has_single_bit(bits) ? std::countr_zero(bits) : -1;
}

unsigned trailing_zeros(std::int64_t value) {
  return value == 0 ? 64u
                    : static_cast<unsigned>(std::countr_zero(static_cast<std::uint64_t>(value)));
}

}  // namespace

Expression ExpressionPool::floor_divide_power(Expression a, unsigned bits) {
  if (a == 0 || bits == 0) return a;
  if (bits > 62) return select(less(a, constant(0)), constant(-1), constant(0));
  if (const auto c = constant_value(a)) return constant(*c >> bits);
  if (range(a).within(int32_low, int32_high) && bits >= 31) bits = 32;
  const Interval quotient{range(a).low >> bits, range(a).high >> bits};
  if (quotient.low == quotient.high) return constant(quotient.low);

  const ExpressionNode n = nodes_[a];
  if (n.kind == ExpressionKind::floor_divide) {
    const auto inner = constant_value(n.b);
    const int inner_bits = inner && *inner > 0 ? exact_log2(*inner) : -1;
    if (inner_bits > 0) return floor_divide_power(n.a, bits + static_cast<unsigned>(inner_bits));
    if (!inner && range(n.b).low >= 1) {
      return floor_divide(n.a, scale(n.b, std::int64_t{1} << bits));
    }
  }
  if (n.kind == ExpressionKind::zero_extend) {
    // Expresses the sign bit, and a shifted sign mask, through the sign itself.
    if (bits == 31) return negate(floor_divide_power(sign_extend(n.a), 32));
    if (bits < 32 && range(n.a).within(-1, 0)) {
      return scale(n.a, -((std::int64_t{1} << (32 - bits)) - 1));
    }
  }
  if (const Expression truncated = truncated_division(a, bits); truncated != 0) return truncated;

  std::vector<Term> inside, outside;
  unsigned common = bits;
  for (const Term& t : terms(a)) {
    const unsigned zeros = trailing_zeros(t.coefficient);
    if (zeros >= bits) {
      outside.push_back({t.node, t.coefficient >> bits});
    } else {
      inside.push_back(t);
      common = std::min(common, zeros);
    }
  }
  std::int64_t rest = constant_part(a);
  std::int64_t whole = 0;
  if (bits < 31 || trailing_zeros(rest) >= bits || inside.empty()) {
    whole = rest >> bits;
    rest -= whole * (std::int64_t{1} << bits);
  }
  if (inside.empty()) return sum(std::move(outside), whole);
  if (common == 0 && outside.empty() && whole == 0) {
    return binary(ExpressionKind::floor_divide, a, constant(std::int64_t{1} << bits), quotient);
  }
  for (Term& t : inside) t.coefficient >>= common;
  const Expression smaller = sum(std::move(inside), rest >> common);
  return add(floor_divide_power(smaller, bits - common), sum(std::move(outside), whole));
}

/// Recognises floor((x + (2^bits - 1)*[x < 0]) / 2^bits), compilers' form of x / 2^bits; else 0.
Expression ExpressionPool::truncated_division(Expression a, unsigned bits) {
  if (bits == 0 || bits > 30) return 0;
  const bool extended = kind(a) == ExpressionKind::sign_extend;
  const Expression inner = extended ? nodes_[a].a : a;
  if (kind(inner) != ExpressionKind::sum) return 0;
  const std::int64_t correction = -((std::int64_t{1} << bits) - 1);
  for (const Term& t : terms(inner)) {
    const ExpressionNode n = nodes_[t.node];
    if (t.coefficient != correction || n.kind != ExpressionKind::floor_divide) continue;
    if (constant_value(n.b) != std::int64_t{1} << 32) continue;
    const Expression rest = subtract(inner, scale(t.node, correction));
    if (residue(rest) != residue(n.a)) continue;
    return truncate_divide(n.a, constant(std::int64_t{1} << bits));
  }
  return 0;
}

Expression ExpressionPool::floor_divide(Expression a, Expression b) {
  if (a == 0 || b == 0) return 0;
  const auto divisor = constant_value(b);
  if (!divisor) {
    if (a == b) return constant(1);
    if (const ExpressionNode n = nodes_[a];
        n.kind == ExpressionKind::floor_divide && range(n.b).low >= 1 && range(b).low >= 1) {
      return floor_divide(n.a, multiply(n.b, b));
    }
    Interval r;
    if (range(b).low >= 1) {
      r = {std::min<std::int64_t>(range(a).low, 0), std::max<std::int64_t>(range(a).high, 0)};
    }
    return binary(ExpressionKind::floor_divide, a, b, r);
  }
  if (*divisor == 0) return 0;
  if (*divisor < 0) return floor_divide(negate(a), constant(floor_quotient(*divisor, -1)));
  if (*divisor == 1) return a;
  if (const int bits = exact_log2(*divisor); bits > 0) {
    return floor_divide_power(a, static_cast<unsigned>(bits));
  }
  if (const auto c = constant_value(a)) return constant(floor_quotient(*c, *divisor));
  std::vector<Term> inside, outside;
  for (const Term& t : terms(a)) {
    const bool whole = t.coefficient % *divisor == 0;
    (whole ? outside : inside)
        .push_back({t.node, whole ? t.coefficient / *divisor : t.coefficient});
  }
  const std::int64_t quotient = floor_quotient(constant_part(a), *divisor);
  const Expression rest = sum(std::move(inside), constant_part(a) - quotient * *divisor);
  const Expression whole = sum(std::move(outside), quotient);
  if (const auto c = constant_value(rest)) return offset(whole, floor_quotient(*c, *divisor));
  const Interval r = {floor_quotient(range(rest).low, *divisor),
                      floor_quotient(range(rest).high, *divisor)};
  return add(binary(ExpressionKind::floor_divide, rest, b, r), whole);
}

Expression ExpressionPool::truncate_divide(Expression a, Expression b) {
  if (a == 0 || b == 0) return 0;
  const auto divisor = constant_value(b);
  if (divisor && *divisor > 0 && range(a).low >= 0) return floor_divide(a, b);
  if (divisor && *divisor == 0) return 0;
  if (const auto c = constant_value(a); c && divisor) {
    return constant(truncated_quotient(*c, *divisor));
  }
  Interval r;
  if (divisor && *divisor > 0) {
    r = {truncated_quotient(range(a).low, *divisor), truncated_quotient(range(a).high, *divisor)};
  }
  return binary(ExpressionKind::truncate_divide, a, b, r);
}

/// a & mask as sums and divisions, if the mask is a run of ones; 0 for other masks.
Expression ExpressionPool::select_bits(Expression a, std::int64_t mask) {
  const unsigned low = trailing_zeros(mask);
  const std::int64_t shifted = mask >> low;  // keeps the sign: a run up to the top stays -1
  const Expression upper = floor_divide_power(a, low);
  const std::int64_t unit = low >= 63 ? 0 : std::int64_t{1} << low;
  if (shifted == -1) return scale(upper, unit);
  const int width = exact_log2(static_cast<std::int64_t>(static_cast<std::uint64_t>(shifted) + 1));
  if (width <= 0 || width > 62) return 0;
  const Expression carried = floor_divide_power(upper, static_cast<unsigned>(width));
  return scale(subtract(upper, scale(carried, std::int64_t{1} << width)), unit);
}

Expression ExpressionPool::bit_and(Expression a, Expression b) {
  if (a == 0 || b == 0) return 0;
  if (is_constant(a)) std::swap(a, b);
  if (const auto mask = constant_value(b)) {
    if (const auto c = constant_value(a)) return constant(*c & *mask);
    if (*mask == 0) return b;
    if (*mask == -1) return a;
    if (const Expression bits = select_bits(a, *mask); bits != 0) return bits;
  }
  if (a == b) return a;
  if (a > b) std::swap(a, b);
  Interval r;
  if (range(a).low >= 0) r = {0, range(a).high};
  if (range(b).low >= 0) r = {0, std::min(r.high, range(b).high)};
  return binary(ExpressionKind::bit_and, a, b, r);
}

/// Number of low bits that are zero for all values of the symbols.
unsigned ExpressionPool::known_zeros(Expression a) const {
  unsigned zeros = trailing_zeros(constant_part(a));
  for (const Term& t : terms(a)) zeros = std::min(zeros, trailing_zeros(t.coefficient));
  return zeros;
}

Expression ExpressionPool::bit_or(Expression a, Expression b) {
  if (a == 0 || b == 0) return 0;
  if (const auto x = constant_value(a), y = constant_value(b); x && y) return constant(*x | *y);
  if (constant_value(a) == 0 || a == b) return b;
  if (constant_value(b) == 0) return a;
  for (int swap = 0; swap < 2; ++swap, std::swap(a, b)) {
    const unsigned zeros = std::min(known_zeros(a), 62u);
    if (zeros > 0 && range(b).within(0, (std::int64_t{1} << zeros) - 1)) return add(a, b);
  }
  if (a > b) std::swap(a, b);
  return binary(ExpressionKind::bit_or, a, b, {});
}

Expression ExpressionPool::bit_xor(Expression a, Expression b) {
  if (a == 0 || b == 0) return 0;
  if (const auto x = constant_value(a), y = constant_value(b); x && y) return constant(*x ^ *y);
  if (a == b) return constant(0);
  if (constant_value(a) == 0) return b;
  if (constant_value(b) == 0) return a;
  if (constant_value(a) == -1) return offset(negate(b), -1);
  if (constant_value(b) == -1) return offset(negate(a), -1);
  if (a > b) std::swap(a, b);
  return binary(ExpressionKind::bit_xor, a, b, {});
}

Expression ExpressionPool::minimum(Expression a, Expression b) {
  if (a == 0 || b == 0) return 0;
  if (range(a).high <= range(b).low) return a;
  if (range(b).high <= range(a).low) return b;
  if (const auto d = constant_value(subtract(a, b))) return *d <= 0 ? a : b;
  if (a > b) std::swap(a, b);
  return binary(ExpressionKind::minimum, a, b,
                {std::min(range(a).low, range(b).low), std::min(range(a).high, range(b).high)});
}

Expression ExpressionPool::maximum(Expression a, Expression b) {
  if (a == 0 || b == 0) return 0;
  if (range(a).high <= range(b).low) return b;
  if (range(b).high <= range(a).low) return a;
  if (const auto d = constant_value(subtract(a, b))) return *d >= 0 ? a : b;
  if (a > b) std::swap(a, b);
  return binary(ExpressionKind::maximum, a, b,
                {std::max(range(a).low, range(b).low), std::max(range(a).high, range(b).high)});
}

Expression ExpressionPool::select(Expression condition, Expression yes, Expression no) {
  if (condition == 0 || yes == 0 || no == 0) return 0;
  if (const auto c = constant_value(condition)) return *c != 0 ? yes : no;
  if (yes == no) return yes;
  if (constant_value(yes) == 1 && constant_value(no) == 0) return condition;
  if (constant_value(yes) == 0 && constant_value(no) == 1) return logical_not(condition);
  if (kind(condition) == ExpressionKind::logical_not) {
    return select(nodes_[condition].a, no, yes);
  }
  yes = assume(yes, condition, true);
  no = assume(no, condition, false);
  if (yes == no) return yes;
  ExpressionNode n;
  n.kind = ExpressionKind::select;
  n.a = condition;
  n.b = yes;
  n.c = no;
  n.range = either(range(yes), range(no));
  return intern(n);
}

Expression ExpressionPool::assume(Expression e, Expression condition, bool holds) const {
  if (kind(condition) == ExpressionKind::logical_not) {
    condition = nodes_[condition].a;
    holds = !holds;
  }
  while (kind(e) == ExpressionKind::select && nodes_[e].a == condition && condition != 0) {
    e = holds ? nodes_[e].b : nodes_[e].c;
  }
  return e;
}

Expression ExpressionPool::power_of_two(Expression a) {
  if (const auto c = constant_value(a); c && *c >= 0 && *c <= max_power) {
    return constant(std::int64_t{1} << *c);
  }
  return unary(ExpressionKind::power_of_two, a, {1, std::int64_t{1} << max_power});
}

Expression ExpressionPool::floor_log2(Expression a) {
  if (const auto c = constant_value(a)) {
    if (*c <= 0) return constant(-1);
    return constant(63 - std::countl_zero(static_cast<std::uint64_t>(*c)));
  }
  const Interval r{range(a).low >= 1 ? 0 : -1, 62};
  return unary(ExpressionKind::floor_log2, a, r);
}

Expression ExpressionPool::half_product(Expression a, Expression b) {
  constexpr std::int64_t half = 0xffff;
  if (range(a).within(0, half) && range(b).within(0, half)) return multiply(a, b);
  if (a > b) std::swap(a, b);
  return binary(ExpressionKind::half_product, a, b, {0, half * half});
}

Expression ExpressionPool::half_merge(Expression a, Expression b) {
  return binary(ExpressionKind::half_merge, a, b, {0, std::numeric_limits<std::uint32_t>::max()});
}

Expression ExpressionPool::equal(Expression a, Expression b) {
  if (a == 0 || b == 0) return 0;
  if (const auto d = constant_value(subtract(a, b))) return constant(*d == 0);
  if (range(a).high < range(b).low || range(b).high < range(a).low) return constant(0);
  if (a > b) std::swap(a, b);
  return binary(ExpressionKind::equal, a, b, truth);
}

Expression ExpressionPool::less(Expression a, Expression b) {
  if (a == 0 || b == 0) return 0;
  if (range(a).high < range(b).low) return constant(1);
  if (range(a).low >= range(b).high) return constant(0);
  if (const auto d = constant_value(subtract(a, b))) return constant(*d < 0);
  return binary(ExpressionKind::less, a, b, truth);
}

Expression ExpressionPool::less_unsigned(Expression a, Expression b) {
  if (a == 0 || b == 0) return 0;
  if (range(a).low >= 0 && range(b).low >= 0) return less(a, b);
  if (a == b) return constant(0);
  if (const auto x = constant_value(a), y = constant_value(b); x && y) {
    return constant(static_cast<std::uint64_t>(*x) < static_cast<std::uint64_t>(*y));
  }
  return binary(ExpressionKind::less_unsigned, a, b, truth);
}

Expression ExpressionPool::logical_and(Expression a, Expression b) {
  if (a == 0 || b == 0) return 0;
  if (const auto c = constant_value(a)) return *c != 0 ? b : a;
  if (const auto c = constant_value(b)) return *c != 0 ? a : b;
  if (a == b) return a;
  if (a > b) std::swap(a, b);
  return binary(ExpressionKind::logical_and, a, b, truth);
}

Expression ExpressionPool::logical_or(Expression a, Expression b) {
  if (a == 0 || b == 0) return 0;
  if (const auto c = constant_value(a)) return *c != 0 ? a : b;
  if (const auto c = constant_value(b)) return *c != 0 ? b : a;
  if (a == b) return a;
  if (a > b) std::swap(a, b);
  return binary(ExpressionKind::logical_or, a, b, truth);
}

Expression ExpressionPool::logical_not(Expression a) {
  if (a == 0) return 0;
  if (const auto c = constant_value(a)) return constant(*c == 0);
  if (kind(a) == ExpressionKind::logical_not) return nodes_[a].a;
  return unary(ExpressionKind::logical_not, a, truth);
}

Expression ExpressionPool::remake(ExpressionKind kind, Expression a, Expression b, Expression c) {
  switch (kind) {
    case ExpressionKind::sign_extend:
      return sign_extend(a);
    case ExpressionKind::zero_extend:
      return zero_extend(a);
    case ExpressionKind::floor_divide:
      return floor_divide(a, b);
    case ExpressionKind::truncate_divide:
      return truncate_divide(a, b);
    case ExpressionKind::bit_and:
      return bit_and(a, b);
    case ExpressionKind::bit_or:
      return bit_or(a, b);
    case ExpressionKind::bit_xor:
      return bit_xor(a, b);
    case ExpressionKind::minimum:
      return minimum(a, b);
    case ExpressionKind::maximum:
      return maximum(a, b);
    case ExpressionKind::select:
      return select(a, b, c);
    case ExpressionKind::equal:
      return equal(a, b);
    case ExpressionKind::less:
      return less(a, b);
    case ExpressionKind::less_unsigned:
      return less_unsigned(a, b);
    case ExpressionKind::logical_and:
      return logical_and(a, b);
    case ExpressionKind::logical_or:
      return logical_or(a, b);
    case ExpressionKind::logical_not:
      return logical_not(a);
    case ExpressionKind::power_of_two:
      return power_of_two(a);
    case ExpressionKind::floor_log2:
      return floor_log2(a);
    case ExpressionKind::half_product:
      return half_product(a, b);
    case ExpressionKind::half_merge:
      return half_merge(a, b);
    default:
      return 0;
  }
}

}  // namespace forewarp::analysis
