// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "validation/validation.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>

#include <gtest/gtest.h>

#include "measured/measured_file.h"
#include "measured/points/measured_set.h"
#include "result/validation_json.h"
#include "test_paths.h"
#include "validation/validation_text.h"

namespace forewarp::tests {
namespace {

namespace fs = std::filesystem;

/// Nine launches of saxpy2 on a GTX 970, one of them refused, with made-up times.
class ValidationTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("forewarp-validation-" + std::to_string(::getpid()));
    fs::create_directories(folder_);
    std::ofstream cases(folder_ / "made.jsonl");
    for (int i = 1; i <= 9; ++i) {
      cases << R"({"id": )" << i << R"(, "input": ")" << FOREWARP_SOURCE_DIR
            << R"(/examples/saxpy2.sass", "gpu": "gtx970", "grid": )" << 400 * i << R"(, "block": )"
            << (i == 9 ? 2048 : 256) << R"(, "args": {"n": )" << 102400 * i << R"(, "a": )" << 8 * i
            << R"(}, "group": ")" << (i < 5 ? "few" : "many") << R"(", "measured_ms": )" << 0.02 * i
            << "}\n";
    }
  }
  void TearDown() override { fs::remove_all(folder_); }

  [[nodiscard]] MeasuredSet measured() const {
    auto set = read_measured((folder_ / "made.jsonl").string(), {});
    EXPECT_TRUE(set) << set.error().line();
    return std::move(*set);
  }

  static ValidatedSet run(const MeasuredSet& set, const ValidationOptions& options) {
    Predictor predictor(HardwareDatabase(FOREWARP_DATA_DIR));
    auto validated = validate(predictor, set, options);
    EXPECT_TRUE(validated) << validated.error().line();
    return std::move(*validated);
  }

  static std::string text(ValidatedSet set) {
    set.resumed = 0;
    Validation validation;
    validation.sets.push_back(std::move(set));
    return to_json(validation);
  }

  fs::path folder_;
};

ValidationOptions options_with(unsigned jobs, std::string journal = {}) {
  ValidationOptions options;
  options.choices.execute = false;
  options.jobs = jobs;
  options.journal = std::move(journal);
  return options;
}

TEST_F(ValidationTest, ScoresArePerSetWithRefusalsApart) {
  const ValidatedSet set = run(measured(), options_with(1));
  ASSERT_EQ(set.lines.size(), 1U);  // one GPU, one kernel
  EXPECT_EQ(set.lines[0].scores.points, 8U);
  EXPECT_EQ(set.lines[0].refused, 1U);
  EXPECT_NE(set.points[8].error.find("2048"), std::string::npos);
  ASSERT_EQ(set.groups.size(), 2U);
  EXPECT_EQ(set.groups[0].group, "few");
  EXPECT_EQ(set.groups[0].points, 4U);
  EXPECT_NEAR(set.groups[0].measured_ms, 0.05, 1e-12);  // of 0.02, 0.04, 0.06, 0.08
  EXPECT_GE(set.models.size(), 2U);                     // of one GPU: no lines by GPU
  const auto own = std::find_if(set.models.begin(), set.models.end(),
                                [](const ModelLine& line) { return line.model == "volkov"; });
  ASSERT_NE(own, set.models.end());
  EXPECT_DOUBLE_EQ(own->scores.mape, set.lines[0].scores.mape);
  ASSERT_EQ(set.baselines.size(), 2U);  // nothing was executed: no bytes
  EXPECT_EQ(set.baselines[0].name, "constant");
}

TEST_F(ValidationTest, ThreadsChangeNothing) {
  const std::string alone = text(run(measured(), options_with(1)));
  EXPECT_EQ(text(run(measured(), options_with(2))), alone);
  EXPECT_EQ(text(run(measured(), options_with(5))), alone);
}

TEST_F(ValidationTest, AnEndedRunGoesOnWithTheSameResult) {
  const std::string journal = (folder_ / "j").string();
  const std::string whole = text(run(measured(), options_with(1)));
  EXPECT_EQ(run(measured(), options_with(1, journal)).resumed, 0U);
  std::ifstream lines(journal);
  std::string first, second, third;
  std::getline(lines, first);
  std::getline(lines, second);
  std::getline(lines, third);
  lines.close();
  std::ofstream(journal) << first << '\n' << second << '\n' << third.substr(0, 30);
  const ValidatedSet resumed = run(measured(), options_with(1, journal));
  EXPECT_EQ(resumed.resumed, 2U);
  EXPECT_EQ(text(resumed), whole);
  EXPECT_EQ(run(measured(), options_with(2, journal)).resumed,
            8U);  // the refused one is asked again
}

