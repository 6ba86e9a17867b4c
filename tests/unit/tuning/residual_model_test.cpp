// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "tuning/residual_model.h"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "scores/scores.h"
#include "tuning/next_choice.h"
#include "tuning/tune.h"

namespace forewarp::tests {
namespace {

/// 4 values of A, 3 of B, 2 words of C, in this order, the last changing fastest.
Tuning space() {
  Tuning tuning;
  tuning.parameters = {"A", "B", "C"};
  tuning.values = {{"1", "2", "4", "8"}, {"16", "32", "64"}, {"float", "half"}};
  for (const std::string& a : tuning.values[0]) {
    for (const std::string& b : tuning.values[1]) {
      for (const std::string& c : tuning.values[2]) {
        TunedPoint point;
        point.words = {a, b, c};
        point.reached = true;
        point.limited_by = "dram";
        point.predicted_ms = point.expected_ms =
            1 + 0.01 * static_cast<double>(tuning.points.size());
        tuning.points.push_back(point);
      }
    }
  }
  return tuning;
}

/// Half of all configurations, drawn by a seed.
std::vector<std::size_t> half(std::size_t all, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<std::size_t> order(all);
  for (std::size_t i = 0; i < all; ++i) order[i] = i;
  for (std::size_t i = 0; i < all; ++i) std::swap(order[i], order[i + random() % (all - i)]);
  order.resize(all / 2);
  return order;
}

TEST(Likeness, IsTheMeanOverParametersAndTheResource) {
  Tuning tuning = space();
  const Likeness likeness(tuning);
  EXPECT_DOUBLE_EQ(likeness(0, 0), 1);
  // A 1 and 8: three steps, 1/8; B and C equal; the same resource: (1/8 + 1 + 1 + 1) / 4.
  EXPECT_DOUBLE_EQ(likeness(0, 18), (0.125 + 3) / 4);
  // C is words: float and half have nothing in common.
  EXPECT_DOUBLE_EQ(likeness(0, 1), 3.0 / 4);
  tuning.points[1].limited_by = "alu";
  EXPECT_DOUBLE_EQ(Likeness(tuning)(0, 1), 2.0 / 4);
}

TEST(ResidualModel, LeftOutErrorsAreThoseOfFitsWithoutThePoint) {
  // Two residuals u and v, likeness k, ridge r, constant c = 10000: without the second, the first
  // foretells it by (k + c) / (1 + c + r) * u.
  const double k = 0.25, r = 0.5, u = 0.3, v = -0.1;
  std::vector<double> weights;
  const auto errors = left_out_errors({1, k, k, 1}, r, std::vector<double>{u, v}, weights);
  EXPECT_NEAR(errors[1], v - (k + 1e4) / (1e4 + 1 + r) * u, 1e-9);
  EXPECT_NEAR(errors[0], u - (k + 1e4) / (1e4 + 1 + r) * v, 1e-9);
}

TEST(ResidualModel, APlantedResidualIsLearnedAndTheRankingGetsBetter) {
  Tuning tuning = space();
  // Half precision takes 1.6 times as long as predicted, and A = 8 half as long again.
  std::vector<double> truth;
  for (const TunedPoint& point : tuning.points) {
    truth.push_back(point.predicted_ms * (point.words[2] == "half" ? 1.6 : 1) *
                    (point.words[0] == "8" ? 1.5 : 1));
  }
  MeasuredConfigurations measured;
  for (const std::size_t i : half(truth.size(), 1)) measured.times.push_back({i, truth[i]});
  const auto rank_correlation = [&](bool others_only) {
    std::vector<ScorePair> pairs;
    for (std::size_t i = 0; i < truth.size(); ++i) {
      if (others_only && tuning.points[i].measured_ms > 0) continue;
      const double expected = tuning.points[i].expected_ms;
      pairs.push_back({truth[i], expected, expected, expected});
    }
    return spearman(pairs);
  };
  for (const auto& time : measured.times) tuning.points[time.point].measured_ms = time.ms;
  const double before = rank_correlation(true);
  correct(tuning, measured);
  EXPECT_EQ(tuning.correction.kind, TuningCorrection::Kind::residual);
  EXPECT_LT(before, 0.6);
  EXPECT_GT(rank_correlation(true), 0.9);
  EXPECT_LT(tuning.correction.error_after, tuning.correction.error_before / 3);
  EXPECT_EQ(tuning.correction.measured, 12U);
}

TEST(ResidualModel, OneFactorForAllLeavesTheOrder) {
  Tuning tuning = space();
  MeasuredConfigurations measured;
  for (const std::size_t i : half(tuning.points.size(), 2)) {
    measured.times.push_back({i, 2 * tuning.points[i].predicted_ms});
  }
  correct(tuning, measured);
  EXPECT_EQ(tuning.correction.kind, TuningCorrection::Kind::factor);
  EXPECT_NEAR(tuning.correction.factor, 2, 1e-12);
  EXPECT_NEAR(tuning.correction.error_before, std::log(2.0), 1e-12);
  for (std::size_t i = 0; i < tuning.points.size(); ++i) EXPECT_EQ(tuning.ranking[i], i);
}

/// Noise that nothing foretells: whatever the seed, the corrected times of the measured ones, each
/// foretold by the others, are no worse than the predictions.
TEST(ResidualModel, IsNeverTakenWhereItForetellsWorse) {
  std::size_t corrected = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    Tuning tuning = space();
    std::mt19937_64 random(seed);
    MeasuredConfigurations measured;
    for (const std::size_t i : half(tuning.points.size(), seed)) {
      const double noise = static_cast<double>(random() % 1000) / 1000 - 0.5;
      measured.times.push_back({i, tuning.points[i].predicted_ms * std::exp(0.2 * noise)});
    }
    correct(tuning, measured);
    EXPECT_LE(tuning.correction.error_after, tuning.correction.error_before);
    corrected += tuning.correction.kind == TuningCorrection::Kind::residual ? 1 : 0;
  }
  EXPECT_LE(corrected, 8U);  // by chance
}

TEST(ResidualModel, ThreeMeasurementsSayNothingOfTheOthers) {
  Tuning tuning = space();
  correct(tuning, {{{0, 3}, {1, 3}, {2, 3}}, 1, 2});
  EXPECT_EQ(tuning.correction.kind, TuningCorrection::Kind::none);
  EXPECT_DOUBLE_EQ(tuning.points[5].expected_ms, tuning.points[5].predicted_ms);
  EXPECT_DOUBLE_EQ(tuning.points[0].expected_ms, 3);  // what was measured stands
  EXPECT_EQ(tuning.ranking.back(), 2U);
  EXPECT_EQ(tuning.correction.elsewhere, 1U);
  EXPECT_EQ(tuning.correction.failed, 2U);
}

TEST(NextChoice, TakesTheLeastBoundThenWhatItSaysLittleOf) {
  Tuning tuning = space();
  const Likeness likeness(tuning);
  std::vector<double> expected(tuning.points.size(), 10), unsure(tuning.points.size(), 0.2);
  expected[0] = 1;      // the best predicted
  expected[1] = 1.001;  // beside it
  expected[23] = 1.03;  // far from both
  // Once 0 is measured, a likeness of l leaves 1 - l^4 / 1.01 of a variance: of 1, with l = 3/4, a
  // deviation of 0.1657, ln 1.001 - 0.1657 = -0.1647; of 23, with l = (1/8 + 1/4 + 0 + 1) / 4, one
  // of 0.1986, ln 1.03 - 0.1986 = -0.1690, which is less.
  EXPECT_EQ(choose_next(likeness, expected, unsure, {}, 3), (std::vector<std::size_t>{0, 23, 1}));
}

TEST(NextChoice, MeasuredOnesAreNotChosenAgain) {
  const Tuning tuning = space();
  const Likeness likeness(tuning);
  const std::vector<double> expected(tuning.points.size(), 1), unsure(tuning.points.size(), 0.1);
  const auto chosen = choose_next(likeness, expected, unsure, {0, 5}, 100);
  EXPECT_EQ(chosen.size(), tuning.points.size() - 2);
  for (const std::size_t point : chosen) EXPECT_TRUE(point != 0 && point != 5);
}

}  // namespace
}  // namespace forewarp::tests
