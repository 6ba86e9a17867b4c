// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/prover.h"

#include <gtest/gtest.h>

namespace forewarp::tests {
namespace {

class ProverTest : public ::testing::Test {
 protected:
  ExpressionPool pool;
  Expression n = pool.parameter(0, 4, true);
  Expression m = pool.parameter(4, 4, true);
  Expression c(std::int64_t value) { return pool.constant(value); }
  Prover knowing(std::initializer_list<Expression> truths) {
    return Prover(pool, std::vector<Expression>(truths));
  }
  Expression at_least(Expression a, std::int64_t value) {
    return pool.logical_not(pool.less(a, c(value)));
  }
};

TEST_F(ProverTest, KnowsWhatItIsTold) {
  Prover prover = knowing({at_least(n, 5)});
  EXPECT_TRUE(prover.at_least(n, c(5)));
  EXPECT_TRUE(prover.at_least(n, c(-3)));
  EXPECT_FALSE(prover.at_least(n, c(6)));
  EXPECT_FALSE(prover.nonnegative(m));
}

TEST_F(ProverTest, ChoosesTheRightSideOfMinimaAndMaxima) {
  Prover prover = knowing({pool.less(m, n)});  // m < n
  EXPECT_EQ(prover.simplify(pool.maximum(n, m)), n);
  EXPECT_EQ(prover.simplify(pool.minimum(n, m)), m);
  EXPECT_EQ(prover.simplify(pool.maximum(m, n)), n);
  EXPECT_EQ(prover.simplify(pool.select(pool.less(m, n), c(1), c(2))), c(1));
  EXPECT_EQ(prover.simplify(pool.less(n, m)), c(0));
  Prover reverse = knowing({pool.less(n, m)});
  EXPECT_EQ(reverse.simplify(pool.maximum(n, m)), m);
  EXPECT_EQ(reverse.simplify(pool.minimum(n, m)), n);
  Prover nothing = knowing({});
  EXPECT_EQ(nothing.simplify(pool.maximum(n, m)), pool.maximum(n, m));
}

TEST_F(ProverTest, SeesThroughDivisions) {
  Prover prover = knowing({at_least(n, 1)});
  // (n + 15)/16 >= 1 when n >= 1, but n/16 >= 1 only when n >= 16.
  const Expression tiles = pool.floor_divide(pool.offset(n, 15), c(16));
  EXPECT_EQ(prover.simplify(pool.maximum(tiles, c(1))), tiles);
  const Expression whole = pool.floor_divide(n, c(16));
  EXPECT_EQ(prover.simplify(pool.maximum(whole, c(1))), pool.maximum(whole, c(1)));
  EXPECT_EQ(prover.simplify(pool.truncate_divide(n, c(16))), whole);
  // 8 - n/2 >= 0 needs n <= 17.
  Prover bounded = knowing({pool.less(n, c(18))});
  const Expression rest = pool.subtract(c(8), pool.floor_divide(n, c(2)));
  EXPECT_TRUE(bounded.nonnegative(rest));
  EXPECT_FALSE(bounded.nonnegative(pool.offset(rest, -1)));
}

TEST_F(ProverTest, NotEqualToZeroIsAtLeastOneWhereNegativeIsImpossible) {
  const Expression remainder = pool.bit_and(n, c(3));
  Prover prover = knowing({pool.logical_not(pool.equal(remainder, c(0)))});
  EXPECT_TRUE(prover.at_least(remainder, c(1)));
  Prover other = knowing({pool.logical_not(pool.equal(n, c(0)))});
  EXPECT_FALSE(other.at_least(n, c(1)));
}

TEST_F(ProverTest, ReadsUnsignedComparisonsOfWhatIsNotNegative) {
  // n >= 1 and, unsigned, n - 1 >= 3: n is at least 4.
  const Expression unsigned_test = at_least(pool.zero_extend(pool.offset(n, -1)), 3);
  Prover prover = knowing({unsigned_test, at_least(n, 1)});
  EXPECT_TRUE(prover.at_least(n, c(4)));
  EXPECT_FALSE(prover.at_least(n, c(5)));
  // Without n >= 1 the same test holds for n = 0, which wraps.
  EXPECT_FALSE(knowing({unsigned_test}).at_least(n, c(4)));
}

TEST_F(ProverTest, UnknownsThatGrewTooLargeProveNothing) {
  Prover prover = knowing({Expression{0}});
  EXPECT_FALSE(prover.nonnegative(0));
  EXPECT_FALSE(prover.at_least(n, 0));
}

}  // namespace
}  // namespace forewarp::tests
