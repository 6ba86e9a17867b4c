// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "sweep/sweep_range.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

namespace forewarp::tests {
namespace {

std::vector<double> values(std::string_view text) {
  const auto range = SweepRange::parse(text, text);
  std::vector<double> result;
  if (!range) return result;
  for (std::uint64_t i = 0; i < range->count(); ++i) {
    std::visit([&](auto number) { result.push_back(static_cast<double>(number)); }, range->at(i));
  }
  return result;
}

std::string message(std::string_view text) {
  const auto range = SweepRange::parse(text, "n=" + std::string(text));
  return range ? "no error" : range.error().line();
}

TEST(SweepRange, IncludesBothEndsWhereAStepMeetsThem) {
  EXPECT_EQ(values("32:128:32"), (std::vector<double>{32, 64, 96, 128}));
  EXPECT_EQ(values("32:127:32"), (std::vector<double>{32, 64, 96}));
  EXPECT_EQ(values("5:5:1"), (std::vector<double>{5}));
  EXPECT_EQ(values("5:5:-1"), (std::vector<double>{5}));
  EXPECT_EQ(values("4:-4:-4"), (std::vector<double>{4, 0, -4}));
}

TEST(SweepRange, FractionsAreWhatTheyLookLike) {
  EXPECT_EQ(values("0.1:0.5:0.1"), (std::vector<double>{0.1, 0.2, 0.3, 0.4, 0.5}));
  EXPECT_EQ(values("0:0.3:0.1").size(), 4U);  // 0.3 / 0.1 is a little below 3
  EXPECT_EQ(values("1:2:0.25"), (std::vector<double>{1, 1.25, 1.5, 1.75, 2}));
}

TEST(SweepRange, Geometric) {
  EXPECT_EQ(values("1:1024:*2").size(), 11U);
  EXPECT_EQ(values("32:1024:*2"), (std::vector<double>{32, 64, 128, 256, 512, 1024}));
  EXPECT_EQ(values("3:1000:*10"), (std::vector<double>{3, 30, 300}));
  EXPECT_EQ(values("1:3:*1.5"), (std::vector<double>{1, 1.5, 2.25}));
  EXPECT_EQ(values("0.001:1000:*10").size(), 7U);
  EXPECT_EQ(values("1:243:*3"), (std::vector<double>{1, 3, 9, 27, 81, 243}));
}

TEST(SweepRange, StaysWholeWhenItsNumbersAre) {
  EXPECT_TRUE(SweepRange::parse("1:9:2", "")->whole());
  EXPECT_TRUE(SweepRange::parse("0x10:0x40:*2", "")->whole());
  EXPECT_FALSE(SweepRange::parse("1:9:2.0", "")->whole());
  EXPECT_EQ(std::get<std::int64_t>(SweepRange::parse("0x10:0x40:*2", "")->at(2)), 64);
}

TEST(SweepRange, ALargeRangeIsNotExpanded) {
  const auto range = SweepRange::parse("0:99999999999:1", "");
  ASSERT_TRUE(range);
  EXPECT_EQ(range->count(), 100000000000U);
  EXPECT_EQ(std::get<std::int64_t>(range->at(99999999999U)), 99999999999);
}

TEST(SweepRange, Refuses) {
  const std::string forms = "expected FROM:TO:STEP or FROM:TO:*FACTOR";
  EXPECT_EQ(message("1:2"), "--sweep: 'n=1:2' is no range; " + forms);
  EXPECT_EQ(message("1:2:3:4"), "--sweep: 'n=1:2:3:4' is no range; " + forms);
  EXPECT_EQ(message("1:x:1"), "--sweep: 'n=1:x:1' is no range; " + forms);
  EXPECT_EQ(message("1:inf:1"), "--sweep: 'n=1:inf:1' is no range; " + forms);
  EXPECT_EQ(message("1:8:+2x"), "--sweep: 'n=1:8:+2x' is no range; " + forms);
  for (const char* text : {"1:8:0", "8:1:1", "1:8:-1", "1:1:0"}) {
    EXPECT_EQ(message(text), "--sweep: 'n=" + std::string(text) +
                                 "' never reaches its end; expected a step from FROM towards TO");
  }
  for (const char* text : {"1:8:*1", "1:8:*0.5", "0:8:*2", "8:1:*2", "-1:8:*2"}) {
    EXPECT_EQ(message(text), "--sweep: 'n=" + std::string(text) +
                                 "' never reaches its end; expected FROM above 0, TO not below "
                                 "FROM and a factor above 1");
  }
  EXPECT_EQ(message("0:1e300:1e-300"),
            "--sweep: 'n=0:1e300:1e-300' has too many values; expected a larger step");
  EXPECT_EQ(message("-9223372036854775807:9223372036854775807:1"),
            "--sweep: 'n=-9223372036854775807:9223372036854775807:1' has too many values; "
            "expected a larger step");
}

}  // namespace
}  // namespace forewarp::tests
