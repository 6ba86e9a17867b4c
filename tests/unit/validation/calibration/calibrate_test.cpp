// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Measurements are made from the model itself, so that the value that must come out is known.
#include "validation/calibration/calibrate.h"

#include <gtest/gtest.h>

#include "test_paths.h"

namespace forewarp::tests {
namespace {

MeasuredPoint point(std::int64_t a) {
  MeasuredPoint made;
  made.id = "a" + std::to_string(a);
  Case& request = made.request;
  request.input = std::string(FOREWARP_SOURCE_DIR) + "/examples/saxpy2.sass";
  request.gpu = "gtx970";
  request.timing = Timing::event;
  request.launch.grid = {15625, 1, 1};
  request.launch.block = {256, 1, 1};
  for (const auto& [name, value] : {std::pair<const char*, std::int64_t>{"n", 4000000}, {"a", a}}) {
    NamedArgument argument;
    argument.name = name;
    argument.value.integer = value;
    request.launch.arguments.push_back(argument);
  }
  return made;
}

class Calibrate : public testing::Test {
 protected:
  Predictor predictor{HardwareDatabase(FOREWARP_DATA_DIR)};
  CalibrateOptions options;
  MeasuredSet set;

  void SetUp() override {
    options.model = "gajger";
    options.source = "made.jsonl";
    set.name = "made";
  }

