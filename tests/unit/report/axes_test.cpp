// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "report/axes.h"

#include <utility>

#include <gtest/gtest.h>

namespace forewarp::report {
namespace {

Result at(std::string gpu, double clock, std::uint32_t block, std::string a) {
  Result result;
  result.kernel.name = "k";
  result.gpu.id = std::move(gpu);
  result.gpu.clock_mhz = clock;
  result.launch.block = {block, 1, 1};
  result.launch.arguments = {{"a", std::move(a)}};
  return result;
}

std::vector<std::string> names(const std::vector<Axis>& axes) {
  std::vector<std::string> list;
  for (const Axis& axis : axes) list.push_back(axis.name);
  return list;
}

using Names = std::vector<std::string>;

TEST(Axes, OnlyWhatVariesIsAnAxis) {
  EXPECT_EQ(names(varying_axes({at("g", 1, 32, "1"), at("g", 1, 64, "1")})), Names{"block"});
  EXPECT_EQ(names(varying_axes({at("g", 1, 32, "1"), at("g", 1, 32, "2")})), Names{"a"});
}

TEST(Axes, AClockThatFollowsFromTheBoardIsNone) {
  EXPECT_EQ(names(varying_axes({at("g", 1, 32, "1"), at("h", 2, 32, "1")})), Names{"gpu"});
  EXPECT_EQ(names(varying_axes({at("g", 1, 32, "1"), at("h", 2, 32, "1"), at("g", 3, 32, "1")})),
            (Names{"gpu", "clock_mhz"}));
}

TEST(Axes, AnOptionThatRepeatsAnArgumentIsNone) {
  std::vector<Result> results{at("g", 1, 32, "1"), at("g", 1, 32, "2")};
  results[0].options = {{"sweep", "x"}, {"warm", "yes"}};
  results[1].options = {{"sweep", "y"}, {"warm", "yes"}};
  EXPECT_EQ(names(varying_axes(results)), Names{"a"});
  results.push_back(results.front());
  results.back().options[1].second = "no";
  EXPECT_EQ(names(varying_axes(results)), (Names{"a", "warm"}));
}

TEST(Axes, WithoutADifferenceTheIdIsTheAxis) {
  EXPECT_EQ(names(varying_axes({at("g", 1, 32, "1"), at("g", 1, 32, "1")})), Names{"id"});
  EXPECT_TRUE(varying_axes({}).empty() || names(varying_axes({})) == Names{"id"});
}

TEST(Axes, NumbersAreThereWhenEveryValueIsOne) {
  const std::vector<Axis> axes = varying_axes({at("g", 1, 32, "1"), at("g", 1, 32, "2.5")});
  EXPECT_EQ(axes[0].numbers, (std::vector<double>{1, 2.5}));
  EXPECT_TRUE(varying_axes({at("g", 1, 32, "1"), at("g", 1, 32, "x")})[0].numbers.empty());
}

TEST(Axes, AnArgumentThatAResultLacksIsEmpty) {
  std::vector<Result> results{at("g", 1, 32, "1"), at("g", 1, 32, "1")};
  results[1].launch.arguments = {{"b", "2"}};
  const std::vector<Axis> axes = argument_axes(results);
  ASSERT_EQ(names(axes), (Names{"a", "b"}));
  EXPECT_EQ(axes[0].values, (Names{"1", ""}));
  EXPECT_EQ(axes[1].values, (Names{"", "2"}));
}

}  // namespace
}  // namespace forewarp::report
