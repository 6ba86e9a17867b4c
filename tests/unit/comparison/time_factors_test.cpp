// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "comparison/time_factors.h"

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "driver/result_builder.h"
#include "saxpy2_case.h"
#include "scattered_case.h"

namespace forewarp::tests {
namespace {

class TimeFactors : public EvaluatedLaunches {
 protected:
  static double time_ms(const Evaluation& evaluation) {
    return evaluation.runs.front().prediction.time_ms;
  }
  static std::vector<TimeFactor> factors_of(const Evaluation& a, const Evaluation& b) {
    return time_factors(a, a.runs.front(), b, b.runs.front());
  }
  static void expect_product(const Evaluation& a, const Evaluation& b) {
    double product = 1;
    for (const TimeFactor& factor : factors_of(a, b)) product *= factor.factor;
    EXPECT_NEAR(product, time_ms(b) / time_ms(a), 1e-4 * time_ms(b) / time_ms(a));
  }
};

TEST_F(TimeFactors, MultiplyToTheRatioOfTheTimes) {
  const Evaluation base = must(saxpy2_case(1, 256, "gtx970"));
  expect_product(base, must(saxpy2_case(128, 256, "gtx970")));
  expect_product(base, must(saxpy2_case(1, 64, "gtx970")));
  expect_product(base, must(saxpy2_case(16, 512, "gtx980")));
  expect_product(must(saxpy2_case(128, 128, "gtx980")), base);
}

// HBM3e and HBM3 differ in what a place takes, and a small array stays in L2.
TEST_F(TimeFactors, PlacesBelongToTrafficAndToTheMemory) {
  PredictOptions options;
  options.models = {"volkov"};
  const auto scattered = [&](std::uint64_t bytes, const char* gpu) {
    return must(scattered_case(bytes, gpu), options);
  };
  const Evaluation base = scattered(std::uint64_t{1} << 30, "h200-sxm");
  expect_product(base, scattered(std::uint64_t{1} << 30, "h100-sxm-80"));
  expect_product(base, scattered(std::uint64_t{1} << 24, "h200-sxm"));
}

TEST_F(TimeFactors, TheSameLaunchHasNone) {
  const Evaluation a = must(saxpy2_case(3, 256, "gtx970")), b = must(saxpy2_case(3, 256, "gtx970"));
  EXPECT_TRUE(factors_of(a, b).empty());
}

// Basic model, bound by fetching: time ~ 1 / clock, and nothing else differs.
TEST_F(TimeFactors, TheClockIsOneFactor) {
  PredictOptions slow;
  slow.models = {"volkov"};
  slow.model_options = {{"volkov.smooth", "0"}, {"volkov.waves", "off"}, {"volkov.block", "off"}};
  PredictOptions fast = slow;
  slow.clock = ClockChoice{ClockChoice::Kind::stated, 1000};
  fast.clock = ClockChoice{ClockChoice::Kind::stated, 1250};
  const auto factors = factors_of(must(saxpy2_case(128, 256, "gtx970"), slow),
                                  must(saxpy2_case(128, 256, "gtx970"), fast));
  ASSERT_FALSE(factors.empty());
  EXPECT_EQ(factors.front().id, "clock");
  EXPECT_NEAR(factors.front().factor, 1000.0 / 1250, 1e-3);
  EXPECT_EQ(factors.front().before, 1000);
  EXPECT_EQ(factors.front().unit, "MHz");
}

// Fetching and the CUDA cores take about four times as much with four times the passes: the limit
// has the effect, not the bound behind it.
TEST_F(TimeFactors, OfBoundsThatMoveTogetherTheTightestHasTheEffect) {
  PredictOptions options;
  options.models = {"volkov"};
  const Evaluation few = must(saxpy2_case(64), options), many = must(saxpy2_case(256), options);
  for (const auto& factors : {factors_of(few, many), factors_of(many, few)}) {
    ASSERT_FALSE(factors.empty());
    EXPECT_EQ(factors.front().id, "fetch");
    const double left =
        std::log(factors.front().factor) / std::log(factors.front().after / factors.front().before);
    EXPECT_GT(left, 0.7);  // smooth limits leave a part to the next
  }
}

// Another model for B: the factors of the numbers are A's model's, the rest is the model's.
TEST_F(TimeFactors, AnotherModelIsAFactorOfItsOwn) {
  PredictOptions first, second;
  first.models = {"volkov"};
  second.models = {"gajger"};
  const Evaluation a = must(saxpy2_case(16, 256, "gtx970"), first);
  const Evaluation b = must(saxpy2_case(16, 256, "gtx970"), second);
  expect_product(a, b);
  bool named = false;
  for (const TimeFactor& factor : factors_of(a, b)) named = named || factor.id == "model";
  EXPECT_TRUE(named);
}

TEST_F(TimeFactors, WhatOnlyASimulationSeesIsTheCodesOrder) {
  PredictOptions simulated;
  simulated.models = {"sim"};
  const Evaluation a = must(saxpy2_case(16, 256, "gtx970"), simulated);
  const Evaluation b = must(saxpy2_case(64, 256, "gtx970"), simulated);
  expect_product(a, b);
  for (const TimeFactor& factor : factors_of(a, b)) EXPECT_NE(factor.id, "model");
}

// Eight times the additions: a closed form that was run beside the simulation names the unit that
// they take; the simulation's own is what is left.
TEST_F(TimeFactors, AClosedFormBesideTheSimulationSaysWhatGrew) {
  PredictOptions both;
  both.models = {"sim", "volkov"};
  const Evaluation a = must(saxpy2_case(64, 256, "gtx970"), both);
  const Evaluation b = must(saxpy2_case(512, 256, "gtx970"), both);
  ASSERT_TRUE(a.runs.front().model->simulates());
  expect_product(a, b);
  const auto factors = factors_of(a, b);
  ASSERT_FALSE(factors.empty());
  EXPECT_EQ(factors.front().unit, "cycles per warp");
  EXPECT_GT(factors.front().factor, 2);
  for (const TimeFactor& factor : factors) {
    if (factor.id == "order") {
      EXPECT_NEAR(factor.factor, 1, 0.5);
    }
  }
}

// What starting a warp takes is launch overhead, whatever else the chip costs.
TEST_F(TimeFactors, StartingWarpsIsLaunchOverhead) {
  const Evaluation base = must(saxpy2_case(1, 64, "gtx970"));
  PredictOptions slow;
  slow.overrides.push_back({"launch.warp_cycles", "300"});
  const Evaluation late = must(saxpy2_case(1, 64, "gtx970"), slow);
  bool launch = false;
  for (const TimeFactor& factor : factors_of(base, late)) {
    EXPECT_NE(factor.id, "chip");
    if (factor.id == "launch") launch = factor.factor > 1;
  }
  EXPECT_TRUE(launch);
}

}  // namespace
}  // namespace forewarp::tests
