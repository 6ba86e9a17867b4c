// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/expression.h"

#include <random>
#include <utility>

#include <gtest/gtest.h>

#include "analysis/compiled_expression.h"
#include "analysis/expression_text.h"

namespace forewarp::tests {
namespace {

/// Parameters n, a (int) at 0 and 4, p (pointer) at 8.
class ExpressionTest : public ::testing::Test {
 protected:
  ExpressionTest() {
    kernel.parameters = {
        {"n", "int", 0, 4, false}, {"", "int", 4, 4, false}, {"p", "float*", 8, 8, true}};
  }
  std::string text(Expression e) { return expression_text(kernel, pool, e); }
  std::optional<std::int64_t> value(Expression e, std::int32_t n_value, std::int32_t a_value = 0) {
    std::vector<std::uint8_t> bytes(16, 0);
    for (unsigned i = 0; i < 4; ++i) {
      bytes[i] = static_cast<std::uint8_t>(n_value >> (8 * i));
      bytes[4 + i] = static_cast<std::uint8_t>(a_value >> (8 * i));
    }
    Binding binding;
    binding.parameter_bytes = bytes;
    binding.block = {256, 2, 1};
    binding.thread = {7, 1, 0};
    return CompiledExpression(pool, e).evaluate(binding);
  }

