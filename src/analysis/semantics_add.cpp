// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Sums and their carries. The carry out of a + b is floor((U(a) + U(b)) / 2^32), where U reads a
// word as unsigned. Subtracting b adds one, as hardware adds ~b + 1.
#include "analysis/semantics.h"
#include "program/modifier.h"

namespace forewarp::analysis {
namespace {

constexpr std::int64_t word = std::int64_t{1} << 32;

}  // namespace

void Semantics::add() {
  if (operand_total() < 3) return give_up();
  const bool subtracts = opcode_info(instruction_.opcode).mnemonic == "ISUB";
  const bool extends = has(modifier::x);
  Expression exact = pool_.constant(0);
  for (std::size_t i = 1; i <= 2; ++i) {
    const Operand& o = operand(i);
    const bool negative = o.negate != (subtracts && i == 2);
    Expression value = pool_.residue(plain_value(o, false));
    if (o.invert || (negative && extends)) {
      value = pool_.offset(pool_.negate(value), -1);
    }
    value = pool_.zero_extend(value);
    // Hardware adds ~x + 1, which is the integer 2^32 - U(x).
    exact = negative && !extends ? pool_.offset(pool_.subtract(exact, value), word)
                                 : pool_.add(exact, value);
  }
  if (extends) exact = pool_.add(exact, condition_code_carry());
  set(0, exact);
  if (operand(0).writes_cc) set_condition_code(exact);
}

void Semantics::add3() {
  if (has(modifier::rs) || operand_total() < 3 || by_halves()) return give_up();
  if (has(modifier::n64)) {
    if (operand_total() < 4) return give_up();
    return set_pair(0, pool_.add(pool_.add(wide_source(1), wide_source(2)), wide_source(3)));
  }
  const std::size_t carries_out = leading_predicates(1);
  const std::size_t first = 1 + carries_out;
  Expression exact = pool_.constant(0);
  int negated = 0;
  std::size_t i = first;
  for (; i < operand_total() && i < first + 3 && !is_predicate(i); ++i) {
    exact = pool_.add(exact, carry_addend(i, negated));
  }
  if (has(modifier::x)) {
    const bool by_predicate = is_predicate(i);
    for (; is_predicate(i); ++i) exact = pool_.add(exact, predicate_value(i));
    if (!by_predicate) exact = pool_.add(exact, condition_code_carry());
  }
  exact = pool_.offset(exact, negated * word);
  set(0, exact);
  // Three words carry 0, 1 or 2: the second predicate says that it is 2.
  const Expression carries = pool_.high_word(exact);
  const Expression twice = carries_out > 1 ? pool_.shift_right(carries, 1) : pool_.constant(0);
  if (carries_out > 0) set_truth(1, pool_.subtract(carries, twice));
  for (std::size_t p = 2; p < first; ++p) set_truth(p, twice);
  if (operand(0).writes_cc) set_condition_code(exact);
}

/// a << shift as it enters a sum with a carry: of a negated one the shifted word is negated, so
/// that -0 carries.
Expression Semantics::scaled_addend(std::size_t i, std::int64_t factor, int& negated) {
  const Operand& o = operand(i);
  const Expression plain = o.negate ? plain_value(o, false) : source(i);
  const Expression value = pool_.zero_extend(pool_.residue(pool_.scale(plain, factor)));
  if (!o.negate) return value;
  ++negated;
  return pool_.negate(value);
}

void Semantics::scaled_add() {
  if (operand_total() < 4) return give_up();
  const auto bits = pool_.constant_value(source(3));
  if (!bits || *bits < 0 || *bits > 31) return give_up();
  int negated = 0;
  const Expression scaled = scaled_addend(1, std::int64_t{1} << *bits, negated);
  Expression exact = pool_.add(scaled, carry_addend(2, negated));
  exact = pool_.offset(exact, negated * word);
  if (has(modifier::x)) exact = pool_.add(exact, condition_code_carry());
  set(0, exact);
  if (operand(0).writes_cc) set_condition_code(exact);
}

/// LEA d[, carry], a, b, shift: (a << shift) + b. LEA.HI d, a, b, c, shift: the high word of
/// c:a << shift, plus b; .SX32 takes the sign of a for c.
void Semantics::load_effective() {
  const std::size_t carries_out = leading_predicates(1);
  const std::size_t first = 1 + carries_out;
  std::size_t last = operand_total();
  while (last > first && is_predicate(last - 1)) --last;
  if (last < first + 3) return give_up();
  const auto bits = pool_.constant_value(source(last - 1));
  if (!bits || *bits < 0 || *bits > 31) return give_up();
  const std::int64_t factor = std::int64_t{1} << *bits;
  const bool high = has(modifier::hi);
  int negated = 0;
  Expression scaled = 0;
  if (high) {
    const bool by_sign = has(modifier::sx32) || last < first + 4;
    scaled = source(first);
    scaled = by_sign ? pool_.sign_extend(scaled) : pool_.join(scaled, source(first + 2));
    scaled = pool_.zero_extend(pool_.residue(pool_.high_word(pool_.scale(scaled, factor))));
  } else {
    scaled = scaled_addend(first, factor, negated);
  }
  Expression exact = pool_.add(scaled, carry_addend(first + 1, negated));
  exact = pool_.offset(exact, negated * word);
  if (has(modifier::x)) {
    exact =
        pool_.add(exact, last < operand_total() ? predicate_value(last) : condition_code_carry());
  }
  set(0, exact);
  if (carries_out > 0) set_truth(1, pool_.high_word(exact));
  if (operand(0).writes_cc) set_condition_code(exact);
}

void Semantics::multiply_add() {
  if (kernel_.sm < 70) return multiply_add_old();
  if (operand_total() < 4 || is_predicate(1)) return give_up();
  const bool is_unsigned = has(modifier::u32);
  if (has(modifier::wide) || has(modifier::hi)) {
    const Expression product =
        pool_.multiply(extended(source(1), is_unsigned), extended(source(2), is_unsigned));
    Expression exact = pool_.add(product, wide_source(3));
    if (has(modifier::x)) {
      if (!has(modifier::wide) || !is_predicate(4)) return give_up();
      exact = pool_.add(exact, predicate_value(4));
    }
    if (has(modifier::wide)) return set_pair(0, exact);
    return set(0, pool_.high_word(exact));
  }
  Expression exact = pool_.add(pool_.multiply(source(1), source(2)), source(3));
  if (has(modifier::x) && is_predicate(4)) exact = pool_.add(exact, predicate_value(4));
  set(0, exact);
}

/// IMAD on sm_35: .HI takes the high word of the product, .X adds the carry, .CC writes it.
void Semantics::multiply_add_old() {
  if (operand_total() < 4) return give_up();
  const bool is_unsigned = has(modifier::u32);
  Expression product = 0;
  if (has(modifier::hi)) {
    product = pool_.high_word(
        pool_.multiply(extended(source(1), is_unsigned), extended(source(2), is_unsigned)));
  } else {
    product = pool_.multiply(source(1), source(2));
  }
  Expression exact =
      pool_.add(pool_.zero_extend(pool_.residue(product)), pool_.zero_extend(source(3)));
  if (has(modifier::x)) exact = pool_.add(exact, condition_code_carry());
  set(0, exact);
  if (operand(0).writes_cc) set_condition_code(exact);
}

void Semantics::multiply() {
  if (operand_total() < 3) return give_up();
  const bool is_unsigned = has(modifier::u32);
  if (!has(modifier::hi)) return set(0, pool_.multiply(source(1), source(2)));
  set(0, pool_.high_word(
             pool_.multiply(extended(source(1), is_unsigned), extended(source(2), is_unsigned))));
}

/// 16-bit multiplications (XMAD). Compilers write a*b + c as MRG, plain and PSL.CBCC, using
/// a*b = lo(a)*lo(b) + 2^16*(hi(a)*lo(b) + lo(a)*hi(b)) modulo 2^32.
void Semantics::half_multiply() {
  if (operand_total() < 4 || has(modifier::chi) || has(modifier::clo) || has(modifier::csfu) ||
      has(modifier::s16) || has(modifier::x)) {
    return give_up();
  }
  const auto whole = [this](std::size_t i) {
    Operand o = operand(i);
    o.part = Part::whole;
    return pool_.residue(plain_value(o, false));
  };
  const bool a_high = operand(1).part == Part::h1, b_high = operand(2).part == Part::h1;
  const Expression a = whole(1), b = whole(2), c = source(3);
  const bool shifted = has(modifier::psl);
  if (has(modifier::mrg)) {
    if (shifted || a_high || !b_high || pool_.constant_value(c) != 0) return give_up();
    return set(0, pool_.half_merge(a, b));
  }
  if (shifted && a_high) {
    Expression factor = b;
    if (has(modifier::cbcc)) {
      const ExpressionNode merged = pool_.node(b);
      if (!b_high || merged.kind != ExpressionKind::half_merge || merged.a != a) return give_up();
      factor = merged.b;
    } else if (b_high || !pool_.range(b).within(0, 0xffff)) {
      return give_up();
    }
    const Expression rest =
        pool_.subtract(pool_.multiply(a, factor), pool_.half_product(a, factor));
    return set(0, pool_.add(c, rest));
  }
  if (has(modifier::cbcc)) return give_up();
  const auto half = [this](Expression value, bool high) {
    return high ? pool_.shift_right(pool_.zero_extend(value), 16) : value;
  };
  const Expression product = pool_.half_product(half(a, a_high), half(b, b_high));
  set(0, pool_.add(shifted ? pool_.scale(product, 1 << 16) : product, c));
}

}  // namespace forewarp::analysis