TEST_F(ValidationTest, AnotherProgramTakesNothingOver) {
  const std::string journal = (folder_ / "j").string();
  ValidationOptions options = options_with(1, journal);
  options.key = "one";
  run(measured(), options);
  options.key = "two";
  EXPECT_EQ(run(measured(), options).resumed, 0U);
}

TEST_F(ValidationTest, ResumedPointsTakeTheMeasurementsOfNow) {
  const std::string journal = (folder_ / "j").string();
  MeasuredSet set = measured();
  run(set, options_with(1, journal));
  set.points[0].request.measured_ms = 5;
  set.points[0].request.group = "moved";
  set.points[1].apart = "elsewhere";
  const ValidatedSet again = run(set, options_with(1, journal));
  EXPECT_EQ(again.resumed, 8U);
  EXPECT_EQ(again.points[0].measured_ms, 5);
  EXPECT_EQ(again.points[0].group, "moved");
  EXPECT_EQ(again.points[1].apart, "elsewhere");
}

TEST_F(ValidationTest, AnotherLaunchIsPredictedAnew) {
  const std::string journal = (folder_ / "j").string();
  MeasuredSet set = measured();
  const double before = run(set, options_with(1, journal)).points[0].predicted_ms;
  set.points[0].request.launch.arguments[0].value.integer = 102400 * 7;
  set.points[0].request.launch.grid = {2800, 1, 1};
  const ValidatedSet again = run(set, options_with(1, journal));
  EXPECT_EQ(again.resumed, 7U);
  EXPECT_GT(again.points[0].predicted_ms, 2 * before);
}

TEST_F(ValidationTest, ShufflingMovesTheMeasurementsAndNothingElse) {
  ValidationOptions options = options_with(1);
  const ValidatedSet straight = run(measured(), options);
  options.shuffle = 3;
  const ValidatedSet shuffled = run(measured(), options);
  double sum = 0, straight_sum = 0;
  bool moved = false;
  for (std::size_t i = 0; i < 9; ++i) {
    EXPECT_EQ(shuffled.points[i].predicted_ms, straight.points[i].predicted_ms);
    sum += shuffled.points[i].measured_ms;
    straight_sum += straight.points[i].measured_ms;
    moved = moved || shuffled.points[i].measured_ms != straight.points[i].measured_ms;
  }
  EXPECT_TRUE(moved);
  EXPECT_NEAR(sum, straight_sum, 1e-12);
  EXPECT_EQ(straight.lines[0].scores.spearman, 1);
  EXPECT_LT(shuffled.lines[0].scores.spearman, 1);
}

TEST_F(ValidationTest, LeftOutNumbersAreUsedWhenAsked) {
  MeasuredSet set = measured();
  set.left_out["gtx970"].push_back({"sm.count", "1"});
  ValidationOptions options = options_with(1);
  const double with = run(set, options).points[7].predicted_ms;
  options.left_out = true;
  EXPECT_GT(run(set, options).points[7].predicted_ms, 5 * with);  // one SM instead of 13
}

TEST_F(ValidationTest, OtherRegistersAreAnotherProgram) {
  MeasuredSet set = measured();
  set.points[0].registers = 8;  // as the listing says
  set.points[1].registers = 9;
  set.points[8].registers = 9;  // the launch is refused
  const ValidatedSet validated = run(set, options_with(1));
  EXPECT_EQ(validated.points[0].apart, "");
  EXPECT_EQ(validated.points[1].apart, "other registers");
  EXPECT_EQ(validated.points[8].apart, "other registers");
  EXPECT_EQ(validated.lines[0].refused, 0U);
  ASSERT_EQ(validated.lines.size(), 2U);
  EXPECT_EQ(validated.lines[0].scores.points, 7U);
  EXPECT_EQ(validated.lines[1].part, "other registers");
  EXPECT_EQ(validated.lines[1].scores.points, 1U);
}

