// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// The longest block of a grid of which a part was looked at.
#include "execution/grid/unseen_longest.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "base/mixed.h"

namespace forewarp::tests {
namespace {

using execution::DrawnLength;
using execution::unseen_longest;
using execution::UnseenLongest;

/// Side by side along the first axis.
std::vector<DrawnLength> in_a_row(const std::vector<double>& lengths) {
  std::vector<DrawnLength> drawn;
  for (std::size_t i = 0; i < lengths.size(); ++i)
    drawn.push_back(
        {{static_cast<double>(i) / static_cast<double>(lengths.size()), 0, 0}, lengths[i]});
  return drawn;
}

UnseenLongest unseen(const std::vector<double>& lengths, double population, double known = 0) {
  return unseen_longest(in_a_row(lengths), population, known);
}

void expect_bound(const UnseenLongest& longest, double length) {
  EXPECT_EQ(longest.expected, length);
  EXPECT_EQ(longest.most, length);
}

/// In (0, 1), the same for a number each time.
double drawn_share(std::uint64_t number) {
  return (static_cast<double>(base::mixed(number + 1) >> 11U) + 0.5) * 0x1p-53;
}

const std::vector<double> three_long{1, 100, 1, 300, 1, 1, 200, 1};

// Above the least of the three, 100: 200 and 100, 150 in the mean, for which a standard error of
// two is 1 / sqrt 2. Two of eight are above it, so that of 72 others 18 are.
TEST(UnseenLongest, OfAFewOnlyTheMostIsKnown) {
  const UnseenLongest longest = unseen(three_long, 80);
  EXPECT_EQ(longest.expected, 300);
  EXPECT_NEAR(longest.most, 100 + 150 * (1 + 1 / std::sqrt(2.0)) * std::log(18 / 0.0513), 1e-6);
}

// .. of which a block that was not drawn is already known.
TEST(UnseenLongest, IsALongerOneThatIsKnown) {
  EXPECT_EQ(unseen(three_long, 80, 600).expected, 600);
  expect_bound(unseen(three_long, 80, 1e6), 1e6);
}

TEST(UnseenLongest, IsNoneWhereAllWereLookedAt) {
  expect_bound(unseen(three_long, 8), 0);
  expect_bound(unseen({}, 8), 0);
}

// Of lengths that end by chance, one in e for each that is longer by one, the longest of n is
// ln n + 0.577 in the mean: with 1000 of 20,000 looked at within a few tenths. One block that is
// not looked at is longer than all others once in 1001 times.
TEST(UnseenLongest, GrowsWithTheLogarithmOfTheRest) {
  std::vector<double> lengths;
  for (std::uint64_t i = 0; i < 1000; ++i) lengths.push_back(-std::log(drawn_share(i)));
  const UnseenLongest longest = unseen(lengths, 20'000);
  EXPECT_NEAR(longest.expected / (std::log(20'000) + 0.577), 1, 0.2);
  EXPECT_GT(longest.most, std::log(20'000 / 0.0513));
  EXPECT_LT(longest.most, 2 * std::log(20'000 / 0.0513));
  EXPECT_NEAR(unseen(lengths, 1001).expected / std::ranges::max(lengths), 1, 0.001);
}

// .. and of 100 such grids at least 90 hold none that is longer than the most.
TEST(UnseenLongest, TheMostIsSeldomExceeded) {
  int held = 0;
  for (std::uint64_t grid = 0; grid < 100; ++grid) {
    std::vector<double> lengths;
    for (std::uint64_t i = 0; i < 640; ++i)
      lengths.push_back(-std::log(drawn_share(1000 * grid + i)));
    const double longest = std::ranges::max(lengths);
    lengths.resize(32);
    held += longest <= unseen(lengths, 640).most ? 1 : 0;
  }
  EXPECT_GE(held, 90);
}

TEST(UnseenLongest, IsBoundWhereSeveralReachTheSameLength) {
  expect_bound(unseen({1, 300, 100, 299, 298, 200}, 600), 300);
  EXPECT_GT(unseen({1, 300, 100, 299, 1, 200}, 600).most, 300);
}

// Nobody knows what goes on.
TEST(UnseenLongest, SaysNothingOfBlocksThatDidNotEnd) {
  const double endless = std::numeric_limits<double>::infinity();
  expect_bound(unseen({1, endless, 3, 2}, 600), endless);
}

// Rows of a triangle among blocks that leave at once: the long ones follow the index.
TEST(UnseenLongest, IsBoundWhereLengthsFollowThePlace) {
  std::vector<double> rows;
  for (int i = 0; i < 40; ++i) {
    rows.push_back(100 + 10 * i);
    rows.push_back(1);
  }
  expect_bound(unseen(rows, 8000), 490);
}

// A hill over two axes, which in the order of the grid goes up and down.
TEST(UnseenLongest, IsBoundWhereLengthsFollowThePlaceAlongTwoAxes) {
  std::vector<DrawnLength> hill;
  for (int y = 0; y < 8; ++y) {
    for (int x = 0; x < 8; ++x)
      hill.push_back(
          {{x / 8.0, y / 8.0, 0}, 1000.0 - 10 * (x - 3) * (x - 3) - 11 * (y - 4) * (y - 4)});
  }
  expect_bound(unseen_longest(hill, 8000), 1000);
}

// Evenly spread lengths in disorder have a bound.
TEST(UnseenLongest, OfEvenlySpreadLengthsIsNearTheEndOfTheirRange) {
  std::vector<double> lengths;
  for (std::uint64_t i = 0; i < 64; ++i)
    lengths.push_back((static_cast<double>(i * 23 % 64) + 1) / 64);
  const UnseenLongest longest = unseen(lengths, 20'000);
  EXPECT_GT(longest.expected, 1);
  EXPECT_LT(longest.expected, 1.05);
  EXPECT_GT(longest.most, longest.expected);
}

// One that is far longer than all others may be the only one; if not, the others are as long in the
// mean: of 16 more a quarter.
TEST(UnseenLongest, OfALoneOneIsKnownUpwardsOnly) {
  const UnseenLongest longest = unseen({1, 2, 100, 1}, 20);
  EXPECT_EQ(longest.expected, 100);
  EXPECT_NEAR(longest.most, 100 * std::log(4 / 0.0513), 1e-9);
}

}  // namespace
}  // namespace forewarp::tests
