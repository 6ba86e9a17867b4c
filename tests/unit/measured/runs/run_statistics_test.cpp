// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "measured/runs/run_statistics.h"

#include <cmath>

#include <gtest/gtest.h>

#include "measured/runs/run_text.h"

namespace forewarp::tests {
namespace {

TEST(RunStatistics, ExtremesMeanAndDeviation) {
  const RunStatistics s = run_statistics({30, 36, 30, 40}, {});
  EXPECT_EQ(s.count, 4U);
  EXPECT_EQ(s.best, 30);
  EXPECT_EQ(s.worst, 40);
  EXPECT_DOUBLE_EQ(s.mean, 34);
  EXPECT_DOUBLE_EQ(s.median, 33);
  EXPECT_DOUBLE_EQ(s.deviation, std::sqrt((16 + 4 + 16 + 36) / 3.0));
  EXPECT_EQ(run_statistics({7}, {}).deviation, 0);
  EXPECT_EQ(run_statistics({1, 2, 9}, {}).median, 2);
}

// Voudouris 2014, section 7.3: 193 of 200 runs up to the average case, 96.5 %.
TEST(RunStatistics, CoverageCountsTheBoundItself) {
  std::vector<double> runs(193, 3410);
  runs[0] = 3510;
  runs.insert(runs.end(), 7, 3511);
  RunOptions options;
  options.bound = 3510;
  const RunStatistics s = run_statistics(runs, options);
  EXPECT_EQ(s.covered, 193U);
  EXPECT_NE(run_text(s).find("covers 193 of 200 (96.5 %)"), std::string::npos);
}

// His Figure 20: 94 of 100 runs alike, 6 elsewhere.
TEST(RunStatistics, ExceptionsAreOutsideTheLargestCluster) {
  std::vector<double> runs(94, 72);
  runs.insert(runs.end(), {80, 88, 88, 89, 90, 60});
  RunOptions options;
  options.gap = 1;
  const RunStatistics s = run_statistics(runs, options);
  EXPECT_EQ(s.exceptions, 6U);
  ASSERT_EQ(s.clusters.size(), 4U);
  EXPECT_EQ(s.largest, 1U);
  EXPECT_EQ(s.clusters[3].low, 88);
  EXPECT_EQ(s.clusters[3].high, 90);
  EXPECT_EQ(s.clusters[3].count, 4U);
}

TEST(RunStatistics, AStepOfTheGapDoesNotPart) {
  RunOptions options;
  options.gap = 10;
  EXPECT_EQ(run_statistics({100, 110, 120}, options).clusters.size(), 1U);
  options.gap = 9.9;
  EXPECT_EQ(run_statistics({100, 110, 120}, options).clusters.size(), 3U);
  EXPECT_DOUBLE_EQ(run_statistics({100, 110, 120}, {}).gap, 1.1);  // 1 % of the median
}

// Four bins of 2.5 from 0 to 10: the last one holds its upper end.
TEST(RunStatistics, HistogramAndItsCurve) {
  RunOptions options;
  options.bins = 4;
  const RunStatistics s = run_statistics({0, 1, 2.5, 10}, options);
  ASSERT_EQ(s.histogram.size(), 4U);
  EXPECT_EQ(s.histogram[0].count, 2U);
  EXPECT_EQ(s.histogram[1].count, 1U);
  EXPECT_EQ(s.histogram[2].count, 0U);
  EXPECT_EQ(s.histogram[3].count, 1U);
  EXPECT_DOUBLE_EQ(s.histogram[1].cumulative, 0.75);
  EXPECT_DOUBLE_EQ(s.histogram[3].cumulative, 1);
  EXPECT_TRUE(run_statistics({5, 5}, options).histogram.empty());
}

TEST(RunColumn, TakesTheNumbersOfOneColumn) {
  EXPECT_EQ(*runs_in_column("t\n3\n\n4\n-\n", "r.csv", ""), (std::vector<double>{3, 4}));
  EXPECT_EQ(*runs_in_column("rate,time_ms\n2,0.5\n4,0.25\n", "r.csv", ""),
            (std::vector<double>{0.5, 0.25}));
  EXPECT_EQ(*runs_in_column("rate,time_ms\n2,0.5\n4,0.25\n", "r.csv", "rate"),
            (std::vector<double>{2, 4}));
}

TEST(RunColumn, SaysWhatIsWrong) {
  const auto line = [](std::string_view csv, std::string_view column) {
    return runs_in_column(csv, "r.csv", column).error().line();
  };
  EXPECT_EQ(line("a,b\n1,2\n", ""),
            "r.csv: has several columns; expected one of a, b; name it with --column");
  EXPECT_EQ(line("a,b\n1,2\n", "c"),
            "r.csv: has no column 'c'; expected one of a, b; name it with --column");
  EXPECT_EQ(line("a\n1\nfast\n", "a"), "r.csv: row 2 has 'fast' in a; expected a number");
  EXPECT_EQ(line("a\n-\n", "a"), "r.csv: has no number in a; expected a run per row");
}

}  // namespace
}  // namespace forewarp::tests