  Kernel kernel;
  ExpressionPool pool;
  Expression n = pool.parameter(0, 4, true);
  Expression a = pool.parameter(4, 4, true);
  Expression p = pool.parameter(8, 8, true);
  Expression tid = pool.launch(LaunchSymbol::thread_x);
  Expression c(std::int64_t v) { return pool.constant(v); }
};

TEST_F(ExpressionTest, EqualSumsAreOneNode) {
  const Expression left = pool.add(pool.multiply(pool.offset(a, 1), c(24)), c(918));
  const Expression right = pool.add(c(942), pool.scale(a, 24));
  EXPECT_EQ(left, right);
  EXPECT_EQ(pool.subtract(left, right), c(0));
  EXPECT_EQ(pool.multiply(pool.add(n, a), pool.subtract(n, a)),
            pool.subtract(pool.multiply(n, n), pool.multiply(a, a)));
}

TEST_F(ExpressionTest, PrintsAsOneWouldWriteIt) {
  EXPECT_EQ(text(pool.offset(n, -1)), "n - 1");
  EXPECT_EQ(text(pool.scale(a, 24)), "24*arg1");
  EXPECT_EQ(text(pool.maximum(n, c(1))), "max(1, n)");
  EXPECT_EQ(text(pool.floor_divide(pool.offset(n, 255), c(256))), "(n + 255)/256");
  EXPECT_EQ(text(pool.bit_and(n, c(3))), "n % 4");
  EXPECT_EQ(text(pool.subtract(c(5), n)), "5 - n");
  EXPECT_EQ(text(pool.scale(pool.floor_divide(n, c(4)), 4)), "4*(n/4)");
  EXPECT_EQ(text(pool.logical_not(pool.less(n, a))), "n >= arg1");
  EXPECT_EQ(text(pool.logical_not(pool.equal(n, c(0)))), "n != 0");
  EXPECT_EQ(text(pool.multiply(pool.launch(LaunchSymbol::block_x), n)), "blockDim.x*n");
  EXPECT_EQ(text(c(-7)), "-7");
}

TEST_F(ExpressionTest, ResiduesDropExtensionsAndWrapCoefficients) {
  const Expression wide = pool.add(pool.sign_extend(pool.offset(n, 5)), c(0x100000000));
  EXPECT_EQ(pool.residue(wide), pool.offset(n, 5));
  EXPECT_EQ(pool.residue(pool.scale(n, 0x100000001)), n);
  EXPECT_EQ(pool.residue(c(0xffffffff)), c(-1));
}

TEST_F(ExpressionTest, ExtensionsVanishWhereTheRangeAllows) {
  EXPECT_EQ(pool.sign_extend(n), n);
  EXPECT_EQ(pool.zero_extend(tid), tid);
  EXPECT_NE(pool.zero_extend(n), n);
  EXPECT_EQ(pool.kind(pool.sign_extend(pool.offset(n, 1))), ExpressionKind::sign_extend);
}

TEST_F(ExpressionTest, WordsOfAPairJoinAgain) {
  EXPECT_EQ(pool.join(pool.residue(p), pool.high_word(p)), p);
  const Expression index = pool.multiply(pool.sign_extend(pool.add(n, tid)), c(4));
  const Expression sum = pool.add(index, p);
  EXPECT_EQ(pool.join(pool.residue(sum), pool.residue(pool.high_word(sum))), sum);
}

// lo = p.lo + 4*i with carry, hi = p.hi + sign(4*i) + carry is p + 4*i.
TEST_F(ExpressionTest, ACarryChainIsA64BitSum) {
  const Expression i = pool.offset(n, 9);
  const Expression low_part = pool.residue(pool.scale(i, 4));
  const Expression exact = pool.add(pool.zero_extend(low_part), pool.zero_extend(pool.residue(p)));
  const Expression low = pool.residue(exact);
  const Expression high =
      pool.add(pool.add(pool.shift_right(pool.sign_extend(i), 30), pool.high_word(p)),
               pool.high_word(exact));
  EXPECT_EQ(pool.join(low, pool.residue(high)), pool.add(pool.scale(pool.sign_extend(i), 4), p));
}

TEST_F(ExpressionTest, TwoParameterWordsAreOneLongParameter) {
  const Expression low = pool.parameter(16, 4, true), high = pool.parameter(20, 4, true);
  EXPECT_EQ(pool.join(low, high), pool.parameter(16, 8, true));
}

TEST_F(ExpressionTest, DivisionRoundsTowardsMinusInfinity) {
  const Expression q = pool.floor_divide(pool.offset(n, -1), c(4));
  EXPECT_EQ(value(q, 8), 1);
  EXPECT_EQ(value(q, 9), 2);
  EXPECT_EQ(value(q, 0), -1);
  EXPECT_EQ(value(pool.floor_divide(n, c(-3)), 7), -3);
  EXPECT_EQ(value(pool.truncate_divide(n, c(4)), -7), -1);
  EXPECT_EQ(value(pool.floor_divide(n, a), 7, 0), std::nullopt);
}

// x/2 as compilers write it for signed x: (x + (x < 0)) >> 1.
TEST_F(ExpressionTest, RecognisesSignedDivisionByAPowerOfTwo) {
  const Expression sign = pool.residue(pool.shift_right(pool.sign_extend(n), 31));
  const Expression rounded = pool.add(n, pool.shift_right(pool.zero_extend(sign), 28));
  const Expression q = pool.shift_right(pool.sign_extend(pool.residue(rounded)), 4);
  EXPECT_EQ(q, pool.truncate_divide(n, c(16)));
  EXPECT_EQ(value(q, -17), -1);
  EXPECT_EQ(value(q, 33), 2);
}

TEST_F(ExpressionTest, RemaindersHaveTheirRange) {
  const Expression r = pool.bit_and(pool.offset(n, 3), c(7));
  EXPECT_EQ(pool.range(r).low, 0);
  EXPECT_EQ(pool.range(r).high, 7);
  EXPECT_EQ(value(r, -4), 7);
  EXPECT_EQ(pool.floor_divide(pool.subtract(n, pool.bit_and(n, c(3))), c(4)),
            pool.floor_divide(n, c(4)));
}

// x in 0 .. 7, y in 2 .. 5: the smaller in 0 .. 5, the larger in 2 .. 7, whichever stands first.
TEST_F(ExpressionTest, TheSmallerAndTheLargerHaveTheirRanges) {
  const Expression x = pool.bit_and(n, c(7));
  const Expression y = pool.offset(pool.bit_and(a, c(3)), 2);
  for (const auto& [one, other] : {std::pair(x, y), std::pair(y, x)}) {
    EXPECT_EQ(pool.range(pool.minimum(one, other)).low, 0);
    EXPECT_EQ(pool.range(pool.minimum(one, other)).high, 5);
    EXPECT_EQ(pool.range(pool.maximum(one, other)).low, 2);
    EXPECT_EQ(pool.range(pool.maximum(one, other)).high, 7);
  }
}

// The same with the wider one second by its place in the pool.
TEST_F(ExpressionTest, TheSmallerOfALaterWiderOneHasItsRange) {
  const Expression y = pool.offset(pool.bit_and(a, c(3)), 2);
  const Expression x = pool.bit_and(n, c(7));
  EXPECT_EQ(pool.range(pool.minimum(x, y)).high, 5);
  EXPECT_EQ(pool.range(pool.maximum(x, y)).low, 2);
}

TEST_F(ExpressionTest, DisjointBitsAdd) {
  EXPECT_EQ(pool.bit_or(pool.scale(n, 16), pool.bit_and(a, c(15))),
            pool.add(pool.scale(n, 16), pool.bit_and(a, c(15))));
  EXPECT_EQ(pool.kind(pool.bit_or(pool.scale(n, 8), pool.bit_and(a, c(15)))),
            ExpressionKind::bit_or);
}

TEST_F(ExpressionTest, UnknownPartsMakeAResultUnknownUnlessItIsDecidedWithoutThem) {
  const Expression u = pool.unknown(UnknownReason::load, 3, 1);
  EXPECT_EQ(value(pool.add(u, n), 1), std::nullopt);
  const Expression load = pool.less(u, n), no = pool.less(n, c(0));
  EXPECT_EQ(value(pool.logical_and(load, no), 5), 0);
  EXPECT_EQ(value(pool.logical_or(load, pool.logical_not(no)), 5), 1);
  EXPECT_EQ(value(pool.logical_or(load, no), 5), std::nullopt);
  EXPECT_EQ(value(pool.select(no, u, a), 5, 42), 42);
}

TEST_F(ExpressionTest, MissingArgumentsAreNotZero) {
  EXPECT_EQ(CompiledExpression(pool, n).evaluate(Binding{}), std::nullopt);
  const std::vector<std::uint8_t> bytes(16, 1);
  std::vector<std::uint8_t> known(16, 1);
  known[2] = 0;
  Binding binding;
  binding.parameter_bytes = bytes;
  binding.parameter_known = known;
  EXPECT_EQ(CompiledExpression(pool, n).evaluate(binding), std::nullopt);
  EXPECT_EQ(CompiledExpression(pool, a).evaluate(binding), 0x01010101);
}

TEST_F(ExpressionTest, WhatGrowsTooLargeBecomesOneUnknown) {
  Expression e = n;
  for (int i = 0; i < 200; ++i) e = pool.bit_xor(pool.floor_divide(e, c(3)), pool.offset(e, i));
  EXPECT_EQ(e, 0U);
  EXPECT_EQ(pool.equal(e, e), 0U);  // two of them need not be equal
  EXPECT_EQ(pool.subtract(e, e), 0U);
}

// Whatever is built, the normal form evaluates to what the operations give one by one.
TEST_F(ExpressionTest, NormalFormKeepsTheValue) {
  std::mt19937 random(7);
  const auto pick = [&random](std::size_t limit) { return random() % limit; };
  for (int round = 0; round < 400; ++round) {
    const auto n_value = static_cast<std::int32_t>(pick(2000)) - 1000;
    const auto a_value = static_cast<std::int32_t>(pick(2000)) - 1000;
    std::vector<std::pair<Expression, std::int64_t>> made{{n, n_value}, {a, a_value}, {tid, 7},
                                                          {c(3), 3},    {c(-5), -5},  {c(64), 64}};
    for (int step = 0; step < 14; ++step) {
      const auto [x, vx] = made[pick(made.size())];
      const auto [y, vy] = made[pick(made.size())];
      const unsigned bits = 1 + static_cast<unsigned>(pick(6));
      std::pair<Expression, std::int64_t> next;
      switch (pick(12)) {
        case 0:
          next = {pool.add(x, y), vx + vy};
          break;
        case 1:
          next = {pool.subtract(x, y), vx - vy};
          break;
        case 2:
          next = {pool.scale(x, static_cast<std::int64_t>(bits)), vx * bits};
          break;
        case 3:
          next = {pool.shift_right(x, bits), vx >> bits};
          break;
        case 4:
          next = {pool.bit_and(x, c((1 << bits) - 1)), vx & ((1 << bits) - 1)};
          break;
        case 5:
          next = {pool.bit_and(x, c(-(1 << bits))), vx & -(1 << bits)};
          break;
        case 6:
          next = {pool.minimum(x, y), std::min(vx, vy)};
          break;
        case 7:
          next = {pool.maximum(x, y), std::max(vx, vy)};
          break;
        case 8:
          next = {pool.select(pool.less(x, y), x, y), vx < vy ? vx : vy};
          break;
        case 9:
          next = {pool.bit_or(x, y), vx | vy};
          break;
        case 10:
          next = {pool.truncate_divide(x, c(8)), vx / 8};
          break;
        default:
          next = {pool.bit_xor(x, y), vx ^ vy};
          break;
      }
      if (std::abs(next.second) > (1LL << 40)) continue;
      made.push_back(next);
    }
    for (const auto& [e, expected] : made) {
      if (e == 0) continue;
      const auto got = value(e, n_value, a_value);
      if (!got) continue;  // longer than a compiled program may be
      ASSERT_EQ(*got, expected) << text(e) << " with n = " << n_value << ", a = " << a_value;
    }
  }
}

}  // namespace
}  // namespace forewarp::tests
