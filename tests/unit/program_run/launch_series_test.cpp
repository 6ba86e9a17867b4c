// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Times of launches that were not predicted themselves.
#include "program_run/launch_series.h"

#include <gtest/gtest.h>

namespace forewarp::tests {
namespace {

using namespace program_run;  // NOLINT

LaunchPoint point(double ms, double instructions = 0) {
  LaunchPoint made;
  made.ms = ms;
  made.instructions = instructions;
  made.share = 0.5;
  made.parameters = {1};
  return made;
}

/// Launches of `function` with so many blocks of 32 threads.
SeriesKey blocks(std::uint64_t count, std::uint64_t function = 1) {
  return {function, count, 1, 1, 32, 1, 1, 0};
}

TEST(LaunchSeries, TimesFollowTheNumberOfInstructions) {
  LaunchSeries series;
  EXPECT_EQ(time_of(series, 10), 0);
  series.points = {point(2, 100), point(6, 300)};
  EXPECT_DOUBLE_EQ(time_of(series, 150), 3);
  EXPECT_DOUBLE_EQ(time_of(series, 50), 1);   // half of 100's 2 ms
  EXPECT_DOUBLE_EQ(time_of(series, 400), 8);  // 4 / 3 of 300's 6 ms
}

// The latest prediction is of a shorter launch: it says nothing of the longer one.
TEST(LaunchSeries, AKnownNumberOfInstructionsHasItsOwnTime) {
  LaunchSeries series;
  series.points = {point(6, 300), point(2, 100)};
  EXPECT_DOUBLE_EQ(time_of(series, 300), 6);
  series.points.push_back(point(7, 300));
  EXPECT_DOUBLE_EQ(time_of(series, 300), 7);
  EXPECT_TRUE(knows(series, 329));
  EXPECT_FALSE(knows(series, 200));
}

// As many instructions, but arguments that make the launch four times as long.
TEST(LaunchSeries, ParametersDecideAmongEqualNumbers) {
  LaunchSeries series;
  series.points = {point(1, 100), point(4, 100)};
  series.points[1].parameters = {2};
  EXPECT_DOUBLE_EQ(time_of(series, same_launch(series, {1}, {}), 100), 1);
  EXPECT_DOUBLE_EQ(time_of(series, same_launch(series, {1}, {}), 105), 1.05);
  EXPECT_DOUBLE_EQ(time_of(series, same_launch(series, {2}, {}), 100), 4);
  EXPECT_EQ(same_launch(series, {3}, {}), nullptr);
  EXPECT_DOUBLE_EQ(time_of(series, nullptr, 100), 4);  // the latest
}

TEST(LaunchSeries, ContentsDecideWhereNothingIsExecuted) {
  LaunchSeries series;
  series.points = {point(1), point(4)};
  series.points[0].contents = {11};
  series.points[1].contents = {12};
  EXPECT_EQ(same_launch(series, {1}, {11})->ms, 1);
  EXPECT_EQ(same_launch(series, {1}, {12})->ms, 4);
  EXPECT_EQ(same_launch(series, {1}, {13}), nullptr);
  EXPECT_EQ(same_launch(series, {1}, {})->ms, 4);
}

TEST(LaunchSeries, ValuesAreTriedMoreAndMoreSeldom) {
  LaunchSeries series;
  std::vector<std::uint64_t> tried_values;
  for (std::uint64_t value = 1; value <= 20; ++value) {
    if (tries(series, value)) tried_values.push_back(value);
    EXPECT_FALSE(tries(series, value));
  }
  EXPECT_EQ(tried_values, (std::vector<std::uint64_t>{1, 2, 4, 8, 16}));
  series.points = {point(1, 100), point(2, 100)};
  tried(series);  // 2 ms where the other says 1
  EXPECT_TRUE(series.strays);
  EXPECT_TRUE(tries(series, 21));
  series.points = {point(1, 100), point(2.1, 200)};
  tried(series);
  EXPECT_FALSE(series.strays);
  EXPECT_FALSE(tries(series, 22));
}

// 64 blocks are nearer to 40 (1.6 times) than 16 (2.5 times) are: 8 ms * 40 / 64 = 5 ms.
TEST(StandIn, TakesTheNearestSizeByItsThreads) {
  AllSeries all;
  all[blocks(16)].points = {point(1)};
  all[blocks(64)].points = {point(2), point(8)};
  all[blocks(40, 2)].points = {point(100)};  // another kernel
  const auto made = stand_in(all, blocks(40));
  ASSERT_TRUE(made);
  EXPECT_DOUBLE_EQ(made->ms, 5);
  EXPECT_DOUBLE_EQ(made->share, 0.5 * 40 / 64);
  EXPECT_TRUE(made->stands_in);
  EXPECT_TRUE(made->parameters.empty());
}

// What stands in is never stood in for: errors of a chain of sizes would add up.
TEST(StandIn, ComesOnlyFromPredictedLaunches) {
  AllSeries all;
  all[blocks(16)].points = {point(1)};
  all[blocks(32)].points = {*stand_in(all, blocks(32))};
  EXPECT_DOUBLE_EQ(all[blocks(32)].points[0].ms, 2);
  all[blocks(32)].points[0].ms = 50;  // would show
  all[blocks(80)].points = {point(9)};
  all[blocks(80)].points[0].failure = "no model";
  const auto made = stand_in(all, blocks(64));
  ASSERT_TRUE(made);
  EXPECT_DOUBLE_EQ(made->ms, 4);  // of 16 blocks, not of 32 or 80
}

// 40 blocks are 5.3 % more than 38; 41 are 2.5 % more.
TEST(StandIn, IsWithinTheRatioThatIsAskedFor) {
  AllSeries all;
  all[blocks(38)].points = {point(1)};
  EXPECT_FALSE(stand_in(all, blocks(40), 1.05));
  EXPECT_TRUE(stand_in(all, blocks(40), 1.06));
  all[blocks(41)].points = {point(20.5)};
  EXPECT_DOUBLE_EQ(stand_in(all, blocks(40), 1.05)->ms, 20);
}

TEST(StandIn, CountsTheSizesThatWerePredicted) {
  AllSeries all;
  all[blocks(1)].points = {point(1)};
  all[blocks(2)].points = {point(1), point(2)};
  all[blocks(3)].points = {*stand_in(all, blocks(3))};
  all[blocks(4)].points = {point(0)};
  all[blocks(4)].points[0].failure = "no model";
  all[blocks(5)];
  all[blocks(6, 2)].points = {point(1)};
  EXPECT_EQ(predicted_sizes(all, 1), 2U);
}

TEST(StandIn, IsNoneWithoutAPredictedLaunch) {
  AllSeries all;
  EXPECT_FALSE(stand_in(all, blocks(8)));
  all[blocks(8)].points = {point(1)};
  all[blocks(8)].points[0].stands_in = true;
  all[blocks(9)];  // known, not predicted
  EXPECT_FALSE(stand_in(all, blocks(10)));
  EXPECT_FALSE(stand_in(all, blocks(10, 2)));
}

}  // namespace
}  // namespace forewarp::tests
