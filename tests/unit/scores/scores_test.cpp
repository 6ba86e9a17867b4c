// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "scores/scores.h"

#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "base/statistics.h"

namespace forewarp::tests {
namespace {

ScorePair pair(double measured, double predicted) {
  return {measured, predicted, predicted, predicted};
}

// t = 1, 2, 4 and p = 1.1, 1.6, 5: errors +0.1, -0.2, +0.25.
const std::vector<ScorePair> three{pair(1, 1.1), pair(2, 1.6), pair(4, 5)};

TEST(Scores, ErrorsOfThreePointsByHand) {
  const Scores scores = scores_of(three);
  EXPECT_EQ(scores.points, 3U);
  EXPECT_NEAR(scores.mape, (0.1 + 0.2 + 0.25) / 3, 1e-12);
  EXPECT_NEAR(scores.bias, (0.1 - 0.2 + 0.25) / 3, 1e-12);
  EXPECT_NEAR(scores.ratio, std::cbrt(1.1 * 0.8 * 1.25), 1e-12);
  EXPECT_NEAR(scores.worst, 0.25, 1e-12);
  // Place 0.9 * 2 = 1.8 among 0.1, 0.2, 0.25: 0.2 + 0.8 * 0.05.
  EXPECT_NEAR(scores.p90, 0.24, 1e-12);
}

TEST(Scores, TheBestFactorIsAWeightedMedian) {
  // t/p = 0.909, 1.25, 0.8 with weights 1.1, 0.8, 1.25 (sum 3.15): sorted 0.8 (1.25), 0.909 (2.35).
  EXPECT_NEAR(best_factor(three), 1 / 1.1, 1e-12);
  // Then p = 1, 1.4545, 4.5454: errors 0, 0.27273, 0.13636.
  EXPECT_NEAR(scores_of(three).scaled_mape, (0.0 + 0.2727272727 + 0.1363636364) / 3, 1e-9);
}

TEST(Scores, ARightShapeHasNoErrorAfterOneFactor) {
  const std::vector<ScorePair> halves{pair(2, 1), pair(6, 3), pair(10, 5)};
  EXPECT_NEAR(scores_of(halves).mape, 0.5, 1e-12);
  EXPECT_NEAR(scores_of(halves).scaled_mape, 0, 1e-12);
}

TEST(Scores, SpearmanByHand) {
  // Ranks 1 2 3 4 5 against 2 1 4 3 5: 1 - 6 * (1+1+1+1) / (5 * 24) = 0.8.
  const std::vector<ScorePair> five{pair(1, 20), pair(2, 10), pair(3, 40), pair(4, 30),
                                    pair(5, 50)};
  EXPECT_NEAR(spearman(five), 0.8, 1e-12);
  // Of 10 pairs 8 agree and 2 do not: (8 - 2) / 10.
  EXPECT_NEAR(kendall(five), 0.6, 1e-12);
}

TEST(Scores, TiedRanksShareTheirMean) {
  // Measured ranks 1 2 3, predicted 1.5 1.5 3: covariance 1.5, variances 2 and 1.5.
  const std::vector<ScorePair> tied{pair(1, 7), pair(2, 7), pair(3, 9)};
  EXPECT_NEAR(spearman(tied), 1.5 / std::sqrt(2 * 1.5), 1e-12);
  // Two pairs agree, one is tied in p: 2 / sqrt(3 * 2).
  EXPECT_NEAR(kendall(tied), 2 / std::sqrt(6.0), 1e-12);
}

TEST(Scores, NoOrderHasNoRankCorrelation) {
  EXPECT_TRUE(std::isnan(spearman(std::vector{pair(1, 2)})));
  EXPECT_TRUE(std::isnan(spearman(std::vector{pair(1, 2), pair(3, 2)})));
  EXPECT_TRUE(std::isnan(kendall(std::vector{pair(1, 2), pair(3, 2)})));
}

TEST(Scores, RegretIsWhatTheChoiceCosts) {
  const std::vector<ScorePair> four{pair(10, 3), pair(12, 1), pair(11, 2), pair(20, 4)};
  EXPECT_NEAR(regret(four, 1), 0.2, 1e-12);  // 12 is taken, 10 was best
  EXPECT_NEAR(regret(four, 2), 0.1, 1e-12);  // 12 and 11 are tried
  EXPECT_NEAR(regret(four, 3), 0.0, 1e-12);
  EXPECT_NEAR(regret(four, 9), 0.0, 1e-12);
}

TEST(Scores, RegretOfEqualPredictionsIsTheirMean) {
  const std::vector<ScorePair> tied{pair(10, 1), pair(14, 1), pair(30, 2)};
  EXPECT_NEAR(regret(tied, 1), 0.2, 1e-12);  // (10 + 14) / 2 against 10
  const std::vector<ScorePair> slower_first{pair(10, 2), pair(14, 2), pair(30, 1)};
  EXPECT_NEAR(regret(slower_first, 2), 0.4, 1e-12);  // 30, then the slower of the two
}

TEST(Scores, CoverageCountsTheEndsOfTheInterval) {
  const std::vector<ScorePair> pairs{{1, 1, 1, 1.2}, {2, 2, 2.1, 2.2}, {3, 4, 2, 3}, {4, 2, 1, 3}};
  const Scores scores = scores_of(pairs);
  EXPECT_NEAR(scores.coverage, 0.5, 1e-12);
  EXPECT_NEAR(scores.width, (0.2 / 1 + 0.1 / 2 + 1.0 / 4 + 2.0 / 2) / 4, 1e-12);
}

TEST(Scores, NothingHasNoScores) {
  EXPECT_EQ(scores_of({}).points, 0U);
  EXPECT_TRUE(std::isnan(scores_of({}).mape));
  EXPECT_TRUE(std::isnan(scores_of({}).spearman));
  EXPECT_TRUE(std::isnan(scores_of({}).coverage));
}

TEST(Scores, PairsWithoutAnOrderHaveNoCorrelation) {
  std::mt19937_64 random(7);
  std::vector<ScorePair> pairs;
  for (int i = 0; i < 2000; ++i) {
    pairs.push_back(pair(static_cast<double>(random() % 100000 + 1),
                         static_cast<double>(random() % 100000 + 1)));
  }
  // Four standard deviations of 1 / sqrt(n - 1).
  EXPECT_LT(std::fabs(spearman(pairs)), 4 / std::sqrt(1999.0));
}

TEST(Scores, QuantilesInterpolate) {
  EXPECT_NEAR(quantile({4, 1, 3, 2}, 0.5), 2.5, 1e-12);
  EXPECT_NEAR(quantile({5}, 0.9), 5, 1e-12);
  EXPECT_TRUE(std::isnan(quantile({}, 0.5)));
  const double infinite = std::numeric_limits<double>::infinity();
  EXPECT_EQ(quantile({1, 2, infinite}, 0.5), 2);
}

}  // namespace
}  // namespace forewarp::tests