  /// A point that took 1/lambda of what the model says at lambda 1, timed by events.
  void measure(std::int64_t a, double lambda, const char* board = "gtx970") {
    MeasuredPoint made = point(a);
    made.request.gpu = board;
    PredictOptions choices;
    choices.models = {options.model};
    if (options.model == "gajger") choices.model_options = {{"gajger.lambda", "1"}};
    const auto result = predictor.predict(made.request, board, choices, {});
    ASSERT_TRUE(result) << result.error().line();
    const double added = (*predictor.gpu(board, {}))->event_us * 1e-3;
    made.request.measured_ms = added + (result->time_ms - added) / lambda;
    set.points.push_back(std::move(made));
  }
};

TEST_F(Calibrate, LambdaIsEstimatedOverMeasured) {
  for (const std::int64_t a : {128, 256, 512}) measure(a, 0.7);
  const auto factors = calibrate_factors(predictor, set, options);
  ASSERT_TRUE(factors) << factors.error().line();
  ASSERT_EQ(factors->size(), 1U);
  const CalibratedFactor& found = factors->front();
  EXPECT_EQ(found.option, "lambda");
  EXPECT_EQ(found.kernel, "saxpy2");
  EXPECT_EQ(found.gpu, "gtx970");
  EXPECT_NEAR(found.value, 0.7, 1e-9);
  EXPECT_NEAR(found.origin.error_after, 0, 1e-9);
  EXPECT_GT(found.origin.error_before, 0.25);
  EXPECT_EQ(found.origin.used, (std::vector<std::string>{"a128", "a256", "a512"}));
}

TEST_F(Calibrate, AnyModelHasAFactor) {
  options.model = "volkov";
  options.by_capability = true;
  for (const std::int64_t a : {128, 256, 512}) measure(a, 1.25);
  const auto factors = calibrate_factors(predictor, set, options);
  ASSERT_TRUE(factors);
  EXPECT_EQ(factors->front().option, "");
  EXPECT_EQ(factors->front().cc, "5.2");
  EXPECT_NEAR(factors->front().value, 1.25, 1e-9);
}

// Two boards of 5.2 at factors 1.2 and 1.3: one factor, the median of six points, (1.2 + 1.3)/2.
TEST_F(Calibrate, BoardsOfOneCapabilityShareAFactor) {
  options.model = "volkov";
  options.by_capability = true;
  for (const std::int64_t a : {128, 256, 512}) measure(a, 1.2);
  for (const std::int64_t a : {128, 256, 512}) measure(a, 1.3, "gtx980");
  const auto factors = calibrate_factors(predictor, set, options);
  ASSERT_TRUE(factors) << factors.error().line();
  ASSERT_EQ(factors->size(), 1U);
  EXPECT_EQ(factors->front().cc, "5.2");
  EXPECT_EQ(factors->front().gpu, "");
  EXPECT_EQ(factors->front().origin.points, 6);
  EXPECT_NEAR(factors->front().value, 1.25, 1e-9);
}

TEST_F(Calibrate, PointsThatCannotBePredictedAreCounted) {
  for (const std::int64_t a : {128, 256, 512}) measure(a, 0.7);
  for (const char* id : {"x", "y"}) {
    MeasuredPoint bad = point(128);
    bad.id = id;
    bad.request.kernel = "none";
    bad.request.measured_ms = 1;
    set.points.push_back(std::move(bad));
  }
  LeftOutPoints left_out;
  ASSERT_TRUE(calibrate_factors(predictor, set, options, &left_out));
  EXPECT_EQ(left_out.count, 2U);
  EXPECT_TRUE(left_out.first.starts_with("x: ")) << left_out.first;
}

TEST_F(Calibrate, RefusesTooFewAndContradictingPoints) {
  measure(128, 0.7);
  const auto few = calibrate_factors(predictor, set, options);
  ASSERT_FALSE(few);
  EXPECT_EQ(few.error().line(),
            "saxpy2 on gtx970: 1 points; expected at least 3; or one by its id: --from ID");
  options.from = "a128";
  EXPECT_TRUE(calibrate_factors(predictor, set, options)) << "one that is named is enough";
  options.from = "none";
  EXPECT_FALSE(calibrate_factors(predictor, set, options));
  options.from.clear();
  measure(256, 1.4);
  measure(512, 0.3);
  const auto contradiction = calibrate_factors(predictor, set, options);
  ASSERT_FALSE(contradiction);
  EXPECT_EQ(contradiction.error().line(),
            "saxpy2 on gtx970: points that contradict each other: estimated over measured is 0.3 "
            "(a512) to 1.4 (a256); expected two thirds of them within a quarter of the median; "
            "--bound memory|latency|compute takes those of one kind");
}

// What is measured with 0.6 of the theoretical bandwidth gives 0.6.
TEST_F(Calibrate, BandwidthComesFromPointsThatMemoryLimits) {
  PredictOptions slower;
  slower.overrides = {{"memory.mixed_share", "0.6"}};
  for (const std::int64_t a : {1, 2, 3, 512}) {
    MeasuredPoint made = point(a);
    const auto result = predictor.predict(made.request, "gtx970", slower, {});
    ASSERT_TRUE(result);
    made.request.measured_ms = result->time_ms;
    set.points.push_back(std::move(made));
  }
  const auto numbers = calibrate_bandwidth(predictor, set, options);
  ASSERT_TRUE(numbers) << numbers.error().line();
  ASSERT_EQ(numbers->size(), 1U);
  EXPECT_EQ(numbers->front().path, "memory.mixed_share");
  EXPECT_NEAR(numbers->front().value, 0.6, 0.01);
  EXPECT_EQ(numbers->front().origin.points, 3) << "not the one that arithmetic limits";
  EXPECT_LT(numbers->front().origin.error_after, 0.01);
}

// Two boards, each with its share; and what would need more than memory moves on paper.
TEST_F(Calibrate, EveryBoardGetsItsShare) {
  const auto measured = [&](const char* board, const char* share, double faster) {
    PredictOptions with;
    with.overrides = {{"memory.mixed_share", share}};
    for (const std::int64_t a : {1, 2, 3}) {
      MeasuredPoint made = point(a);
      made.id = board + made.id;
      made.request.gpu = board;
      const auto result = predictor.predict(made.request, board, with, {});
      ASSERT_TRUE(result);
      made.request.measured_ms = result->time_ms / faster;
      set.points.push_back(std::move(made));
    }
  };
  measured("gtx970", "0.6", 1);
  measured("gtx980", "0.7", 1);
  const auto numbers = calibrate_bandwidth(predictor, set, options);
  ASSERT_TRUE(numbers) << numbers.error().line();
  ASSERT_EQ(numbers->size(), 2U);
  EXPECT_NEAR(numbers->at(0).value, 0.6, 0.01);
  EXPECT_NEAR(numbers->at(1).value, 0.7, 0.01);
  set.points.clear();
  measured("gtx970", "1", 1.5);
  const auto above = calibrate_bandwidth(predictor, set, options);
  ASSERT_FALSE(above);
  EXPECT_NE(above.error().line().find("expected at most 1, what memory moves on paper"),
            std::string::npos)
      << above.error().line();
}

}  // namespace
}  // namespace forewarp::tests
