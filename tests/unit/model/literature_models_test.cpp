// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
//
// Formulas of the literature on mixes in round numbers: 8 instructions of 10 cycles and 1 access of
// 400, an SM that takes 2 cycles an instruction. L = 400, l = 10, c = 2, C = 8, M = 1.
#include <cmath>
#include <map>
#include <string>

#include <gtest/gtest.h>

#include "model/mix_formula.h"
#include "model_case.h"

namespace forewarp::tests {
namespace {

using Inputs = std::map<std::string, std::string, std::less<>>;

const MixModel& model_of(std::string_view name) {
  const auto model = models().find(name);
  EXPECT_TRUE(model);
  return dynamic_cast<const MixModel&>(**model);
}

Inputs round_mix(Inputs more = {}) {
  Inputs inputs{{"warps", "4"},
                {"compute", "8"},
                {"memory", "1"},
                {"compute_latency", "10"},
                {"memory_latency", "400"},
                {"instruction_cycles", "2"},
                {"issue_units", "1"},
                {"sustained_cycles", "50"},
                {"pin_cycles", "40"},
                {"sms", "10"}};
  for (auto& [name, value] : more) inputs[name] = value;
  return inputs;
}

double value(std::string_view model, std::string_view name, Inputs more = {}) {
  const auto values = evaluate_mix(model_of(model), round_mix(std::move(more)));
  EXPECT_TRUE(values) << (values ? "" : values.error().line());
  for (const auto& [key, number] : *values) {
    if (key == name) return number;
  }
  ADD_FAILURE() << model << " gives no " << name;
  return 0;
}

double cycles(std::string_view model, Inputs more = {}) {
  return value(model, "cycles", std::move(more));
}

TEST(VolkovBasic, TakesTheSlowerOfLatencyAndLimit) {
  EXPECT_DOUBLE_EQ(cycles("volkov-basic"), (400 + 8 * 10) / 4.0);
  EXPECT_DOUBLE_EQ(cycles("volkov-basic", {{"warps", "32"}}), 50);  // bandwidth
  EXPECT_DOUBLE_EQ(value("volkov-basic", "needed_warps"), 480 / 50.0);
}

TEST(VolkovBasic, CountsFurtherIssueCycles) {
  // 8 + 1 issues, the access taking 60 of them instead of 1: 68 cycles, more than 50.
  EXPECT_DOUBLE_EQ(cycles("volkov-basic", {{"warps", "64"}, {"access_issue", "60"}}), 68);
  // Two special functions of 25 issue cycles and one shared access of 13: 9 + 48 + 12.
  EXPECT_DOUBLE_EQ(cycles("volkov-basic", {{"warps", "64"},
                                           {"special", "2"},
                                           {"shared", "1"},
                                           {"special_issue", "25"},
                                           {"shared_issue", "13"}}),
                   69);
}

TEST(VolkovRefined, RootAndBisectionAgree) {
  const Inputs contention{{"a", "400"}, {"b", "50"}, {"c", "100"}, {"gbs_per_rate", "4000"}};
  Inputs by_root = contention, by_bisection = contention;
  by_bisection["solver"] = "bisection";
  for (const char* warps : {"1", "4", "9", "30"}) {
    by_root["warps"] = by_bisection["warps"] = warps;
    const double time = cycles("volkov-refined", by_root);
    EXPECT_NEAR(time, cycles("volkov-refined", by_bisection), 1e-9 * time) << warps;
    const double gbs = 4000 / time;  // the solution fulfils n = x (a + b T/(c-T) + C l) or is 50
    const double latency = 400 + 50 * gbs / (100 - gbs) + 80;
    if (time <= 50) continue;
    EXPECT_NEAR(latency / time, std::stod(warps), 1e-9 * latency) << warps;
  }
}

TEST(VolkovRefined, WithoutTrafficNothingQueues) {
  const Inputs contention{{"a", "400"}, {"b", "50"}, {"c", "100"}, {"gbs_per_rate", "0"}};
  EXPECT_DOUBLE_EQ(cycles("volkov-refined", contention), 120);
}

TEST(CudaGuide, ForgetsArithmeticLatencyUnlessCorrected) {
  EXPECT_DOUBLE_EQ(value("cuda-guide", "needed_warps"), 400 / (2.0 * 8));
  EXPECT_DOUBLE_EQ(value("cuda-guide", "needed_warps", {{"form", "refined"}}), 400 / (2.0 * 9) + 1);
  EXPECT_DOUBLE_EQ(value("cuda-guide", "needed_warps", {{"form", "corrected"}}), 25 + 10 / 2.0);
  EXPECT_DOUBLE_EQ(cycles("cuda-guide"), 9 * 2 * 25 / 4.0);
  EXPECT_DOUBLE_EQ(cycles("cuda-guide", {{"warps", "26"}}), 18);
}

TEST(CoarseGrained, RunLengthLatencyAndSwitchCost) {
  // R = 18, L = 400, C = 2.
  const Inputs cost{{"switch", "2"}};
  EXPECT_DOUBLE_EQ(value("saavedra-barrera", "needed_warps", cost), 400 / 20.0 + 1);
  EXPECT_DOUBLE_EQ(cycles("saavedra-barrera", cost), (18 + 400 + 2) / 4.0);
  EXPECT_DOUBLE_EQ(value("agarwal", "needed_warps", cost), 418 / 20.0);
  EXPECT_DOUBLE_EQ(cycles("agarwal", cost), 418 / 4.0);
  EXPECT_DOUBLE_EQ(cycles("agarwal", {{"switch", "2"}, {"warps", "21"}}), 20);
  EXPECT_DOUBLE_EQ(value("agarwal", "needed_warps", {{"run", "latency"}}), (80 + 400) / 80.0);
  EXPECT_DOUBLE_EQ(value("mowry", "needed_warps"), 400 / 18.0);
  EXPECT_DOUBLE_EQ(cycles("mowry"), 100);
  EXPECT_DOUBLE_EQ(cycles("mowry", {{"warps", "23"}}), 18);
}

TEST(ChenAamodt, ThreeVariants) {
  const double rate = 9 / 480.0;
  EXPECT_DOUBLE_EQ(cycles("chen-aamodt", {{"variant", "1"}}), 9 / rate);
  EXPECT_DOUBLE_EQ(cycles("chen-aamodt", {{"variant", "2"}}), 9 / (4 * rate));
  EXPECT_DOUBLE_EQ(cycles("chen-aamodt"), 9 / (1 - std::pow(1 - rate, 4)));
  EXPECT_DOUBLE_EQ(cycles("chen-aamodt", {{"issue_units", "2"}}),
                   9 / (2 * (1 - std::pow(1 - rate, 2))));
}

TEST(Kothapalli, DoesNotLookAtOccupancy) {
  EXPECT_DOUBLE_EQ(cycles("kothapalli"), 400 / 5.0);  // depth 10 / 2
  EXPECT_DOUBLE_EQ(cycles("kothapalli", {{"combine", "sum"}, {"depth", "8"}, {"warps", "30"}}), 60);
}

TEST(Baghsorkhi, AddsComputationAndTheWorstNode) {
  // 4 warps: an instruction takes max(2, 10/4) = 2.5; between two accesses 20 + 2.
  EXPECT_DOUBLE_EQ(cycles("baghsorkhi"), 20 + (400 - 3 * 22));
  // 20 warps: 16 + 2 between; bandwidth node 2 + (50 - 18) beats 400 - 19 * 18.
  EXPECT_DOUBLE_EQ(cycles("baghsorkhi", {{"warps", "20"}}), 16 + std::max(34, 400 - 19 * 18));
}

TEST(ZhangOwens, LargerOrSum) {
  EXPECT_DOUBLE_EQ(cycles("zhang-owens"), 100);  // memory 400/4 against 8 * 2.5
  EXPECT_DOUBLE_EQ(cycles("zhang-owens", {{"merge", "sum"}}), 120);
  EXPECT_DOUBLE_EQ(cycles("zhang-owens", {{"warps", "40"}}), 50);
}

TEST(GpuMech, RoundRobinHidesEverythingGreedyDoesNot) {
  EXPECT_DOUBLE_EQ(cycles("gpumech"), 480 / 4.0);
  // p = 9/480; 20 warps: an access's stall of 399 offers min(p*399, 1) = 1 issue each: 19 < 399;
  // an instruction's stall of 9 offers p*9 each: 19 * 9 * 9/480 < 9: nothing is unhidden.
  EXPECT_DOUBLE_EQ(cycles("gpumech", {{"policy", "gto"}, {"warps", "20"}}), 24);
  // 100 warps: 99 * 81/480 - 9 per instruction.
  const double lost = 8 * (99 * 81 / 480.0 - 9);
  EXPECT_DOUBLE_EQ(cycles("gpumech", {{"policy", "gto"}, {"warps", "100"}}), (480 + lost) / 100);
}

TEST(GpuMech, BandwidthDelayTurnsNegativeAboveFullLoad) {
  // s = 40/10; 4 warps on 10 SMs: 40 requests in 400 cycles, rho = 0.1 * 4.
  EXPECT_DOUBLE_EQ(value("gpumech", "rho", {{"bandwidth", "on"}}), 0.4);
  EXPECT_DOUBLE_EQ(value("gpumech", "bandwidth_delay", {{"bandwidth", "on"}}),
                   0.1 * 16 / (2 * 0.6));
  // 20 warps: rho = 2, delay 0.5 * 16 / (2 * -1).
  EXPECT_DOUBLE_EQ(value("gpumech", "bandwidth_delay", {{"bandwidth", "on"}, {"warps", "20"}}), -4);
}

TEST(MixModel, AGridThatDoesNotFillTheGpuRunsAtItsOwnPace) {
  const ModelCase made;  // 10 SMs at 1000 MHz; 4 blocks of 8 warps fit on each; latency 1000
  ModelInput input = made.input();
  const Model& basic = **models().find("volkov-basic");
  const OptionValues options = *basic.parse_options({});
  const auto time_us = [&](double blocks) {
    input.launch.blocks = blocks;
    return basic.predict(input, options).time_ms * 1e3;
  };
  EXPECT_NEAR(time_us(1), 1, 1e-9);     // one block, one SM: a warp's latency
  EXPECT_NEAR(time_us(10), 1, 1e-9);    // one on each
  EXPECT_NEAR(time_us(20), 1, 1e-9);    // two on each, side by side
  EXPECT_NEAR(time_us(40), 1, 1e-9);    // a full wave
  EXPECT_NEAR(time_us(400), 10, 1e-9);  // ten
}

TEST(MixFormula, RefusesWhatItDoesNotKnow) {
  const MixModel& model = model_of("gpumech");
  const auto unknown = evaluate_mix(model, round_mix({{"height", "3"}}));
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().found, "has no input 'height'");
  const auto missing = evaluate_mix(model, {{"warps", "3"}});
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().found, "input 'compute' is missing");
  const auto text = evaluate_mix(model, round_mix({{"warps", "many"}}));
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().expected, "NAME=NUMBER, finite");
}

