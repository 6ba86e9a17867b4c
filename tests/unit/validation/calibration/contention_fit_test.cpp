// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "validation/calibration/contention_fit.h"

#include <random>

#include <gtest/gtest.h>

namespace forewarp::tests {
namespace {

struct Coefficients {
  const char* gpu;
  double a, b, c, peak;
};

// Volkov 2016, Tables 6.5 and 6.4.
constexpr Coefficients published[] = {{"G80", 453, 61, 81, 74},
                                      {"GT200", 438, 17, 140, 138},
                                      {"Fermi", 501, 41, 170, 161},
                                      {"Kepler", 300, 32, 170, 154},
                                      {"Maxwell", 372, 22, 221, 211}};

/// From 2 % of the peak to all of it.
std::vector<LoadedLatency> curve(const Coefficients& of) {
  std::vector<LoadedLatency> points;
  for (int i = 1; i <= 50; ++i) {
    const double gbs = of.peak * i / 50;
    points.push_back({gbs, of.a + of.b * gbs / (of.c - gbs)});
  }
  return points;
}

TEST(ContentionFit, CurvesMadeWithTable65GiveItsCoefficients) {
  for (const Coefficients& of : published) {
    const auto fit = fit_contention(curve(of));
    ASSERT_TRUE(fit) << of.gpu;
    EXPECT_NEAR(fit->a, of.a, 1e-3 * of.a) << of.gpu;
    EXPECT_NEAR(fit->b, of.b, 1e-2 * of.b) << of.gpu;
    EXPECT_NEAR(fit->c, of.c, 1e-3 * of.c) << of.gpu;
    EXPECT_LT(fit->error, 1e-4) << of.gpu;
  }
}

// 2 % noise (a normal number on each latency): a within 2 %, c within 2 %, b within 15 %.
TEST(ContentionFit, NoiseOfTwoPercentMovesThemLittle) {
  for (const Coefficients& of : published) {
    std::mt19937_64 random(1);
    std::normal_distribution<double> noise(1, 0.02);
    std::vector<LoadedLatency> points = curve(of);
    for (LoadedLatency& point : points) point.cycles *= noise(random);
    const auto fit = fit_contention(points);
    ASSERT_TRUE(fit) << of.gpu;
    EXPECT_NEAR(fit->a, of.a, 0.02 * of.a) << of.gpu;
    EXPECT_NEAR(fit->b, of.b, 0.15 * of.b) << of.gpu;
    EXPECT_NEAR(fit->c, of.c, 0.02 * of.c) << of.gpu;
  }
}

// Samples whose occupancy wavered lie inside the curve: the envelope is fitted, not their middle.
TEST(ContentionFit, PointsInsideTheCurveHardlyCount) {
  const Coefficients& of = published[4];
  std::vector<LoadedLatency> points = curve(of);
  for (std::size_t i = 10; i < 40; ++i)
    points.push_back({points[i].gbs * 0.8, points[i].cycles * 1.2});
  const auto fit = fit_contention(points);
  ASSERT_TRUE(fit);
  EXPECT_NEAR(fit->a, of.a, 0.03 * of.a);
  EXPECT_NEAR(fit->c, of.c, 0.03 * of.c);
}

TEST(ContentionFit, RefusesWhatIsNoCurve) {
  const auto few = fit_contention(std::vector<LoadedLatency>(4, {1, 400}));
  ASSERT_FALSE(few);
  EXPECT_EQ(few.error().line(),
            "contention: 4 points; expected at least 5; measure more occupancies");
  const auto narrow = fit_contention(std::vector<LoadedLatency>(6, {100, 400}));
  ASSERT_FALSE(narrow);
  EXPECT_NE(narrow.error().line().find("a range of at least a factor of 2"), std::string::npos);
  std::vector<LoadedLatency> falling;
  for (int i = 1; i <= 9; ++i) falling.push_back({10.0 * i, 1000.0 - 50 * i});
  const auto shrinks = fit_contention(falling);
  ASSERT_FALSE(shrinks);
  EXPECT_NE(shrinks.error().line().find("does not grow"), std::string::npos);
  EXPECT_FALSE(fit_contention(std::vector<LoadedLatency>(6, {-1, 400})));
}

TEST(ContentionFit, ReadsItsColumns) {
  const auto points = parse_loaded_latencies("gpu,gbs,cycles\nx,10,400\nx,20,410.5\n", "p.csv");
  ASSERT_TRUE(points);
  ASSERT_EQ(points->size(), 2U);
  EXPECT_EQ((*points)[1].cycles, 410.5);
  const auto unnamed = parse_loaded_latencies("a,b\n1,2\n", "p.csv");
  ASSERT_FALSE(unnamed);
  EXPECT_EQ(unnamed.error().line(), "p.csv: the columns a, b; expected gbs and cycles");
  EXPECT_FALSE(parse_loaded_latencies("gbs,cycles\nfast,2\n", "p.csv"));
  const auto endless = parse_loaded_latencies("gbs,cycles\n10,400\n20,inf\n", "p.csv");
  ASSERT_FALSE(endless);
  EXPECT_EQ(endless.error().line(), "p.csv, row 2: '20' and 'inf'; expected two finite numbers");
}

}  // namespace
}  // namespace forewarp::tests
