// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "sweep/points/point_key.h"

#include <gtest/gtest.h>

namespace forewarp::tests {
namespace {

Case launch_of(std::uint32_t grid) {
  Case request;
  request.input = "k.sass";
  request.launch.grid = {grid, 1, 1};
  request.launch.block = {64, 1, 1};
  return request;
}

std::string key_of(const Case& request, const PredictOptions& options = {},
                   const std::string& prefix = "p") {
  return PointKeys(prefix, request, options, {}).key(request, options);
}

TEST(PointKeys, TellApartWhatChangesAPrediction) {
  const std::string key = key_of(launch_of(7));
  EXPECT_EQ(key, key_of(launch_of(7)));
  EXPECT_NE(key, key_of(launch_of(8)));
  EXPECT_NE(key, key_of(launch_of(7), {}, "another program"));
  PredictOptions options;
  options.overrides = {{"sm.count", "4"}};
  EXPECT_NE(key, key_of(launch_of(7), options));
}

TEST(PointKeys, AreAHashAndTheLaunchInWords) {
  Case request = launch_of(7);
  const std::string key = key_of(request);
  ASSERT_GT(key.size(), 25U);
  EXPECT_EQ(key.find_first_not_of("0123456789abcdef"), 24U);
  EXPECT_EQ(key.substr(24).find(" 7,1,1;64,1,1;"), 0U);
  const std::string other = key_of(launch_of(8));
  EXPECT_EQ(other.substr(0, 24), key.substr(0, 24));  // what is no launch is the same
  PredictOptions options;
  options.overrides = {{"sm.count", "4"}};
  EXPECT_NE(key_of(request, options).substr(0, 24), key.substr(0, 24));
  EXPECT_EQ(key_of(request, options).substr(24), key.substr(24));
}

/// A launch whose argument is this word, which no number is.
Case launch_with(const std::vector<std::string>& files) {
  Case request = launch_of(7);
  for (const std::string& file : files) {
    NamedArgument argument{"x", {}, {}};
    argument.value.kind = Argument::Kind::buffer;
    argument.value.content.kind = BufferContent::Kind::file;
    argument.value.content.path = file;
    request.launch.arguments.push_back(argument);
  }
  return request;
}

TEST(PointKeys, HashWordsThatCouldBeMistakenAndLaunchesThatAreLong) {
  // Without the hash, one file "a x=.." and two files would be the same words.
  const std::string one = key_of(launch_with({"a b;c"}));
  EXPECT_EQ(one.find("a b"), std::string::npos);
  EXPECT_NE(one.find('#'), std::string::npos);
  EXPECT_NE(one, key_of(launch_with({"a b;d"})));
  const std::vector<std::string> many(40, "f");
  const std::string longer = key_of(launch_with(many));
  EXPECT_EQ(longer.size(), 24U + 2 + 24);  // hash, " #", hash
  EXPECT_NE(longer, key_of(launch_with(std::vector<std::string>(41, "f"))));
}

TEST(PointKeys, DoNotHoldWhereTheCodeLiesNorTheCasesName) {
  Case request = launch_of(7);
  request.input = "elsewhere/k.sass";
  request.id = "a";
  request.measured_ms = 3;
  PredictOptions options;
  options.jobs = 5;
  EXPECT_EQ(key_of(launch_of(7)), key_of(request, options));
}

TEST(PointKeys, AreTheSameHoweverAPointIsReached) {
  const auto sweep = Sweep::parse({"grid=5:9:1"});
  ASSERT_TRUE(sweep);
  const std::vector<const OptionRow*> rows = swept_rows(*sweep);
  EXPECT_EQ(rows, std::vector<const OptionRow*>{option_named("grid")});
  Case request = launch_of(1);
  PredictOptions options;
  const PointKeys keys("p", request, options, rows);
  for (std::uint64_t point = 0; point < sweep->count(); ++point) {
    sweep->apply(point, request, options);
    EXPECT_EQ(keys.key(request, options), key_of(launch_of(5 + static_cast<std::uint32_t>(point))));
  }
}

TEST(PointKeys, HashAnewWhatIsNoLaunch) {
  const auto sweep = Sweep::parse({"hw.sm.count=4,8", "grid=5,6"});
  ASSERT_TRUE(sweep);
  Case request = launch_of(1);
  PredictOptions options;
  const PointKeys keys("p", request, options, swept_rows(*sweep));
  for (std::uint64_t point = 0; point < sweep->count(); ++point) {
    sweep->apply(point, request, options);
    PredictOptions stated;
    stated.overrides = {{"sm.count", point < 2 ? "4" : "8"}};
    EXPECT_EQ(keys.key(request, options),
              key_of(launch_of(5 + static_cast<std::uint32_t>(point % 2)), stated));
  }
}

TEST(SweptRows, NameTheOptionThatEachAxisChanges) {
  const auto sweep = Sweep::parse({"n=1,2", "hw.sm.count=1,2", "option.volkov.waves=on,off"});
  ASSERT_TRUE(sweep);
  EXPECT_EQ(swept_rows(*sweep),
            (std::vector{option_named("arg"), option_named("set"), option_named("option")}));
}

}  // namespace
}  // namespace forewarp::tests