TEST(MixFormula, RefusesNumbersThatCannotBe) {
  const auto expected = [](Inputs more) {
    const auto values = evaluate_mix(model_of("volkov-basic"), round_mix(std::move(more)));
    return values ? "none" : values.error().expected;
  };
  for (const char* text : {"nan", "inf", "-inf"}) {
    EXPECT_EQ(expected({{"warps", text}}), "NAME=NUMBER, finite") << text;
  }
  for (const char* name :
       {"warps", "compute_latency", "instruction_cycles", "issue_units", "sms", "c"}) {
    EXPECT_EQ(expected({{name, "0"}}), "a number above 0") << name;
  }
  for (const char* name : {"compute", "memory", "memory_latency", "sustained_cycles", "special"}) {
    EXPECT_EQ(expected({{name, "-1"}}), "a number not below 0") << name;
  }
  EXPECT_EQ(expected({{"compute", "0"}, {"memory", "0"}}), "instructions of a warp");
  EXPECT_FALSE(evaluate_mix(model_of("mwp-cwp-probabilistic"), round_mix({{"spread", "nan"}})));
}

TEST(MixFormula, RefusesTermsThatNeedAGpu) {
  for (const char* name : {"hong-kim", "gpuperf"}) {
    EXPECT_TRUE(evaluate_mix(model_of(name), round_mix()));
    const auto full = evaluate_mix(model_of(name), round_mix({{"form", "full"}}));
    ASSERT_FALSE(full);
    EXPECT_EQ(full.error().found, "'form=full' has terms of a kernel and a GPU");
  }
}

}  // namespace
}  // namespace forewarp::tests