TEST_F(ValidationTest, RowsAreDrawnBySeedAndKeepTheirOrder) {
  MeasuredSet few = measured(), again = measured(), more = measured(), other = measured();
  draw_rows(few, 3, 1);
  draw_rows(again, 3, 1);
  draw_rows(more, 5, 1);
  draw_rows(other, 3, 2);
  const auto ids = [](const MeasuredSet& set) {
    std::vector<std::string> all;
    for (const MeasuredPoint& point : set.points) all.push_back(point.id);
    return all;
  };
  ASSERT_EQ(few.points.size(), 3U);
  EXPECT_EQ(ids(few), ids(again));
  EXPECT_NE(ids(few), ids(other));
  EXPECT_TRUE(std::is_sorted(few.points.begin(), few.points.end(),
                             [](const auto& a, const auto& b) { return a.id < b.id; }));
  for (const std::string& id : ids(few)) {  // a larger draw holds the smaller one
    const auto all = ids(more);
    EXPECT_NE(std::find(all.begin(), all.end(), id), all.end()) << id;
  }
  draw_rows(other, 0, 1);
  EXPECT_EQ(other.points.size(), 3U);
}

TEST_F(ValidationTest, TheWorstComeFirst) {
  const ValidatedSet set = run(measured(), options_with(1));
  const auto worst = worst_points(set, 20);
  ASSERT_EQ(worst.size(), 8U);  // not the refused one
  for (std::size_t i = 1; i < worst.size(); ++i) {
    EXPECT_GE(std::fabs(worst[i - 1]->relative_error()), std::fabs(worst[i]->relative_error()));
  }
  EXPECT_EQ(worst_points(set, 2).size(), 2U);
}

TEST_F(ValidationTest, IdsBecomeUniqueAndTheGpuOfTheCommandLineWins) {
  std::ofstream(folder_ / "same.jsonl")
      << R"({"id": 3, "gpu": "t4", "block": 32, "measured_ms": 1})" << '\n'
      << R"({"id": 3, "gpu": "t4", "block": 32, "measured_ms": 2})" << '\n';
  MeasuredOptions options;
  options.defaults.gpu = "a40";
  const auto set = read_measured((folder_ / "same.jsonl").string(), options);
  ASSERT_TRUE(set) << set.error().line();
  EXPECT_EQ(set->points[0].id, "same/3");
  EXPECT_EQ(set->points[1].id, "same/3#2");
  EXPECT_EQ(set->points[1].request.gpu, "a40");
}

TEST_F(ValidationTest, ANameOfAGpuIsItsId) {
  MeasuredSet set = measured();
  for (MeasuredPoint& point : set.points) point.request.gpu = "NVIDIA GeForce GTX 970";
  const ValidatedSet validated = run(set, options_with(1));
  ASSERT_EQ(validated.lines.size(), 1U);  // the refused one is on the same GPU
  EXPECT_EQ(validated.points[8].gpu, "gtx970");
}

TEST(MeasuredFile, ADescriptionOfATuningProblemIsNoMeasurement) {
  const std::string file = std::string(FOREWARP_FIXTURES) + "/tuning/axpy-t1.json";
  const auto set = read_measured(file, {});
  ASSERT_FALSE(set);
  EXPECT_EQ(set.error().line(),
            file +
                ": describes what is tuned (T1) and holds no measurement; expected "
                "results of a tuner or its cache file; give it with --t1 beside them");
}

TEST(MeasuredFile, RefusesWhatHoldsNoMeasurement) {
  const std::string file = std::string(FOREWARP_SOURCE_DIR) + "/examples/saxpy2.sass";
  EXPECT_FALSE(read_measured(file, {}));
  EXPECT_FALSE(read_measured("/nowhere", {}));
}

TEST(References, AreScoredBesideTheOwnByHand) {
  ValidatedSet set;
  set.reference = "the author";
  const double times[][3] = {{10, 11, 5}, {20, 16, 10}};  // measured, another's, own
  for (const auto& [measured, other, own] : times) {
    ScoredPoint point;
    point.kernel = "k";
    point.measured_ms = measured;
    point.reference_ms = other;
    point.predicted_ms = own;
    set.points.push_back(point);
  }
  set.points.push_back(set.points.front());
  set.points.back().reference_ms = 0;  // nobody else predicted it
  score(set);
  ASSERT_EQ(set.references.size(), 1U);
  const ReferenceLine& line = set.references.front();
  EXPECT_EQ(line.points, 2U);
  EXPECT_DOUBLE_EQ(line.mape, (0.1 + 0.2) / 2);
  EXPECT_DOUBLE_EQ(line.mae_ms, (1.0 + 4.0) / 2);
  EXPECT_DOUBLE_EQ(line.rmse_ms, std::sqrt((1.0 + 16.0) / 2));
  EXPECT_DOUBLE_EQ(line.own_mape, 0.5);
  EXPECT_NEAR(line.own_scaled, 0, 1e-12);  // a right shape
}

}  // namespace
}  // namespace forewarp::tests
