// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "scores/counters.h"

#include <gtest/gtest.h>

#include "result/validation_json.h"
#include "test_paths.h"

namespace forewarp::tests {
namespace {

constexpr std::string_view two_counters = R"(
schema = "forewarp.counters/1"
local_columns = "mem_local"
[[counter]]
name = "requests"
columns = ["ld", "st"]
figures = ["global_load_requests"]
opcodes = ["LDS", "STS"]
unit = 2
goal = 0.02
[[counter]]
name = "writes"
columns = ["w"]
figures = ["l2_write_sectors"]
local = false
)";

Result::Profile some_profile() {
  Result::Profile profile;
  profile.global_load_requests = 100;
  profile.l2_write_sectors = 40;
  profile.threads_by_opcode = {{"LDS", 20}, {"FADD", 7}, {"STS", 10}};
  return profile;
}

std::vector<Counter> counters() {
  auto parsed = parse_counters(two_counters, "c.toml");
  EXPECT_TRUE(parsed) << parsed.error().line();
  return *parsed;
}

TEST(Counters, FiguresAndOpcodesAreSummedAndDividedByTheUnit) {
  const auto found =
      counted_figures(counters(), {{"ld", 60}, {"st", 10}, {"w", 50}}, some_profile());
  ASSERT_EQ(found.size(), 2U);
  EXPECT_DOUBLE_EQ(found[0].own, (100 + 20 + 10) / 2.0);
  EXPECT_DOUBLE_EQ(found[0].counted, 60 + 10);
  EXPECT_DOUBLE_EQ(found[1].own, 40);
}

TEST(Counters, AMissingColumnOrLocalTrafficLeavesTheCounterOut) {
  const auto found =
      counted_figures(counters(), {{"ld", 60}, {"w", 50}, {"x_mem_local_op", 1}}, some_profile());
  EXPECT_TRUE(found.empty());
  const auto quiet =
      counted_figures(counters(), {{"w", 50}, {"x_mem_local_op", 0}}, some_profile());
  ASSERT_EQ(quiet.size(), 1U);
  EXPECT_EQ(quiet[0].counter, "writes");
}

TEST(Counters, RatiosOfJudgedPointsAreKeptFromTheOthers) {
  ValidatedSet set;
  const auto add = [&](double own, double counted, const char* apart) {
    ScoredPoint point;
    point.apart = apart;
    point.counters = {{"requests", own, counted}};
    set.points.push_back(point);
  };
  add(10, 10, "");
  add(103, 100, "");
  add(0, 0, "");  // says nothing
  add(90, 100, "");
  add(50, 100, "other registers");
  compare_counters(counters(), set);
  ASSERT_EQ(set.counters.size(), 1U);
  const CounterLine& line = set.counters[0];
  EXPECT_EQ(line.points, 3U);
  EXPECT_EQ(line.others, 1U);
  EXPECT_DOUBLE_EQ(line.median, 1);
  EXPECT_DOUBLE_EQ(line.mean, (1 + 1.03 + 0.9) / 3);
  EXPECT_DOUBLE_EQ(line.worst, 0.9);
  EXPECT_DOUBLE_EQ(line.others_median, 0.5);
  EXPECT_DOUBLE_EQ(line.p10, 0.9 + 0.2 * 0.1);  // place 0.2 between 0.9 and 1
  EXPECT_TRUE(line.holds());
  EXPECT_EQ(counter_text(set),
            "own / counted  median    mean   p10    p90  worst  rows  others: median  rows  goal\n"
            "requests            1  0.9767  0.92  1.024    0.9     3             0.5     1  ok\n");
}

TEST(Counters, AMedianBeyondTheGoalIsOff) {
  ValidatedSet set;
  set.points.resize(1);
  set.points[0].counters = {{"requests", 103, 100}, {"writes", 2, 1}};
  compare_counters(counters(), set);
  ASSERT_EQ(set.counters.size(), 2U);
  EXPECT_FALSE(set.counters[0].holds());
  EXPECT_NE(counter_text(set).find("off (goal 2 %)"), std::string::npos);
  EXPECT_EQ(set.counters[1].goal, 0);  // not judged
}

TEST(Counters, RefusalsNameTheKey) {
  const auto line = [](std::string_view text) {
    const auto parsed = parse_counters(text, "c.toml");
    return parsed ? std::string("read") : parsed.error().line();
  };
  EXPECT_EQ(line(""), "c.toml:1:1: the key 'schema' is ''; expected 'forewarp.counters/1'");
  EXPECT_NE(line("schema = \"forewarp.counters/1\"\n[[counter]]\nname = \"a\"\ncolumns = [\"b\"]\n"
                 "figures = [\"none\"]")
                .find("a profile has no figure 'none'"),
            std::string::npos);
  EXPECT_NE(line("schema = \"forewarp.counters/1\"\n[[counter]]\nname = \"a\"")
                .find("the counter is incomplete"),
            std::string::npos);
  EXPECT_NE(line("schema = \"forewarp.counters/1\"\n[[counter]]\nnme = \"a\"").find("name"),
            std::string::npos);
}

TEST(Counters, TheDataFolderLoadsAndEveryNameIsUnique) {
  const auto loaded = load_counters(FOREWARP_DATA_DIR);
  ASSERT_TRUE(loaded) << loaded.error().line();
  EXPECT_GT(loaded->size(), 20U);
}

TEST(Counters, TheJournalKeepsThem) {
  ScoredPoint point;
  point.id = "a/1";
  point.counters = {{"requests", 65, 70}};
  const auto back = read_point_line(point_line(point, "k"));
  ASSERT_TRUE(back);
  ASSERT_EQ(back->point.counters.size(), 1U);
  EXPECT_EQ(back->point.counters[0].counter, "requests");
  EXPECT_EQ(back->point.counters[0].own, 65);
  EXPECT_EQ(back->point.counters[0].counted, 70);
}

}  // namespace
}  // namespace forewarp::tests
