// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <cstring>
#include <forewarp/sweep.h>
#include <ranges>
#include <vector>

#include <gtest/gtest.h>

#include "bundled.h"
#include "driver/predictor.h"
#include "request/argument_text.h"
#include "sweep/points/sweep_points.h"

namespace forewarp::tests {
namespace {

static_assert(std::ranges::input_range<api::Points>);

std::vector<double> times(api::Points points) {
  std::vector<double> all;
  for (const api::Point& point : points) {
    EXPECT_EQ(point.index, all.size());
    all.push_back(point.time_ms);
  }
  return all;
}

/// Of the whole sweep, again and again by one session, and by one with more threads.
TEST(LibrarySweep, WarmAndThreadedDigitsAreThoseOfTheFirst) {
  const auto sweep = api::Sweep().over("grid=1:250:1").over("a=1,2,8,40");
  const api::Session session = opened(), threaded = opened(3);
  const api::Query query = bundled(session, 1);
  const auto cold = times(value_of(session.sweep(query, sweep)));
  ASSERT_EQ(cold.size(), 1000U);
  EXPECT_EQ(times(value_of(session.sweep(query, sweep))), cold);
  EXPECT_EQ(times(value_of(threaded.sweep(bundled(threaded, 1), sweep))), cold);
}

TEST(LibrarySweep, PointsAreThoseOfTheCommandLine) {
  for (const char* axis : {"grid=1:300:1", "block=32:512:32"}) {
    const api::Session session = opened();
    const auto points =
        times(value_of(session.sweep(bundled(session, 9), api::Sweep().over(axis))));
    driver::Predictor predictor{HardwareDatabase(FOREWARP_DATA_DIR)};
    Case request;
    request.input = bundled_file;
    request.gpu = "gtx970";
    request.launch.grid = {4'000'000 / 256, 1, 1};
    request.launch.block = {256, 1, 1};
    for (const char* text : {"n=4000000", "a=9"}) {
      request.launch.arguments.push_back(*parse_argument(text));
    }
    PredictOptions options;
    options.cache = false;
    const auto sweep = sweep::Sweep::parse({axis});
    ASSERT_TRUE(sweep);
    sweep::SweepPoints direct(predictor, *sweep, request, options, 1);
    ASSERT_EQ(points.size(), sweep->count());
    for (std::uint64_t i = 0; i < points.size(); ++i) {
      EXPECT_EQ(points[i], std::get<double>(direct.predict(i, 0)[0])) << axis << " " << i;
    }
  }
}

TEST(LibrarySweep, FewPointsAreExecutedAndHaveAnInterval) {
  const api::Session session = opened();
  auto few = value_of(session.sweep(bundled(session, 2), api::Sweep().over("block", {64, 128})));
  EXPECT_TRUE(few.executes());
  EXPECT_EQ(few.size(), 2U);
  EXPECT_EQ(few.values(1), std::vector<std::string>{"128"});
  EXPECT_EQ(few.axes().at(0).values, (std::vector<double>{64, 128}));
  for (const api::Point& point : few) {
    EXPECT_LE(point.low_ms, point.time_ms);
    EXPECT_GE(point.high_ms, point.time_ms);
  }
  auto many = value_of(session.sweep(bundled(session, 2), api::Sweep().over("grid", 1, 300, 1)));
  EXPECT_FALSE(many.executes());
  EXPECT_TRUE(std::isnan(many.begin()->low_ms));
}

TEST(LibrarySweep, APointThatCannotBePredictedHasItsError) {
  const api::Session session = opened();
  auto points = value_of(session.sweep(bundled(session, 2), api::Sweep().over("block=512,2048")));
  std::vector<api::Point> all;
  std::ranges::copy(points, std::back_inserter(all));
  ASSERT_EQ(all.size(), 2U);
  EXPECT_FALSE(all[0].error);
  ASSERT_TRUE(all[1].error);
  EXPECT_NE(all[1].error->line().find("2048"), std::string::npos);
  EXPECT_TRUE(std::isnan(all[1].time_ms));
}

TEST(LibrarySweep, RefusesAxesThatAreNone) {
  const api::Session session = opened();
  for (const auto& [axis, found] : {std::pair<const char*, const char*>{"block", "block"},
                                    {"block=3:1:1", "block"},
                                    {"grid=0:x:1", "grid"}}) {
    const auto refused = session.sweep(bundled(session, 2), api::Sweep().over(axis));
    ASSERT_FALSE(refused) << axis;
    EXPECT_NE(refused.error().line().find(found), std::string::npos) << refused.error().line();
  }
}

/// begin() goes on where the last iterator stood; another range begins anew.
TEST(LibrarySweep, ARangeThatWasLeftGoesOn) {
  const api::Session session = opened();
  const auto sweep = api::Sweep().over("grid=1:400:1");
  auto points = value_of(session.sweep(bundled(session, 1), sweep));
  const double first = points.begin()->time_ms;
  for (const api::Point& point : points) {
    if (point.index == 3) break;
  }
  EXPECT_EQ(points.begin()->index, 3U);
  EXPECT_EQ(times(value_of(session.sweep(bundled(session, 1), sweep))).front(), first);
}

}  // namespace
}  // namespace forewarp::tests
