// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// The longest block of a grid of which a part was looked at.
#include "execution/grid/unseen_longest.h"

#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

namespace forewarp::tests {
namespace {

using execution::unseen_longest;
using execution::UnseenLongest;

constexpr double euler_gamma = 0.5772;

void expect_bound(const UnseenLongest& unseen) {
  EXPECT_EQ(unseen.expected, 1);
  EXPECT_EQ(unseen.most, 1);
}

const std::vector<double> three_long{1, 100, 1, 300, 1, 1, 200, 1};

// Above the least of the three, 100: 200 and 100, 150 in the mean. Of 80 blocks twenty are above
// it: 100 + 150 (ln 20 + 0.577), at most 100 + 150 (1 + 2 / sqrt 2) (ln 20 + 3).
TEST(UnseenLongest, GrowsWithTheLogarithmOfTheRest) {
  const UnseenLongest unseen = unseen_longest(three_long, 80);
  EXPECT_NEAR(unseen.expected, (100 + 150 * (std::log(20.0) + euler_gamma)) / 300, 1e-3);
  EXPECT_NEAR(unseen.most, (100 + 150 * (1 + std::sqrt(2.0)) * (std::log(20.0) + 3)) / 300, 1e-3);
}

// .. of which a block that was not drawn is already known.
TEST(UnseenLongest, IsLittleBeyondALongerOneThatIsKnown) {
  EXPECT_NEAR(unseen_longest(three_long, 80, 600).expected,
              unseen_longest(three_long, 80).expected / 2, 1e-12);
  EXPECT_EQ(unseen_longest(three_long, 80, 3000).expected, 1);
}

TEST(UnseenLongest, IsTheLongestWhereAllWereLookedAt) {
  expect_bound(unseen_longest(three_long, 8));
  expect_bound(unseen_longest({}, 8));
}

TEST(UnseenLongest, IsBoundWhereSeveralReachTheSameLength) {
  expect_bound(unseen_longest(std::vector<double>{1, 300, 100, 299, 1, 200}, 600));
  EXPECT_GT(unseen_longest(std::vector<double>{1, 300, 100, 290, 1, 200}, 600).expected, 1);
}

// Nobody knows what goes on.
TEST(UnseenLongest, SaysNothingOfBlocksThatDidNotEnd) {
  const double endless = std::numeric_limits<double>::infinity();
  expect_bound(unseen_longest(std::vector<double>{1, endless, 3, 2}, 600));
}

// Rows of a triangle among blocks that leave at once: the long ones follow the index.
TEST(UnseenLongest, IsBoundWhereLengthsFollowTheIndex) {
  std::vector<double> rows;
  for (int i = 0; i < 40; ++i) {
    rows.push_back(100 + 10 * i);
    rows.push_back(1);
  }
  expect_bound(unseen_longest(rows, 8000));
}

// 2 to 20 in disorder are evenly spread above the least, 9.5 in the mean: a bound of twice that.
TEST(UnseenLongest, OfEvenlySpreadLengthsIsTheEndOfTheirRange) {
  std::vector<double> lengths;
  for (int i = 0; i < 20; ++i) lengths.push_back(1 + i * 7 % 20);
  EXPECT_NEAR(unseen_longest(lengths, 20e6).expected, (2 + 2 * 9.5) / 20, 1e-3);
}

// One that is far longer than all others may be the only one, or one of five.
TEST(UnseenLongest, OfALoneOneIsKnownUpwardsOnly) {
  const UnseenLongest unseen = unseen_longest(std::vector<double>{1, 2, 100, 1}, 20);
  EXPECT_EQ(unseen.expected, 1);
  EXPECT_NEAR(unseen.most, std::log(5.0) + 3, 1e-12);
}

}  // namespace
}  // namespace forewarp::tests
