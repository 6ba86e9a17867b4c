// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// The statistics of Sánchez 2017, sections 1.8 and 6.1; numbers computed by hand.
#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "characterise/statistics/clock_cost.h"
#include "characterise/statistics/config_table.h"
#include "characterise/statistics/pipeline.h"
#include "characterise/statistics/pipelining.h"
#include "characterise/statistics/pmf.h"
#include "characterise/statistics/straight_line.h"

namespace forewarp::tests {
namespace {

Pmf die() {
  return Pmf::of_masses(1, std::vector<double>(6, 1.0));
}

/// X {17:.7, 18:.2, 25:.1} and Y {38:.8, 40:.15, 46:.05} of fixture V4.
Pmf operation() {
  return Pmf::of_masses(17, {.7, .2, 0, 0, 0, 0, 0, 0, .1});
}
Pmf clock_reads() {
  return Pmf::of_masses(38, {.8, 0, .15, 0, 0, 0, 0, 0, .05});
}

template <typename T>
std::string refusal(const Expected<T>& value) {
  return value ? "accepted" : value.error().line();
}

TEST(Pmf, TwoDice) {  // V3: P(7) of two dice is 6/36
  const Pmf sum = die().plus(die());
  EXPECT_NEAR(sum.mass(7), 1.0 / 6, 1e-15);
  EXPECT_NEAR(sum.mass(2), 1.0 / 36, 1e-15);
  EXPECT_EQ(sum.min(), 2);
  EXPECT_EQ(sum.max(), 12);
  EXPECT_NEAR(sum.mean(), 7, 1e-12);
  EXPECT_NEAR(sum.variance(), 2 * 35.0 / 12, 1e-12);
}

TEST(Pmf, ReflectionIsOfMasses) {  // V3: P(-Y <= -3) of a die is 4/6; 1 - F(3) would say 3/6
  EXPECT_NEAR(die().reflected().up_to(-3), 4.0 / 6, 1e-15);
  EXPECT_NEAR(1 - die().up_to(3), 3.0 / 6, 1e-15);
  EXPECT_NEAR(1 - die().up_to(2), 4.0 / 6, 1e-15);
  EXPECT_EQ(die().reflected().reflected(), die());
}

TEST(Pmf, StatisticsOfMasses) {
  const Pmf pmf = operation();
  EXPECT_NEAR(pmf.mean(), .7 * 17 + .2 * 18 + .1 * 25, 1e-12);
  EXPECT_NEAR(pmf.variance(), .7 * 1 + .2 * 0 + .1 * 49, 1e-12);
  EXPECT_NEAR(pmf.deviation(), std::sqrt(5.6), 1e-12);
  EXPECT_EQ(pmf.mode(), 17);
  EXPECT_EQ(pmf.mass(20), 0);
  EXPECT_EQ(pmf.mass(16), 0);
  const Pmf trimmed = Pmf::of_masses(3, {0, 0, 2, 0, 2, 0});
  EXPECT_EQ(trimmed.min(), 5);
  EXPECT_EQ(trimmed.max(), 7);
  EXPECT_EQ(trimmed.mass(5), 0.5);
}

TEST(Pmf, PartsAreScaledToOne) {
  const auto part = part_of(operation(), 18, 30, "part");
  ASSERT_TRUE(part);
  EXPECT_NEAR(part->share, .3, 1e-15);
  EXPECT_NEAR(part->pmf.mass(18), .2 / .3, 1e-15);
  EXPECT_NEAR(part->pmf.mean(), (.2 * 18 + .1 * 25) / .3, 1e-12);
  EXPECT_EQ(refusal(part_of(operation(), 19, 24, "part")),
            "part: nothing in 19 .. 24; expected values there; they lie in 17 .. 25");
}

TEST(Pmf, Refusals) {
  EXPECT_EQ(refusal(Pmf::of({}, "w")), "w: no values; expected at least one");
  EXPECT_EQ(refusal(Pmf::of({{1.5, 1}}, "w")), "w: the value 1.5; expected whole numbers");
  EXPECT_EQ(refusal(Pmf::of({{0, 1}, {16777216, 1}}, "w")),
            "w: values spread over 16777216; expected less than 16777216");
}

TEST(Pipeline, DecimatesEqualWarpsOnly) {
  std::vector<double> values(64, 20);
  std::fill(values.begin() + 32, values.end(), 18);
  const auto pmf = distribution(values, 32, "window");
  ASSERT_TRUE(pmf);
  EXPECT_EQ(pmf->mass(18), 0.5);
  EXPECT_EQ(pmf->mass(20), 0.5);
  values[40] = 19;
  EXPECT_EQ(refusal(distribution(values, 32, "window")),
            "window: value 40 is 19, the first of its warp 18; expected equal values of the "
            "threads of a warp; measure threads that read the clock together");
  values.pop_back();
  values[40] = 18;
  EXPECT_EQ(refusal(distribution(values, 32, "window")),
            "window: 63 values; expected a multiple of 32");
  const auto counted = decimated(Histogram{{18, 64}, {20, 32}}, 32, "window");
  ASSERT_TRUE(counted);
  EXPECT_EQ(*counted, (Histogram{{18, 2}, {20, 1}}));
  EXPECT_EQ(refusal(decimated(Histogram{{18, 33}}, 32, "window")),
            "window: 33 times the value 18; expected a multiple of 32: equal values of the threads "
            "of a warp; measure threads that read the clock together");
}

TEST(ClockCost, V4AsTheThesisRemovesIt) {
  const Pmf windows = operation().plus(clock_reads());
  EXPECT_NEAR(windows.mean(), 56.7, 1e-12);
  EXPECT_NEAR(clock_reads().mean(), 38.7, 1e-12);
  const ClockFree free = *without_clock(windows, clock_reads(), "w");
  EXPECT_NEAR(free.mean(), 18.0, 1e-12);
  EXPECT_NEAR(windows.variance(), 8.91, 1e-12);
  EXPECT_NEAR(free.inflated_variance, 12.22, 1e-12);  // Var Z + Var Y
  EXPECT_NEAR(free.variance, 5.60, 1e-12);            // Var Z - Var Y
  EXPECT_NEAR(free.deviation().value_or(0), std::sqrt(5.6), 1e-12);
  EXPECT_EQ(free.widened.min(), 9);
  EXPECT_EQ(free.widened.max(), 33);
  EXPECT_EQ(free.widened.mode(), 17);
}

TEST(ClockCost, V4DividedIsExact) {
  const auto exact = deconvolved(operation().plus(clock_reads()), clock_reads(), 0, "w");
  ASSERT_TRUE(exact);
  EXPECT_TRUE(exact->exact);
  EXPECT_EQ(exact->pmf.min(), 17);
  EXPECT_EQ(exact->pmf.max(), 25);
  for (std::int64_t v = 17; v <= 25; ++v) {
    EXPECT_NEAR(exact->pmf.mass(v), operation().mass(v), 1e-12) << v;
  }
  EXPECT_LT(exact->residual, 1e-12);
}

/// Draws from a distribution.
Pmf sampled(const Pmf& pmf, int draws, std::mt19937& random) {
  std::discrete_distribution<std::int64_t> of(pmf.masses().begin(), pmf.masses().end());
  std::vector<double> masses(pmf.masses().size());
  for (int i = 0; i < draws; ++i) masses[static_cast<std::size_t>(of(random))] += 1;
  return Pmf::of_masses(pmf.min(), masses);
}

TEST(ClockCost, DeconvolutionOfSamplesStaysADistribution) {
  std::mt19937 random(7);
  const Pmf windows = sampled(operation().plus(clock_reads()), 20000, random);
  const Pmf empty = sampled(clock_reads(), 20000, random);
  const auto found = deconvolved(windows, empty, 500, "w");
  ASSERT_TRUE(found);
  EXPECT_FALSE(found->exact);
  double sum = 0;
  for (const double mass : found->pmf.masses()) {
    EXPECT_GE(mass, 0);
    sum += mass;
  }
  EXPECT_NEAR(sum, 1, 1e-12);
  EXPECT_NEAR(found->pmf.mass(17), .7, .03);
  EXPECT_NEAR(found->pmf.mass(18), .2, .03);
  EXPECT_NEAR(found->pmf.mass(25), .1, .03);
  EXPECT_LT(found->residual, .02);
  EXPECT_LT(found->pmf.variance(), without_clock(windows, empty, "w")->inflated_variance);
}

TEST(ClockCost, VariancesBelowZeroAreNoDeviation) {
  const ClockFree free = *without_clock(die(), die().plus(die()), "w");
  EXPECT_NEAR(free.variance, -35.0 / 12, 1e-12);
  EXPECT_FALSE(free.deviation());
  EXPECT_EQ(refusal(deconvolved(die(), die().plus(die()), 10, "w")),
            "w: the windows spread less than the empty ones; expected windows that hold the "
            "clock's own spread; measure both with the same blocks and threads");
}

TEST(ClockCost, RefusesWhatTakesTooLong) {
  const Pmf wide = Pmf::of_masses(0, std::vector<double>(40000, 1.0));
  EXPECT_EQ(refusal(without_clock(wide, wide, "w")),  // 40000^2 = 1.6e9
            "w: 40000 x 40000 masses; expected at most 1000000000 products; a coarser histogram");
  std::vector<double> dented(20000, 1.0);
  dented[1] = 0.5;  // the quotient falls below 0 there, so that rounds have to find it
  const Pmf empty = Pmf::of_masses(0, std::vector<double>(2001, 1.0));
  EXPECT_EQ(refusal(deconvolved(Pmf::of_masses(0, dented), empty, 1, "w")),  // 18000 values
            "w: 18000 x 2001 masses; expected at most 10000000 products; a coarser histogram");
}

TEST(ClockCost, V11OneSigmaOfANormalDistribution) {  // erf(1 / sqrt 2) = 0.682689
  std::vector<double> masses;
  for (int v = -6000; v <= 6000; ++v) masses.push_back(std::exp(-v * v / 2e6));
  const Pmf normal = Pmf::of_masses(-6000, masses);
  const double sigma = normal.deviation();
  EXPECT_NEAR(sigma, 1000, 0.1);
  const auto within = part_of(normal, std::lround(-sigma), std::lround(sigma), "n");
  ASSERT_TRUE(within);
  EXPECT_NEAR(within->share, std::erf(1 / std::sqrt(2)), 5e-4);
}

TEST(StraightLine, V5DramLatencyOfTheThesis) {  // Y = 0.466 X - 1911.2, 9984 < X <= 30720
  std::vector<LinePoint> points;
  for (double x = 10240; x <= 30720; x += 2560) points.push_back({x, 0.466 * x - 1911.2});
  const auto line = fit_line(points, 9984, "DRAM latency");
  ASSERT_TRUE(line);
  EXPECT_NEAR(line->slope, 0.466, 1e-12);
  EXPECT_NEAR(line->intercept, -1911.2, 1e-8);
  EXPECT_NEAR(line->r2, 1, 1e-12);
  EXPECT_NEAR(line->slope_deviation, 0, 1e-9);
  const double expected[][2] = {{10240, 2860.64}, {12800, 4053.60}, {15360, 5246.56},
                                {17920, 6439.52}, {20480, 7632.48}, {30720, 12404.32}};
  for (const auto& [x, y] : expected) {
    const auto value = line->at(x, "DRAM latency");
    ASSERT_TRUE(value) << x;
    EXPECT_NEAR(*value, y, 1e-7);
  }
  EXPECT_EQ(refusal(line->at(9984, "DRAM latency")),
            "DRAM latency: 9984 lies outside of the measured range; expected 9984 < x <= 30720");
  EXPECT_FALSE(line->at(30721, "DRAM latency"));
  const double root = -line->intercept / line->slope;
  EXPECT_NEAR(root, 4101.29, 0.01);
  EXPECT_NEAR((683 - line->intercept) / line->slope, 5566.95, 0.01);
}

TEST(StraightLine, R2AndDeviations) {
  // y = 1, 3, 2 at 0, 1, 2: slope 0.5, intercept 1.5, residuals -.5 1 -.5, R2 = 1 - 1.5 / 2.
  const LinePoint points[] = {{0, 1}, {1, 3}, {2, 2}};
  const auto line = fit_line(points, {}, "line");
  ASSERT_TRUE(line);
  EXPECT_NEAR(line->slope, 0.5, 1e-12);
  EXPECT_NEAR(line->intercept, 1.5, 1e-12);
  EXPECT_NEAR(line->r2, 0.25, 1e-12);
  EXPECT_NEAR(line->slope_deviation, std::sqrt(1.5 / 2), 1e-12);
  EXPECT_TRUE(line->at(0, "line"));
  // Two points with deviations 3 and 4 at a distance of 10: sqrt(9 + 16) / 10.
  const LinePoint two[] = {{0, 1, 3}, {10, 21, 4}};
  const auto short_line = fit_line(two, {}, "line");
  ASSERT_TRUE(short_line);
  EXPECT_NEAR(short_line->slope_deviation, 0.5, 1e-12);
  EXPECT_NEAR(short_line->intercept_deviation, 3, 1e-12);
  const LinePoint same[] = {{5, 1}, {5, 2}};
  EXPECT_EQ(refusal(fit_line(same, {}, "line")),
            "line: a line through 2 points; expected at least two different values; sweep it in "
            "the list of tests");
}

TEST(ConfigTable, NearestThreadsOfTheSweep) {
  ConfigTable table;
  table.add({1024, 20, 3});
  table.add({128, 16, 1});
  table.add({256, 18, 2});
  EXPECT_EQ(table.values().front().threads, 128);
  const auto found = table.at(200, "add");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->threads, 256);
  EXPECT_EQ(found->deviation, 2);
  EXPECT_EQ(table.at(192, "add")->threads, 128);
  EXPECT_EQ(refusal(table.at(64, "add")),
            "add: was not measured with 64 threads; expected 128 .. 1024");
  EXPECT_EQ(refusal(ConfigTable().at(64, "add")), "add: was not measured");
}

TEST(Pipelining, Table12WithItsWarnings) {
  const double division[] = {960, 1609, 2262, 2926, 3666, 4572, 5803, 6791};
  const double addition[] = {17, 6, 28, 28, 33, 40, 42, 40};
  std::map<std::size_t, double> div, add;
  for (std::size_t n = 1; n <= 8; ++n) {
    div[n] = division[n - 1];
    add[n] = addition[n - 1];
  }
  const Pipelining divisions = pipelining(div);
  EXPECT_TRUE(divisions.warnings.empty());
  const double increments[] = {960, 649, 653, 664, 740, 906, 1231, 988};
  for (std::size_t n = 0; n < 8; ++n) EXPECT_EQ(divisions.rows[n].increment, increments[n]);
  EXPECT_NEAR(divisions.cycles_each(), 848.9, 0.05);  // V9: row 1 is Table 10's 960
  EXPECT_EQ(divisions.rows.front().cycles, 960);
  const Pipelining additions = pipelining(add);
  EXPECT_EQ(additions.warnings,
            (std::vector<std::string>{"2 operations take 6 cycles, 1 take 17",
                                      "8 operations take 40 cycles, 7 take 42"}));
  EXPECT_EQ(additions.cycles_each(), 5.0);
}

}  // namespace
}  // namespace forewarp::tests
