// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Shifts, logic, bytes.
#include <array>
#include <bit>
#include <cmath>

#include "analysis/semantics.h"
#include "program/modifier.h"

namespace forewarp::analysis {

void Semantics::shift_left() {
  if (operand_total() < 3) return give_up();
  auto bits = pool_.constant_value(source(2));
  if (bits && has(modifier::w)) bits = *bits & 31;  // .W wraps the amount, without it is clamped
  if (!bits || *bits < 0 || has(modifier::x)) return give_up();
  set(0, *bits > 31 ? pool_.constant(0) : pool_.scale(source(1), std::int64_t{1} << *bits));
}

void Semantics::shift_right() {
  if (operand_total() < 3) return give_up();
  auto bits = pool_.constant_value(source(2));
  if (bits && has(modifier::w)) bits = *bits & 31;
  if (!bits || *bits < 0 || *bits > 31 || has(modifier::x)) return give_up();
  set(0, pool_.shift_right(extended(source(1), has(modifier::u32)), static_cast<unsigned>(*bits)));
}

/// SHF d, low, bits, high shifts high:low. A left shift yields the high word (before sm_70, or with
/// .HI), else the low one; a right shift the low word, or with .HI the shifted high word.
void Semantics::funnel_shift() {
  if (operand_total() < 4) return give_up();
  const auto amount = pool_.constant_value(source(2));
  if (!amount || *amount < 0 || *amount > 31) return give_up();
  const auto bits = static_cast<unsigned>(*amount);
  const Expression low = source(1), high = source(3);
  const bool is_signed = has(modifier::s32) || has(modifier::s64);
  if (has(modifier::l)) {
    const bool upper = kernel_.sm < 70 || has(modifier::hi);
    const Expression shifted =
        pool_.scale(upper ? pool_.join(low, high) : low, std::int64_t{1} << bits);
    return set(0, upper ? pool_.high_word(shifted) : shifted);
  }
  if (!has(modifier::r)) return give_up();
  if (has(modifier::hi)) return set(0, pool_.shift_right(extended(high, !is_signed), bits));
  set(0, pool_.shift_right(pool_.join(low, is_signed ? pool_.sign_extend(high) : high), bits));
}

/// BFE d, a, (length << 8) | position.
void Semantics::bit_field() {
  if (operand_total() < 3) return give_up();
  const auto field = pool_.constant_value(source(2));
  if (!field || !has(modifier::u32) || has(modifier::brev)) return give_up();
  const auto position = static_cast<unsigned>(*field & 0xff);
  const auto length = static_cast<unsigned>((*field >> 8) & 0xff);
  if (position > 31 || length > 31) return give_up();
  const Expression shifted = pool_.shift_right(pool_.zero_extend(source(1)), position);
  set(0, pool_.bit_and(shifted, pool_.constant((std::int64_t{1} << length) - 1)));
}

void Semantics::logic() {
  const std::size_t results = leading_predicates(0);
  if (operand_total() < results + 3) return give_up();
  const Expression a = source(results + 1), b = source(results + 2);
  Expression value = 0;
  if (has(modifier::and_))
    value = pool_.bit_and(a, b);
  else if (has(modifier::or_))
    value = pool_.bit_or(a, b);
  else if (has(modifier::xor_))
    value = pool_.bit_xor(a, b);
  else if (has(modifier::pass_b))
    value = b;
  else
    return give_up();
  if (has(modifier::x) || operand(results).writes_cc) return give_up();
  const Expression nonzero =
      pool_.logical_not(pool_.equal(pool_.zero_extend(value), pool_.constant(0)));
  if (results > 0 && !has(modifier::nz)) return give_up();
  set(results, value);
  if (results > 0) set_truth(0, nonzero);
}

void Semantics::logic3() {
  const std::size_t results = leading_predicates(0);
  if (operand_total() < results + 5) return give_up();
  const auto lut = pool_.constant_value(source(results + 4));
  if (!lut) return give_up();
  const Expression value = lut3(static_cast<std::uint32_t>(*lut) & 0xffU, source(results + 1),
                                source(results + 2), source(results + 3), false);
  if (value == 0) return give_up();
  set(results, value);
  if (results == 0) return;
  // The result is combined with the incoming predicate (usually !PT): by AND for .PAND, else by OR.
  Expression truth = pool_.logical_not(pool_.equal(pool_.zero_extend(value), pool_.constant(0)));
  if (is_predicate(results + 5)) {
    const bool both = kernel_.text_of(instruction_).find(".PAND") != std::string_view::npos;
    const Expression other = predicate_value(results + 5);
    truth = both ? pool_.logical_and(truth, other) : pool_.logical_or(truth, other);
  }
  set_truth(0, truth);
}

namespace {

/// The operations from which look-up tables are rebuilt, on words or on truth values.
struct Logic {
  ExpressionPool& pool;
  bool logical;
  Expression all() { return pool.constant(logical ? 1 : -1); }
  Expression both(Expression a, Expression b) {
    return logical ? pool.logical_and(a, b) : pool.bit_and(a, b);
  }
  Expression any(Expression a, Expression b) {
    return logical ? pool.logical_or(a, b) : pool.bit_or(a, b);
  }
  Expression inverse(Expression a) {
    return logical ? pool.logical_not(a) : pool.offset(pool.negate(a), -1);
  }
  Expression differ(Expression a, Expression b) {
    if (logical) return any(both(a, inverse(b)), both(inverse(a), b));
    return pool.bit_xor(a, b);
  }
};

/// Bit 2*x + y of the table is f(x, y).
Expression lut2(Logic& logic, unsigned table, Expression x, Expression y) {
  switch (table & 15U) {
    case 0:
      return logic.pool.constant(0);
    case 1:
      return logic.inverse(logic.any(x, y));
    case 2:
      return logic.both(logic.inverse(x), y);
    case 3:
      return logic.inverse(x);
    case 4:
      return logic.both(x, logic.inverse(y));
    case 5:
      return logic.inverse(y);
    case 6:
      return logic.differ(x, y);
    case 7:
      return logic.inverse(logic.both(x, y));
    case 8:
      return logic.both(x, y);
    case 9:
      return logic.inverse(logic.differ(x, y));
    case 10:
      return y;
    case 11:
      return logic.any(logic.inverse(x), y);
    case 12:
      return x;
    case 13:
      return logic.any(x, logic.inverse(y));
    case 14:
      return logic.any(x, y);
    default:
      return logic.all();
  }
}

}  // namespace

/// Bit 4*a + 2*b + c of `lut` is f(a, b, c). 0 if the expression would be too complex to be useful.
Expression Semantics::lut3(std::uint32_t lut, Expression a, Expression b, Expression c,
                           bool logical) {
  Logic logic{pool_, logical};
  const auto pick = [lut](std::array<unsigned, 4> bits) {
    unsigned table = 0;
    for (unsigned i = 0; i < 4; ++i) table |= ((lut >> bits[i]) & 1U) << i;
    return table;
  };
  const unsigned a0 = lut & 15U, a1 = lut >> 4;
  const unsigned b0 = pick({0, 1, 4, 5}), b1 = pick({2, 3, 6, 7});
  const unsigned c0 = pick({0, 2, 4, 6}), c1 = pick({1, 3, 5, 7});
  const auto is = [this](Expression e, std::int64_t value) {
    return pool_.constant_value(e) == value;
  };
  const std::int64_t ones = logical ? 1 : -1;
  if (a0 == a1 || is(a, 0)) return lut2(logic, a0, b, c);
  if (is(a, ones)) return lut2(logic, a1, b, c);
  if (b0 == b1 || is(b, 0)) return lut2(logic, b0, a, c);
  if (is(b, ones)) return lut2(logic, b1, a, c);
  if (c0 == c1 || is(c, 0)) return lut2(logic, c0, a, b);
  if (is(c, ones)) return lut2(logic, c1, a, b);
  if (lut == 0x96) return logic.differ(logic.differ(a, b), c);
  // f = (a and f1) or (not a and f0), for the first input that makes one side trivial.
  if (a0 == 0) return logic.both(a, lut2(logic, a1, b, c));
  if (a1 == 15) return logic.any(a, lut2(logic, a0, b, c));
  if (b0 == 0) return logic.both(b, lut2(logic, b1, a, c));
  if (b1 == 15) return logic.any(b, lut2(logic, b0, a, c));
  if (c0 == 0) return logic.both(c, lut2(logic, c1, a, b));
  if (c1 == 15) return logic.any(c, lut2(logic, c0, a, b));
  return logic.any(logic.both(a, lut2(logic, a1, b, c)),
                   logic.both(logic.inverse(a), lut2(logic, a0, b, c)));
}

/// PRMT d, a, selector, c: byte n of the result is byte (selector >> 4n) & 7 of c:a.
void Semantics::permute() {
  if (operand_total() < 4 || instruction_.modifier_count > 0) return give_up();
  const auto selector = pool_.constant_value(source(2));
  if (!selector) return give_up();
  const std::array<Expression, 2> words{pool_.zero_extend(source(1)), pool_.zero_extend(source(3))};
  Expression result = pool_.constant(0);
  for (unsigned n = 0; n < 4;) {
    const auto first = static_cast<unsigned>(*selector >> (4 * n)) & 15U;
    if (first > 7) return give_up();  // replicates a byte's sign
    unsigned length = 1;
    while (n + length < 4 && first % 4 + length < 4 &&
           (static_cast<unsigned>(*selector >> (4 * (n + length))) & 15U) == first + length) {
      ++length;
    }
    Expression bytes = pool_.shift_right(words[first / 4], 8 * (first % 4));
    if (n + length < 4) {
      bytes = pool_.bit_and(bytes, pool_.constant((std::int64_t{1} << (8 * length)) - 1));
    }
    result = pool_.add(result, pool_.scale(bytes, std::int64_t{1} << (8 * n)));
    n += length;
  }
  set(0, result);
}

namespace {

/// The bits of an fp16 number from its decimal form in a listing.
std::int64_t half_bits(double value) {
  const std::int64_t sign = std::signbit(value) ? 0x8000 : 0;
  const double magnitude = std::fabs(value);
  if (std::isnan(value)) return sign | 0x7fff;
  if (magnitude >= 65520) return sign | 0x7c00;
  if (magnitude < std::ldexp(1.0, -14)) return sign | std::llround(std::ldexp(magnitude, 24));
  const int exponent = std::ilogb(magnitude);
  return sign | ((exponent + 14) * 1024 + std::llround(std::ldexp(magnitude, 10 - exponent)));
}

}  // namespace

/// HFMA2 d, -RZ, RZ, x, y loads a 32-bit constant, with x in its high half.
void Semantics::packed_halves() {
  if (operand_total() < 5 || !operand(1).is_zero_register() || !operand(2).is_zero_register() ||
      has(modifier::bf16_v2)) {
    return give_up();
  }
  std::int64_t packed = 0;
  for (std::size_t i = 3; i <= 4; ++i) {
    const Operand& o = operand(i);
    if (o.kind != OperandKind::floating) return give_up();
    packed = (packed << 16) | half_bits(std::bit_cast<double>(o.value));
  }
  set(0, pool_.constant(packed));
}

}  // namespace forewarp::analysis
