// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "model/automatic/interval_rule.h"

#include <cmath>
#include <string>

#include <gtest/gtest.h>

namespace forewarp::tests {
namespace {

IntervalFacts long_run(std::string_view limit) {
  IntervalFacts facts;
  facts.waves = 20;
  facts.limited_by = role_of_resource(limit);
  facts.memory_measured = facts.clock_known = true;
  return facts;
}

TEST(IntervalRule, ClassesFollowFromFacts) {
  EXPECT_EQ(interval_class(long_run("latency")), "latency");
  EXPECT_EQ(interval_class(long_run("dram")), "memory");
  EXPECT_EQ(interval_class(long_run("fp32")), "pipes");
  EXPECT_EQ(interval_class(long_run("l2_read")), "memory path");
  EXPECT_EQ(interval_class(long_run("lsu")), "memory path");
  IntervalFacts facts = long_run("dram");
  facts.memory_measured = false;
  EXPECT_EQ(interval_class(facts), "memory, not measured");
  facts.local_share = 0.02;
  EXPECT_EQ(interval_class(facts), "local memory");
  facts.waves = 1;
  EXPECT_EQ(interval_class(facts), "short") << "one wave at most, whatever else";
  facts.executed = false;
  EXPECT_EQ(interval_class(facts), "static");
  IntervalFacts brief = long_run("fp32");
  brief.added_share = 0.5;
  EXPECT_EQ(interval_class(brief), "short");
}

IntervalTable table() {
  IntervalTable made;
  made.level = 0.9;
  made.classes["memory"] = {0.95, 1.1, 120, 3};
  made.classes["pipes"] = {0.8, 1.25, 60, 1};
  made.classes["all"] = {0.5, 2, 200, 4};
  made.clock = {0.9, 1.2, 13, 1};
  return made;
}

TEST(IntervalRule, FactorsOfTheClassElseOfTheBroaderOne) {
  EXPECT_EQ(table().of("memory").high, 1.1);
  EXPECT_EQ(table().of("memory, not measured").high, 1.1);
  EXPECT_EQ(table().of("latency").high, 2);
  EXPECT_EQ(IntervalTable{}.of("latency").high, 1);
}

TEST(IntervalRule, TimesFactorsAndTheReason) {
  const TimeInterval interval = interval_of(10, long_run("dram"), table());
  EXPECT_DOUBLE_EQ(interval.ms[0], 9.5);
  EXPECT_DOUBLE_EQ(interval.ms[1], 11);
  EXPECT_EQ(interval.meaning, "90 % interval, from 120 measurements of 3 sources (class 'memory')");
}

// Independent causes: ln h = sqrt(ln 1.25^2 + ln 1.2^2) = 0.2881, h = 1.3339;
// ln l = -sqrt(ln 0.8^2 + ln 0.9^2) = -0.2467, l = 0.7814.
TEST(IntervalRule, AClockThatNobodyMeasuredWidensWhatHangsOnIt) {
  IntervalFacts facts = long_run("fp32");
  facts.clock_known = false;
  const TimeInterval interval = interval_of(1, facts, table());
  EXPECT_NEAR(interval.ms[0], 0.7814, 1e-4);
  EXPECT_NEAR(interval.ms[1], 1.3339, 1e-4);
  EXPECT_NE(interval.meaning.find("nobody measured this board's clock"), std::string::npos);
  IntervalFacts memory = long_run("dram");
  memory.clock_known = false;
  EXPECT_DOUBLE_EQ(interval_of(1, memory, table()).ms[1], 1.1) << "memory has its own clock";
}

// ln h = sqrt(ln 1.1^2 + ln 1.25^2) = 0.2426, h = 1.2746; each id counts once.
TEST(IntervalRule, WhatIsAssumedWidensByName) {
  IntervalTable widened = table();
  widened.widenings["assume-isa"] = {0.8, 1.25, 0, 0, "the code is another architecture's"};
  IntervalFacts facts = long_run("dram");
  facts.named = {"clock", "assume-isa", "assume-isa"};
  const TimeInterval interval = interval_of(1, facts, widened);
  EXPECT_NEAR(interval.ms[1], 1.2746, 1e-4);
  EXPECT_TRUE(interval.meaning.ends_with(", wider because the code is another architecture's"))
      << interval.meaning;
}

// ln h = sqrt(ln 1.1^2 + ln 1.2^2) = 0.2057, h = 1.2284; below 1 % nothing is said.
TEST(IntervalRule, ASampleWidens) {
  IntervalFacts facts = long_run("dram");
  facts.sampled_error = 0.2;
  facts.sampled_what = "traffic";
  const TimeInterval interval = interval_of(1, facts, table());
  EXPECT_NEAR(interval.ms[1], 1.2284, 1e-4);
  EXPECT_NE(interval.meaning.find("a sample stands for the grid's traffic within 20 %"),
            std::string::npos)
      << interval.meaning;
  facts.sampled_error = 0.009;
  EXPECT_DOUBLE_EQ(interval_of(1, facts, table()).ms[1], 1.1);
}

// ln h = sqrt(ln 1.1^2 + ln 2^2) = 0.6997, h = 2.0131, and upwards only.
TEST(IntervalRule, TheLongestOfUnseenBlocksWidensUpwards) {
  IntervalFacts facts = long_run("dram");
  facts.longest_unseen = 2;
  const TimeInterval interval = interval_of(1, facts, table());
  EXPECT_NEAR(interval.ms[1], 2.0131, 1e-4);
  EXPECT_DOUBLE_EQ(interval.ms[0], 0.95);
}

TEST(IntervalRule, ModelsThatDifferByMoreThanFifteenPercentAreBothInside) {
  IntervalFacts facts = long_run("dram");
  facts.other_over_chosen = 1.4;
  EXPECT_DOUBLE_EQ(interval_of(10, facts, table()).ms[1], 14);
  EXPECT_DOUBLE_EQ(interval_of(10, facts, table()).ms[0], 9.5);
  facts.other_over_chosen = 0.7;
  EXPECT_DOUBLE_EQ(interval_of(10, facts, table()).ms[0], 7);
  facts.other_over_chosen = 1.14;
  const TimeInterval near = interval_of(10, facts, table());
  EXPECT_DOUBLE_EQ(near.ms[1], 11);
  EXPECT_EQ(near.meaning.find("wider"), std::string::npos);
}

}  // namespace
}  // namespace forewarp::tests
