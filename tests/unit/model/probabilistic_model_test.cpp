// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "model/mwp_cwp_probabilistic/probabilistic_model.h"

#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "alpha_mix_case.h"
#include "figure.h"
#include "model/gpuperf/gpuperf_model.h"
#include "model/hong_kim/hong_kim_model.h"
#include "model/mwp_cwp_probabilistic/latency_distribution.h"

namespace forewarp::tests {
namespace {

Atoms coin() {
  Atoms atoms;
  atoms.add(1, 0.5);
  atoms.add(3, 0.5);
  return atoms;
}

// Three draws of 1 or 3: means 1, 5/3, 7/3, 3 with 1/8, 3/8, 3/8, 1/8.
TEST(LatencyDistribution, MeansOfFewDrawsAreEnumerated) {
  Atoms means = mean_of_draws(coin(), 3);
  ASSERT_EQ(means.all().size(), 4U);
  EXPECT_NEAR(means.mean(), 2, 1e-12);
  EXPECT_NEAR(means.variance(), 1.0 / 3, 1e-12);
  EXPECT_DOUBLE_EQ(means.quantile(0.125), 1);
  EXPECT_NEAR(means.quantile(0.13), 5.0 / 3, 1e-12);
  EXPECT_NEAR(means.quantile(0.5), 5.0 / 3, 1e-12);
  EXPECT_DOUBLE_EQ(means.quantile(0.95), 3);
}

TEST(LatencyDistribution, ManyDrawsAreNormal) {
  Atoms means = normal_mean(coin(), 100);
  EXPECT_NEAR(means.mean(), 2, 1e-9);
  EXPECT_NEAR(std::sqrt(means.variance()), 0.1, 1e-4);
  EXPECT_NEAR(means.quantile(0.95), 2 + 1.645 * 0.1, 0.02);
}

TEST(LatencyDistribution, APointStaysAPoint) {
  Atoms point;
  point.add(0.3, 1);
  point.add(7, 0);
  EXPECT_EQ(mean_of_draws(point, 4).all().size(), 1U);
  EXPECT_EQ(normal_mean(point, 1e9).mean(), 0.3);
}

// Not nearly: the same bits, whatever the mode.
TEST(ProbabilisticModel, PointMassesGiveThePlainEquations) {
  for (const double alpha : {0.0, 1.0, 8.0, 32.0, 512.0}) {
    for (const double n : {1.0, 2.0, 5.0, 16.0, 32.0}) {
      const AlphaMixCase c(gt200, alpha, n);
      const ProbabilisticModel model;
      const Prediction p = c.predict(model, {{"mwp-cwp-probabilistic.spread", "0"}});
      const Prediction plain = c.predict(HongKimModel());
      EXPECT_EQ(p.time_ms, plain.time_ms) << alpha << ' ' << n;
      EXPECT_EQ(p.low_ms, plain.time_ms);
      EXPECT_EQ(p.high_ms, plain.time_ms);
      const Prediction s = c.predict(model, {{"mwp-cwp-probabilistic.spread", "0"},
                                             {"mwp-cwp-probabilistic.equations", "gpuperf"}});
      EXPECT_EQ(s.time_ms, c.predict(GpuPerfModel()).time_ms) << alpha << ' ' << n;
    }
  }
}

/// One access and ten instructions of a lone warp: 110 + latency cycles; no bandwidth limit.
struct OneAccess : ModelCase {
  OneAccess() {
    gpu.memory.latency = 400;
    gpu.memory.theory_gbs = 1e9;
    demand.count(Count::instructions) = 11;
    demand.count(Count::memory_instructions) = demand.count(Count::load_requests) = 1;
    demand.count(Count::read_bytes) = 128;
    demand.cycles(0) = 110;
    latency.memory_cycles = 400;
    launch = {10, 1, 32, 1, 1, Megahertz(1000), {}, {}};
  }
};

// Latency 320, 400 or 480, a third each: mean 510, range 430 to 590 cycles.
TEST(ProbabilisticModel, OneAccessKeepsItsDistribution) {
  const Prediction p =
      OneAccess().predict(ProbabilisticModel(), {{"mwp-cwp-probabilistic.spread", "0.2"}});
  EXPECT_NEAR(p.time_ms, 510e-6, 1e-12);
  EXPECT_NEAR(p.low_ms, 430e-6, 1e-12);
  EXPECT_NEAR(p.high_ms, 590e-6, 1e-12);
  EXPECT_EQ(p.why, "the spread of memory latency is assumed, not measured");
}

// A slot that makes 400 accesses one after another: the deviation shrinks by 20.
TEST(ProbabilisticModel, ManyAccessesAverageOut) {
  OneAccess c;
  c.launch.blocks = 4000;
  const auto at = [&](const char* name) {
    return figure(ProbabilisticModel(), c.input(), name, {{"mwp-cwp-probabilistic.spread", "0.2"}});
  };
  EXPECT_DOUBLE_EQ(at("accesses_in_a_row"), 400);
  const double deviation = 400 * 0.2 * std::sqrt(2.0 / 3);
  EXPECT_NEAR(at("latency_deviation"), deviation, 1e-9);
  EXPECT_NEAR(at("cycles_mean"), 510, 1e-6);
  EXPECT_NEAR(at("cycles_95") - at("cycles_50"), 1.645 * deviation / 20, 0.25 * deviation / 20);
}

// Half of the loads in L1 at 100 cycles, half in memory at 400: a warp waits 250, or 100 or 400.
TEST(ProbabilisticModel, LevelsAreMixedByTheirShares) {
  OneAccess c;
  c.gpu.l1.latency = 100;
  c.demand.count(Count::l1_requests) = 0.5;
  c.latency.memory_cycles = 250;
  const Prediction p = c.predict(ProbabilisticModel(), {{"mwp-cwp-probabilistic.spread", "0"}});
  EXPECT_NEAR(p.time_ms, 360e-6, 1e-12);
  EXPECT_NEAR(p.low_ms, 210e-6, 1e-12);
  EXPECT_NEAR(p.high_ms, 510e-6, 1e-12);
}

// All in L1: one value, the plain model's.
TEST(ProbabilisticModel, EverythingInL1IsAPoint) {
  OneAccess c;
  c.gpu.l1.latency = 100;
  c.demand.count(Count::l1_requests) = 1;
  c.latency.memory_cycles = 100;
  const Prediction p = c.predict(ProbabilisticModel());
  EXPECT_EQ(p.time_ms, c.predict(HongKimModel()).time_ms);
  EXPECT_EQ(p.low_ms, p.high_ms);
}

// Quantiles of the GPU, between little and much traffic: here no traffic to speak of.
TEST(ProbabilisticModel, MeasuredQuantilesReplaceTheSpread) {
  OneAccess c;
  for (const char* q : {"q05", "q25", "q50", "q75", "q95"}) {
    const double low = q[1] == '0' ? 0.9 : q[1] == '9' ? 1.1 : 1;
    c.gpu.facts[std::string("model.mwp-cwp-probabilistic.low.") + q].value = low;
    c.gpu.facts[std::string("model.mwp-cwp-probabilistic.high.") + q].value = 2 * low;
  }
  const Prediction p = c.predict(ProbabilisticModel());
  EXPECT_TRUE(p.why.empty());
  EXPECT_NEAR(p.low_ms, (110 + 360) * 1e-6, 1e-11);
  EXPECT_NEAR(p.high_ms, (110 + 440) * 1e-6, 1e-11);
}

// More requests served by caches than loads (atomics): shares 2/3 and 1/3 of L1 and L2, none left.
TEST(ProbabilisticModel, SharesAboveOneAreThoseOfAllRequests) {
  OneAccess c;
  c.gpu.l1.latency = 100;
  c.gpu.l2.latency = 400;
  c.demand.count(Count::l1_requests) = 2;
  c.demand.count(Count::l2_requests) = 1;
  c.latency.memory_cycles = 200;
  const Prediction p = c.predict(ProbabilisticModel());
  EXPECT_NEAR(p.time_ms, (110 + 200) * 1e-6, 1e-12);
  EXPECT_NEAR(p.low_ms, (110 + 100) * 1e-6, 1e-12);
  EXPECT_NEAR(p.high_ms, (110 + 400) * 1e-6, 1e-12);
}

TEST(ProbabilisticModel, ASpreadBeyondItsMeanIsRefused) {
  for (const char* spread : {"1.5", "1", "-0.1"}) {
    const auto values =
        ProbabilisticModel().parse_options({{"mwp-cwp-probabilistic.spread", spread}});
    ASSERT_FALSE(values) << spread;
    EXPECT_EQ(values.error().expected, "a number from 0 to below 1");
  }
  EXPECT_TRUE(OneAccess()
                  .predict(ProbabilisticModel(), {{"mwp-cwp-probabilistic.spread", "0.99"}})
                  .applies);
}

}  // namespace
}  // namespace forewarp::tests
