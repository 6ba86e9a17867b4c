// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "characterise/statistics/estimate_trial.h"

#include <cmath>

#include <gtest/gtest.h>

namespace forewarp::tests {
namespace {

/// X {17:.7, 18:.2, 25:.1}: mean 18, variance 5.6; Y {38:.8, 40:.15, 46:.05}: variance 3.31.
Pmf operation() {
  return Pmf::of_masses(17, {.7, .2, 0, 0, 0, 0, 0, 0, .1});
}
Pmf clock_reads() {
  return Pmf::of_masses(38, {.8, 0, .15, 0, 0, 0, 0, 0, .05});
}

const double sigma = std::sqrt(5.6);
const double inflated = std::sqrt(5.6 + 2 * 3.31);  // of Z - Y'

TEST(EstimateTrial, TheThesisDeviationIsInflatedTheOthersAreNot) {
  const auto trials = compare_estimates(operation(), operation().plus(clock_reads()), clock_reads(),
                                        {4000, 60, 3, 0}, "w");
  ASSERT_TRUE(trials) << trials.error().line();
  ASSERT_EQ(trials->size(), 3U);
  const EstimateTrial& thesis = trials->at(0);
  const EstimateTrial& corrected = trials->at(1);
  const EstimateTrial& divided = trials->at(2);
  EXPECT_EQ(thesis.name, "thesis");
  // The mean of 60 draws; a draw's own spread is sqrt((8.91 + 3.31) / 4000).
  const double spread = std::sqrt((8.91 + 3.31) / 4000);
  EXPECT_NEAR(thesis.mean_spread, spread, 0.4 * spread);
  for (const EstimateTrial& one : *trials) EXPECT_NEAR(one.mean_bias, 0, 0.05) << one.name;
  EXPECT_NEAR(thesis.deviation_bias, inflated - sigma, 0.03);
  EXPECT_NEAR(corrected.deviation_bias, 0, 0.03);
  EXPECT_NEAR(divided.deviation_bias, 0, 0.1);
  EXPECT_LT(thesis.deviation_spread, corrected.deviation_spread);
  EXPECT_EQ(corrected.without, 0U);
}

// Six cycles of moves in the window are a bias of 6 unless they are taken off.
TEST(EstimateTrial, MovedRegistersAreABiasOfTheMean) {
  const Pmf moved = operation().plus(clock_reads()).plus(Pmf::of_masses(6, {1}));
  const auto trials = compare_estimates(operation(), moved, clock_reads(), {2000, 40, 5, 6}, "w");
  ASSERT_TRUE(trials) << trials.error().line();
  ASSERT_EQ(trials->size(), 6U);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(trials->at(i).mean_bias, 6, 0.1) << i;
    EXPECT_NEAR(trials->at(i + 3).mean_bias, 0, 0.1) << i;
    EXPECT_DOUBLE_EQ(trials->at(i).deviation_bias, trials->at(i + 3).deviation_bias);
  }
  EXPECT_EQ(trials->at(4).name, "corrected, less moved registers");
}

// A clock that spreads as much as the operation: with five windows, Var Z - Var Y often falls below
// 0, and then there is no deviation.
TEST(EstimateTrial, FewWindowsMayLeaveNoDeviation) {
  const Pmf narrow = Pmf::of_masses(20, {.9, .1});
  const auto trials =
      compare_estimates(narrow, narrow.plus(clock_reads()), clock_reads(), {5, 100, 7, 0}, "w");
  ASSERT_TRUE(trials) << trials.error().line();
  EXPECT_EQ(trials->at(0).without, 0U);
  EXPECT_GT(trials->at(1).without, 10U);
}

TEST(EstimateTrial, ASeedGivesTheSameAgain) {
  const auto made = [](std::uint64_t seed) {
    return compare_estimates(operation(), operation().plus(clock_reads()), clock_reads(),
                             {200, 10, seed, 0}, "w")
        ->front()
        .mean_bias;
  };
  EXPECT_EQ(made(1), made(1));
  EXPECT_NE(made(1), made(2));
}

}  // namespace
}  // namespace forewarp::tests
