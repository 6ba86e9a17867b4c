// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "tuning/tuning_text.h"

#include <gtest/gtest.h>

#include "measured/tuners/tuning_results.h"
#include "result/tuning_json.h"
#include "tuning/measured_configurations.h"
#include "tuning/tune.h"

namespace forewarp::tests {
namespace {

/// Three configurations: one predicted, one measured besides, one that does not compile.
Tuning three() {
  Tuning tuning;
  tuning.title = "k";
  tuning.kernel = "k";
  tuning.gpu = "board";
  tuning.gpu_name = "A Board";
  tuning.parameters = {"T", "kind"};
  tuning.values = {{"1", "2"}, {"a", "b"}};
  tuning.problem_size = {"1000"};
  tuning.whole = 4;
  for (const auto& [t, kind] : {std::pair{"1", "a"}, {"2", "a"}, {"2", "b"}}) {
    TunedPoint point;
    point.words = {t, kind};
    point.reached = true;
    tuning.points.push_back(point);
  }
  for (const std::size_t i : {0U, 1U}) {
    TunedPoint& point = tuning.points[i];
    point.predicted_ms = point.expected_ms = i == 0 ? 2 : 3;
    point.low_ms = 0.5 * point.predicted_ms;
    point.high_ms = 2 * point.predicted_ms;
    point.limited_by = "dram";
    point.registers = 32;
  }
  tuning.points[2].error = "k.cu: no";
  tuning.points[2].refused = PointRefusal::no_code;
  tuning.refusals = {{PointRefusal::no_code, "k.cu: no", 1}};
  tuning.ranking = {0, 1};
  tuning.notes = {"said"};
  return tuning;
}

TEST(TuningText, RanksCountsAndSaysWhatFailed) {
  const std::string text = tuning_text(three(), 1);
  EXPECT_EQ(text,
            "k, A Board: 3 of 4 configurations meet the restrictions, 2 are ranked\n"
            "place  T  kind  predicted ms  from  to  limited by  warps/SM  waves  registers\n"
            "    1  1  a                2     1   4  dram               0      0         32\n"
            "\nnot ranked:\n1 do not compile: k.cu: no\nnote: said\n");
}

TEST(TuningText, ResourcesHaveTheirNamesForPeople) {
  Tuning tuning = three();
  tuning.points[0].limit_label = "device memory";
  tuning.not_reached = 1;
  EXPECT_EQ(tuning_text(tuning, 1).substr(0, tuning_text(tuning, 1).find("\n\n")),
            "k, A Board: 3 of 4 configurations meet the restrictions, 2 are ranked; incomplete: 1 "
            "were not reached before the run was ended\n"
            "place  T  kind  predicted ms  from  to  limited by     warps/SM  waves  registers\n"
            "    1  1  a                2     1   4  device memory         0      0         32");
  EXPECT_NE(tuning_csv(tuning, 1).find(",dram,"), std::string::npos);
}

// The best were predicted once more: what was not is at best as good as the last of them, and
// stands behind it.
TEST(TuningText, WhatWasNotRefinedStandsBehindAllThatWas) {
  Tuning tuning = three();
  tuning.points[2] = tuning.points[1];
  tuning.points[0].refined = tuning.points[1].refined = true;
  tuning.points[2].predicted_ms = tuning.points[2].expected_ms = 2.5;
  correct(tuning, {});
  EXPECT_EQ(tuning.ranking, (std::vector<std::size_t>{0, 1, 2}));
  const std::string text = tuning_text(tuning, 0);
  EXPECT_NE(text.find("registers  refined\n"), std::string::npos) << text;
  EXPECT_NE(text.find("32  yes\n"), std::string::npos) << text;
  EXPECT_NE(text.find("32  no\n"), std::string::npos) << text;
  // Where all that is shown was refined, or nothing, there is nothing to tell apart.
  EXPECT_EQ(tuning_text(tuning, 2).find("refined"), std::string::npos);
}

TEST(TuningText, NoIntervalIsADash) {
  Tuning tuning = three();
  tuning.points[0].low_ms = tuning.points[0].high_ms = 2;
  EXPECT_NE(tuning_text(tuning, 1).find(" 2     -   -  dram"), std::string::npos)
      << tuning_text(tuning, 1);
}

TEST(TuningText, SaysWhatMeasurementsDid) {
  Tuning tuning = three();
  correct(tuning, {{{1, 1.5}}, 2, 0});
  EXPECT_EQ(tuning.ranking, (std::vector<std::size_t>{1, 0}));
  const std::string text = tuning_text(tuning, 0);
  EXPECT_NE(text.find("1 configurations stand at their measured times; the others stay as "
                      "predicted, which no correction betters; 2 measured rows are no "
                      "configuration of this space\n"),
            std::string::npos)
      << text;
  EXPECT_EQ(tuning_csv(tuning, 1),
            "rank,T,kind,expected_ms,measured_ms,predicted_ms,low_ms,high_ms,limited_by,"
            "warps_per_sm,waves,registers\n1,2,a,1.5,1.5,3,1.5,6,dram,0,0,32\n");
}

TEST(TuningText, ACacheFileIsWhatItsReaderTakes) {
  const std::string cache = kernel_tuner_cache(three());
  const auto read = parse_tuning_results(cache, "cache.json");
  ASSERT_TRUE(read) << read.error().line();
  EXPECT_TRUE(read->cache_file);
  EXPECT_EQ(read->kernel, "k");
  EXPECT_EQ(read->device, "A Board");
  EXPECT_EQ(read->problem_size, (std::vector<std::string>{"1000"}));
  EXPECT_EQ(read->failed, 1U);
  ASSERT_EQ(read->configurations.size(), 2U);
  EXPECT_DOUBLE_EQ(read->configurations[1].median_ms, 3);
  EXPECT_EQ(read->configurations[1].parameters[0].second, "2");
  EXPECT_NE(cache.find("\"schema_version\": \"1.1.0\""), std::string::npos);
  EXPECT_NE(cache.find("\"2,b\": {\"T\":2,\"kind\":\"b\",\"time\":\"CompilationFailedConfig\""),
            std::string::npos)
      << cache;
  // Its own predictions, taken as measured, change no time.
  Tuning tuning = three();
  const auto measured = parse_measured(cache, "cache.json", tuning);
  ASSERT_TRUE(measured) << measured.error().line();
  ASSERT_EQ(measured->times.size(), 2U);
  EXPECT_EQ(measured->failed, 1U);
}

TEST(MeasuredConfigurations, RowsAreFoundByWhatTheirWordsMean) {
  const Tuning tuning = three();
  const auto measured =
      parse_measured("kind,T,time_ms\na,2.0,1.5\na,1,\nb,7,4\na,2,1.25\n", "m.csv", tuning);
  ASSERT_TRUE(measured) << measured.error().line();
  ASSERT_EQ(measured->times.size(), 1U);
  EXPECT_EQ(measured->times[0].point, 1U);
  EXPECT_DOUBLE_EQ(measured->times[0].ms, 1.25);  // the last row of the two
  EXPECT_EQ(measured->elsewhere, 1U);
  EXPECT_EQ(measured->failed, 1U);
  const auto refuse = [&](const char* text) {
    const auto read = parse_measured(text, "m.csv", tuning);
    return read ? "read" : read.error().line();
  };
  EXPECT_EQ(refuse("T,time_ms\n1,2\n"),
            "m.csv: has no column 'kind'; expected a column for each of T, kind");
  EXPECT_EQ(refuse("T,kind\n1,a\n"), "m.csv: has no column of times; expected time_ms");
  EXPECT_EQ(refuse("T,kind,time_ms\n9,a,1\n"),
            "m.csv: holds no measured configuration of this space; expected rows whose parameters "
            "are among the configurations");
}

}  // namespace
}  // namespace forewarp::tests
