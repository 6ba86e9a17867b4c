// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "validation/evaluation/evaluation_plan.h"

#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "hardware/database.h"
#include "test_paths.h"
#include "validation/evaluation/evaluator.h"
#include "validation/evaluation/model_variant.h"
#include "validation/evaluation/published_figure.h"
#include "validation/evaluation/whole_warps.h"

namespace forewarp::tests {
namespace {

constexpr const char* small_plan = R"(schema = "forewarp.evaluation/1"
title = "small"
gpus = ["gtx480@volkov"]
alphas = [32]
warps = [4]
reference = "volkov-basic"
models = ["volkov-basic", "hong-kim"]
[[figure]]
id = "E1"
kind = "computed"
what = "ratio"
gpu = "gtx480@volkov"
model = "hong-kim"
against = "volkov-basic"
workload = "memory:alpha=32"
quantity = "quotient_greatest"
warps = 4
low = 1.9
high = 2.1
)";

Expected<std::shared_ptr<const Gpu>> load(const std::string& id) {
  auto gpu = HardwareDatabase(FOREWARP_DATA_DIR).load(id);
  if (!gpu) return std::move(gpu).error();
  return std::make_shared<const Gpu>(std::move(*gpu));
}

std::string edited(std::string from, const std::string& to) {
  std::string text = small_plan;
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos);
  return text.replace(at, from.size(), to);
}

TEST(EvaluationPlan, QuotientsOfOnePoint) {
  const auto plan = parse_plan(small_plan, "small.toml");
  ASSERT_TRUE(plan) << plan.error().line();
  const auto evaluation = evaluate_models(*plan, {}, load);
  ASSERT_TRUE(evaluation) << evaluation.error().line();
  // Hong-Kim: (513 + 33) / 4; basic: (513 + 32 * 18) / 4.
  EXPECT_NEAR(evaluation->series[1].quotients[0].greatest, (513 + 32 * 18) / 546.0, 1e-9);
  EXPECT_NEAR(evaluation->figures[0].computed, 1089 / 546.0, 1e-9);
  EXPECT_TRUE(evaluation->figures[0].holds());
}

TEST(EvaluationPlan, RefusesWithThePlace) {
  const auto line = [](const std::string& text) {
    const auto plan = parse_plan(text, "small.toml");
    EXPECT_FALSE(plan);
    return plan ? std::string() : plan.error().line();
  };
  EXPECT_NE(line(edited("schema", "scheme")).find("'schema' is missing"), std::string::npos);
  EXPECT_NE(line(edited("/1\"", "/9\"")).find("forewarp.evaluation/1"), std::string::npos);
  EXPECT_NE(line(edited("alphas", "alpha")).find("small.toml:4"), std::string::npos);
  EXPECT_NE(line(edited("\"computed\"", "\"guessed\"")).find("computed or plausibility"),
            std::string::npos);
  EXPECT_NE(line(edited("kind = \"computed\"\n", "")).find("'kind' is missing"), std::string::npos);
  EXPECT_NE(line(edited("what = \"ratio\"\n", "")).find("incomplete"), std::string::npos);
  EXPECT_NE(line("= 3").find("small.toml:1"), std::string::npos);
}

TEST(EvaluationPlan, RefusesNumbersThatAskNothing) {
  const auto line = [](const std::string& text) {
    const auto plan = parse_plan(text, "small.toml");
    if (!plan) return plan.error().line();
    const auto evaluation = evaluate_models(*plan, {}, load);
    EXPECT_FALSE(evaluation);
    return evaluation ? std::string() : evaluation.error().line();
  };
  EXPECT_NE(line(edited("alphas = [32]", "alphas = [nan]")).find("from 0"), std::string::npos);
  EXPECT_NE(line(edited("warps = [4]", "warps = [-4]")).find("from 1"), std::string::npos);
  EXPECT_NE(line(edited("low = 1.9", "low = 9")).find("low is above high"), std::string::npos);
  EXPECT_NE(line(edited("alphas = [32]\n", "")).find("without alphas"), std::string::npos);
  EXPECT_NE(line(edited("against = \"volkov-basic\"\n", "")).find("'against'"), std::string::npos);
  EXPECT_NE(line(edited("quotient_greatest", "needed_warps")).find("'share'"), std::string::npos);
  EXPECT_NE(line(edited("quotient_greatest\"\nwarps = 4", "gbs\"")).find("'warps'"),
            std::string::npos);
}

TEST(EvaluationPlan, AFormulaIsAFigureToo) {
  std::string text = small_plan;
  text += R"(
[[figure]]
id = "W9"
kind = "computed"
what = "Little"
formula = "little"
inputs = { items = 10, interval = 10, latency = 2 }
quantity = "concurrency"
low = 2
high = 2
)";
  const auto plan = parse_plan(text, "small.toml");
  ASSERT_TRUE(plan) << plan.error().line();
  const auto evaluation = evaluate_models(*plan, {}, load);
  ASSERT_TRUE(evaluation) << evaluation.error().line();
  EXPECT_EQ(evaluation->figures[1].computed, 2);
}

TEST(WorkloadRun, NeededWarpsAndPeak) {
  WorkloadRun run(*load("gtx480@volkov"), *parse_workload("memory:alpha=32"));
  const auto basic = parse_variant("volkov-basic");
  EXPECT_NEAR(run.peak(*basic->model, basic->options), 1 / 33.0, 1e-12);  // issue: 33 a group
  EXPECT_NEAR(run.needed_warps(*basic->model, basic->options, 0.9), 0.9 * 1089 / 33, 1e-8);
  const auto never = parse_variant("volkov-basic:access_issue=500");
  EXPECT_EQ(run.needed_warps(*never->model, never->options, 1), 0);
}

TEST(EvaluationPlan, AQuantityThatNobodyKnowsIsRefused) {
  const auto plan = parse_plan(edited("quotient_greatest", "height"), "small.toml");
  ASSERT_TRUE(plan);
  const auto evaluation = evaluate_models(*plan, {}, load);
  ASSERT_FALSE(evaluation);
  EXPECT_EQ(evaluation.error().found, "'height' is no quantity");
}

TEST(Quotients, PointsWithoutATimeAreLeftOutAndCounted) {
  EvaluatedPoint good, bad, reference, no_reference;
  no_reference.cycles = -3;
  no_reference.applies = false;
  good.cycles = 2;
  bad.cycles = -1;
  bad.applies = false;
  reference.cycles = 4;
  const Quotient q = quotient_of({good, bad, good}, {reference, reference, no_reference});
  EXPECT_EQ(q.least, 2);
  EXPECT_EQ(q.greatest, 2);
  EXPECT_EQ(q.without, 2U);
}

TEST(WholeWarps, AreMultiplesOfTheSchedulers) {
  const auto warps = whole_warps(**load("gtx680@volkov"));
  EXPECT_EQ(warps.front(), 4);
  EXPECT_EQ(warps.back(), 64);
  EXPECT_EQ(warps.size(), 16U);
}

}  // namespace
}  // namespace forewarp::tests
