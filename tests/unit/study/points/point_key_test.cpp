// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "study/points/point_key.h"

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
  EXPECT_EQ(key.size(), 24U);
  EXPECT_EQ(key, key_of(launch_of(7)));
  EXPECT_NE(key, key_of(launch_of(8)));
  EXPECT_NE(key, key_of(launch_of(7), {}, "another program"));
  PredictOptions options;
  options.overrides = {{"sm.count", "4"}};
  EXPECT_NE(key, key_of(launch_of(7), options));
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

TEST(SweptRows, NameTheOptionThatEachAxisChanges) {
  const auto sweep = Sweep::parse({"n=1,2", "hw.sm.count=1,2", "option.volkov.waves=on,off"});
  ASSERT_TRUE(sweep);
  EXPECT_EQ(swept_rows(*sweep),
            (std::vector{option_named("arg"), option_named("set"), option_named("option")}));
}

}  // namespace
}  // namespace forewarp::tests
