// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "driver/predictor.h"
#include "request/tables/calibration_file.h"
#include "request/tables/interval_file.h"
#include "test_paths.h"

namespace forewarp::tests {
namespace {

constexpr std::string_view head = "schema = \"forewarp.calibration/1\"\n";

std::string refusal(std::string_view body) {
  const auto read = parse_calibration(std::string(head) + std::string(body), "c.toml");
  return read ? "read" : read.error().line();
}

TEST(Calibration, ReadsWhatItWrites) {
  Calibration written;
  written.forewarp = "1.2";
  written.factors = {{"gajger",
                      "lambda",
                      "k\"1\"",
                      "gtx970",
                      "",
                      0.703787,
                      {"a\\b.toml", "ff", 2, 0.1, 0.3, 0.01, {"x", "y\n"}}}};
  written.numbers = {{"t4", "memory.read_share", "1", 0.8125, {"s", "00", 3, 0, 0.1, 0, {"z"}}}};
  const auto read = parse_calibration(calibration_text(written), "c.toml");
  ASSERT_TRUE(read) << read.error().line();
  ASSERT_EQ(read->factors.size(), 1U);
  EXPECT_EQ(read->factors[0].kernel, "k\"1\"");
  EXPECT_EQ(read->factors[0].value, 0.703787);
  EXPECT_EQ(read->factors[0].origin.used, (std::vector<std::string>{"x", "y\n"}));
  EXPECT_EQ(read->numbers[0].path, "memory.read_share");
  EXPECT_EQ(calibration_text(*read), calibration_text(written));
}

TEST(Calibration, TheVeryBoardWinsOverItsCapability) {
  Calibration calibration;
  calibration.factors = {{"m", "", "k", "", "5.2", 2, {}}, {"m", "", "k", "gtx970", "", 3, {}}};
  Gpu gpu;
  gpu.id = "gtx970";
  gpu.cc = {5, 2};
  EXPECT_EQ(calibration.factor("m", "k", gpu)->value, 3);
  gpu.id = "gtx980";
  EXPECT_EQ(calibration.factor("m", "k", gpu)->value, 2);
  EXPECT_EQ(calibration.factor("other", "k", gpu), nullptr);
}

TEST(Calibration, RefusesWithThePlace) {
  EXPECT_EQ(refusal("[[factor]]\nmodel = \"m\"\nkernel = \"k\"\nvalue = 1\n"),
            "c.toml:2:1: the factor is incomplete; expected model, kernel, and gpu or cc");
  EXPECT_EQ(refusal("[[factor]]\nmodel = \"gpuperf\"\nkernel = \"k\"\ngpu = \"g\"\nvalue = -1\n"),
            "c.toml:2:1: the factor is -1; expected a finite value above 0");
  EXPECT_NE(refusal("[[factor]]\nlambda = 1\n").find("lambda"), std::string::npos);
  const auto other = parse_calibration("schema = \"x\"", "c.toml");
  ASSERT_FALSE(other);
  EXPECT_NE(other.error().line().find("forewarp.calibration/1"), std::string::npos);
}

constexpr std::string_view origin = "source = \"s\"\npoints = 3\n";

std::string factor(std::string_view model, std::string_view value, std::string_view rest) {
  return "[[factor]]\nmodel = \"" + std::string(model) +
         "\"\nkernel = \"k\"\ngpu = \"g\"\nvalue = " + std::string(value) + '\n' +
         std::string(rest);
}

std::string number(std::string_view path, std::string_view value, std::string_view rest) {
  return "[[number]]\ngpu = \"g\"\npath = \"" + std::string(path) +
         "\"\nvalue = " + std::string(value) + '\n' + std::string(rest);
}

TEST(Calibration, RefusesWhatDoesNotExist) {
  const std::string known = factor("gpuperf", "0.5", origin);
  EXPECT_EQ(refusal(known), "read");
  EXPECT_TRUE(refusal(factor("gajgar", "0.5", origin))
                  .starts_with("c.toml:2:1: no model is named 'gajgar'; expected "));
  EXPECT_EQ(
      refusal("[[factor]]\noption = \"weight\"\n" + known.substr(11)),
      "c.toml:2:1: the model gpuperf has no number 'weight'; expected departure, barrier_factor");
  EXPECT_EQ(refusal("[[factor]]\nmodel = \"gpuperf\"\nkernel = \"k\"\ncc = \"x\"\nvalue = 1\n"),
            "c.toml:2:1: 'cc' is 'x'; expected a compute capability such as 5.2");
  EXPECT_TRUE(refusal(number("memory.red_share", "0.5", origin))
                  .starts_with("c.toml:2:1: no number of a GPU is named 'memory.red_share'; "
                               "expected memory.read_share"));
  EXPECT_EQ(refusal(number("memory.read_share", "0.5", "unit = \"GB/s\"\n")),
            "c.toml:2:1: 'memory.read_share' is in 'GB/s'; expected 1");
}

TEST(Calibration, RefusesValuesThatCannotBe) {
  for (const char* value : {"nan", "inf", "0", "-0.5"}) {
    EXPECT_EQ(
        refusal(factor("gpuperf", value, origin)),
        "c.toml:2:1: the factor is " + std::string(value) + "; expected a finite value above 0");
    EXPECT_EQ(refusal(number("memory.read_share", value, origin)),
              "c.toml:2:1: memory.read_share is " + std::string(value) +
                  "; expected a finite value above 0");
  }
  EXPECT_EQ(refusal(number("memory.read_share", "1.25", origin)),
            "c.toml:2:1: memory.read_share is 1.25; expected a share of the bandwidth on paper: 1 "
            "at most");
  EXPECT_EQ(refusal(number("memory.contention_read_share", "1.25", origin)), "read")
      << "a pole may lie above what memory moves";
}

TEST(Calibration, RefusesEntriesWithoutOriginAndTwice) {
  EXPECT_EQ(refusal(factor("gpuperf", "0.5", "points = 3\n")),
            "c.toml:2:1: the entry does not say what it comes from; expected source");
  EXPECT_EQ(refusal(number("memory.read_share", "0.5", "source = \"s\"\n")),
            "c.toml:2:1: 'points' is 0; expected a whole number above 0");
  EXPECT_EQ(refusal(factor("gpuperf", "0.5", std::string(origin) + "error_after = nan\n")),
            "c.toml:2:1: 'error_after' is nan; expected a finite number, 0 or more");
  const std::string once = factor("gpuperf", "0.5", origin);
  EXPECT_EQ(
      refusal(once + once),
      "c.toml:9:1: a second factor of gpuperf for k on g; expected one for each model, kernel "
      "and GPU");
  EXPECT_EQ(refusal(once + factor("volkov", "0.5", origin)), "read");
  const std::string share = number("memory.read_share", "0.5", origin);
  EXPECT_EQ(refusal(share + share),
            "c.toml:8:1: a second memory.read_share of g; expected one for each number and GPU");
}

Case saxpy2() {
  Case request;
  request.input = std::string(FOREWARP_SOURCE_DIR) + "/examples/saxpy2.sass";
  request.gpu = "gtx970";
  request.launch.grid = {1562500, 1, 1};
  request.launch.block = {256, 1, 1};
  for (const auto& [name, value] :
       {std::pair<const char*, std::int64_t>{"n", 400000000}, {"a", 128}}) {
    NamedArgument argument;
    argument.name = name;
    argument.value.integer = value;
    request.launch.arguments.push_back(argument);
  }
  return request;
}

bool assumes(const Result& result, const std::string& id) {
  for (const auto& assumption : result.assumptions) {
    if (assumption.id == id) return true;
  }
  return false;
}

// T is proportional to 1/lambda (eq. 4.4); a model without lambda has its time divided.
TEST(Calibration, FactorsReachThePredictionAndAreSaid) {
  Predictor predictor{HardwareDatabase(FOREWARP_DATA_DIR)};
  for (const auto& [model, option] : {std::pair{"gajger", "lambda"}, {"volkov", ""}}) {
    PredictOptions options;
    options.models = {model};
    PredictOptions at_one = options;
    if (*option != 0) at_one.model_options = {{"gajger.lambda", "1"}};
    const auto plain = predictor.predict(saxpy2(), "gtx970", at_one, {});
    ASSERT_TRUE(plain);
    auto calibration = std::make_shared<Calibration>();
    calibration->file = "c.toml";
    calibration->factors = {{model, option, "saxpy2", "gtx970", "", 0.5, {}}};
    options.calibration = calibration;
    const auto half = predictor.predict(saxpy2(), "gtx970", options, {});
    ASSERT_TRUE(half);
    EXPECT_NEAR(half->time_ms, 2 * plain->time_ms, 1e-9 * plain->time_ms);
    EXPECT_TRUE(assumes(*half, "calibrated"));
    const auto other = predictor.predict(saxpy2(), "gtx980", options, {});
    ASSERT_TRUE(other);
    EXPECT_TRUE(assumes(*other, "calibration-unused"));
  }
}

TEST(Calibration, NumbersOfTheBoardAreReplacedButForTheUsersOwn) {
  Predictor predictor{HardwareDatabase(FOREWARP_DATA_DIR)};
  auto calibration = std::make_shared<Calibration>();
  calibration->file = "c.toml";
  calibration->numbers = {{"gtx970", "memory.mixed_share", "1", 0.5, {}}};
  PredictOptions options;
  options.calibration = calibration;
  EXPECT_EQ((*predictor.gpu("gtx970", options))->memory.mixed_share, 0.5);
  options.overrides = {{"memory.mixed_share", "0.25"}};
  EXPECT_EQ((*predictor.gpu("gtx970", options))->memory.mixed_share, 0.25);
}

TEST(Calibration, AFileWrittenAnewIsSeenByTheSamePredictor) {
  Predictor predictor{HardwareDatabase(FOREWARP_DATA_DIR)};
  PredictOptions options;
  for (const double share : {0.5, 0.75}) {
    auto calibration = std::make_shared<Calibration>();
    calibration->file = "c.toml";
    calibration->numbers = {{"gtx970", "memory.mixed_share", "1", share, {}}};
    options.calibration = calibration;
    EXPECT_EQ((*predictor.gpu("gtx970", options))->memory.mixed_share, share);
  }
}

TEST(IntervalFile, RefusesFactorsThatDoNotHoldTheTime) {
  const std::string start = "schema = \"forewarp.intervals/1\"\nlevel = 0.9\n";
  EXPECT_TRUE(parse_intervals(start + "[class.memory]\nlow = 0.9\nhigh = 1.1\n", "i.toml"));
  const auto bad = parse_intervals(start + "[class.memory]\nlow = 1.1\nhigh = 1.2\n", "i.toml");
  ASSERT_FALSE(bad);
  EXPECT_EQ(
      bad.error().line(),
      "i.toml:3:1: the factors do not hold the predicted time; expected 0 < low <= 1 <= high");
  EXPECT_FALSE(parse_intervals("schema = \"forewarp.intervals/1\"\n", "i.toml")) << "no level";
}

TEST(IntervalFile, TheOwnTableHoldsEveryClass) {
  const auto table = own_intervals();
  ASSERT_TRUE(table) << table.error().line();
  ASSERT_NE(*table, nullptr);
  for (const char* name : {"short", "local memory", "latency", "memory", "memory, not measured",
                           "pipes", "static", "all"}) {
    EXPECT_TRUE((*table)->classes.contains(name)) << name;
  }
  EXPECT_EQ((*table)->level, 0.9);
}

}  // namespace
}  // namespace forewarp::tests
