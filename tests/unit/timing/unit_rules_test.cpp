// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "sm_builder.h"
#include "timing/units/code_supply.h"
#include "timing/units/constant_cache.h"

namespace forewarp::tests {
namespace {

std::vector<Op> times(std::size_t n, const Op& op) {
  return std::vector<Op>(n, op);
}

TEST(UnitRules, PipeIsTakenForItsInterval) {
  SmBuilder sm;
  const std::uint8_t one = sm.unit(), other = sm.unit();
  sm.warp({{.unit = one, .taken = 4}, {.unit = other}, {.unit = one, .taken = 4}, {.unit = one}});
  EXPECT_EQ(sm.issues(0), (Cycles{0, 1, 4, 8}));
}

TEST(UnitRules, FractionsOfACycleAddUp) {
  const auto at = [](double taken) {
    SmBuilder sm;
    const std::uint8_t unit = sm.unit();
    sm.warp(times(6, {.unit = unit, .taken = taken}));
    return sm.issues(0);
  };
  // Free at 1.25, 2.5, 3.75 and 5: a unit that is free before a cycle ends takes one in it.
  EXPECT_EQ(at(1.25), (Cycles{0, 1, 2, 3, 5, 6}));
  // 2.5, 5, 7.5, 10, 12.5
  EXPECT_EQ(at(2.5), (Cycles{0, 2, 5, 7, 10, 12}));
  EXPECT_EQ(at(2), (Cycles{0, 2, 4, 6, 8, 10}));
}

TEST(UnitRules, VariableOnesWaitInFrontOfTheUnit) {
  const auto at = [](std::uint32_t queued, bool variable) {
    SmBuilder sm;
    const std::uint8_t unit = sm.unit(queued);
    sm.warp(times(5, {.unit = unit, .taken = 8, .variable = variable}));
    return sm.issues(0);
  };
  EXPECT_EQ(at(0, true), (Cycles{0, 8, 16, 24, 32}));
  EXPECT_EQ(at(1, true), (Cycles{0, 1, 8, 16, 24}));
  EXPECT_EQ(at(3, true), (Cycles{0, 1, 2, 3, 8}));
  EXPECT_EQ(at(3, false), (Cycles{0, 8, 16, 24, 32})) << "those of fixed latency wait at issue";
}

TEST(UnitRules, ResultIsLateByTheWaitInFrontOfTheUnit) {
  SmBuilder sm;
  const std::uint8_t unit = sm.unit(1);
  const Op op{.stall = 2, .latency = 20, .unit = unit, .taken = 8, .write = 0, .variable = true};
  sm.warp({op, op, {.wait = 1}});
  // The second begins at 8.
  EXPECT_EQ(sm.issues(0), (Cycles{0, 2, 28}));
}

TEST(UnitRules, SchedulersTakeACommonUnitInTurn) {
  const auto run = [](bool common) {
    SmBuilder sm;
    sm.machine.schedulers = 2;
    const std::uint8_t unit = sm.unit(0, common);
    sm.warp(times(2, {.unit = unit, .taken = 4})).again().run();
    return sm;
  };
  SmBuilder apart = run(false), shared = run(true);
  EXPECT_EQ(apart.issues(0), (Cycles{0, 4}));
  EXPECT_EQ(apart.issues(1), (Cycles{0, 4}));
  EXPECT_EQ(shared.issues(0), (Cycles{0, 8}));
  EXPECT_EQ(shared.issues(1), (Cycles{4, 12}));
}

SmBuilder with_constants() {
  SmBuilder sm;
  sm.machine.constant_lines = 2;
  sm.machine.constant_miss = ticks(79);
  sm.machine.constant_hold = ticks(4);
  return sm;
}

TEST(UnitRules, ConstantMissHoldsTheSchedulerForTheWarpThatGoesOn) {
  SmBuilder sm = with_constants();
  sm.warp({{}, {}}).warp({{}, {.constant = 5}});
  // Warp 1 issued last and misses at 1: nobody issues before 5.
  EXPECT_EQ(sm.issues(1), (Cycles{0, 80}));
  EXPECT_EQ(sm.issues(0), (Cycles{5, 6}));
}

TEST(UnitRules, ConstantMissOfAnotherWarpHoldsNobody) {
  SmBuilder sm = with_constants();
  sm.warp(times(3, {.stall = 2})).warp({{.stall = 4}, {.constant = 5}});
  // Warp 0 goes on at 1 and 3; warp 1 misses at 4 and comes back at 83.
  EXPECT_EQ(sm.issues(0), (Cycles{1, 3, 5}));
  EXPECT_EQ(sm.issues(1), (Cycles{0, 83}));
}

TEST(UnitRules, ConstantHitCostsNothing) {
  SmBuilder sm = with_constants();
  sm.warp({{.constant = 5}, {.constant = 5}, {.constant = 6}, {.constant = 5}});
  EXPECT_EQ(sm.issues(0), (Cycles{79, 80, 81 + 79, 161}));
}

TEST(UnitRules, LeastRecentlyUsedConstantLeaves) {
  ConstantCache cache(2);
  EXPECT_EQ(cache.at(1, 0, 79), 79);
  EXPECT_EQ(cache.at(1, 78, 79), 79) << "still on its way";
  EXPECT_EQ(cache.at(2, 80, 79), 159);
  EXPECT_EQ(cache.at(1, 200, 79), 200);
  EXPECT_EQ(cache.at(3, 201, 79), 280) << "2 leaves";
  EXPECT_EQ(cache.at(1, 300, 79), 300);
  EXPECT_EQ(cache.at(2, 301, 79), 380);
}

/// Two instructions, the second jumps, and two where it goes.
Cycles around_a_branch(double before, double ahead, bool jumps) {
  SmBuilder sm;
  sm.machine.jump_fetches = ticks(2);
  sm.machine.fetched_ahead = ticks(ahead);
  PathStep first = sm.add({{.stall = before}, {.is_branch = true}});
  first.jumps = jumps;
  WarpPath path;
  path.steps = {first, sm.add({{}, {}})};
  sm.path(path);
  return sm.issues(0);
}

TEST(UnitRules, BranchThatIsTakenWastesFetches) {
  // Fetched by 1, then 1 + 1 + 2 with the branch: its target issues at 4, not at 2.
  EXPECT_EQ(around_a_branch(1, 0, true), (Cycles{0, 1, 4, 5}));
  EXPECT_EQ(around_a_branch(1, 0, false), (Cycles{0, 1, 2, 3}));
}

TEST(UnitRules, FetchingRunsAheadOfIssue) {
  // The branch issues at 10 and was fetched by max(1, 10 - ahead); 1 + 2 more come after that.
  EXPECT_EQ(around_a_branch(10, 0, true), (Cycles{0, 10, 13, 14}));
  EXPECT_EQ(around_a_branch(10, 1, true), (Cycles{0, 10, 12, 13}));
  EXPECT_EQ(around_a_branch(10, 2, true), (Cycles{0, 10, 11, 12}));
  EXPECT_EQ(around_a_branch(10, 3, true), (Cycles{0, 10, 11, 12}));
}

// The branch of warp 1 issues at 10 and was fetched by max(2, 10 - 2 * 1); 1 + 2 more are over at
// 11, not at 12.
TEST(UnitRules, BuffersOfWarpsAddUp) {
  SmBuilder sm;
  sm.machine.jump_fetches = ticks(2);
  sm.machine.fetched_ahead = ticks(1);
  PathStep first = sm.add({{.stall = 10}, {.is_branch = true}});
  first.jumps = true;
  WarpPath path;
  path.steps = {first, sm.add({{}, {}})};
  sm.path(path).again();
  EXPECT_EQ(sm.issues(1), (Cycles{0, 10, 11, 12}));
  EXPECT_EQ(sm.issues(0), (Cycles{1, 13, 16, 17}));
}

TEST(UnitRules, CodeComesLineByLine) {
  CodeSupply supply(3, 1, 8);
  EXPECT_TRUE(supply.limits());
  EXPECT_EQ(supply.at(0, 0), 8);
  EXPECT_EQ(supply.at(0, 7), 8);
  EXPECT_EQ(supply.at(0, 9), 9);
  EXPECT_EQ(supply.at(1, 10), 16) << "the next one follows it at once: 8 + 8";
  EXPECT_EQ(supply.at(2, 30), 30) << "it was fetched ahead";
  EXPECT_EQ(supply.at(0, 31), 39) << "it has left, and it does not follow line 2";
}

TEST(UnitRules, CodeLeavesInTheOrderInWhichItCame) {
  CodeSupply supply(3, 2, 8);
  EXPECT_EQ(supply.at(0, 0), 8);
  EXPECT_EQ(supply.at(1, 100), 100);
  EXPECT_EQ(supply.at(0, 200), 200) << "there is room for two";
  EXPECT_EQ(supply.at(2, 300), 300);
  EXPECT_EQ(supply.at(1, 400), 400);
  EXPECT_EQ(supply.at(0, 500), 508) << "the first that came is gone, though it was used since";
}

TEST(UnitRules, CodeThatFitsIsThere) {
  EXPECT_FALSE(CodeSupply(3, 3, 8).limits());
  EXPECT_TRUE(CodeSupply(4, 3, 8).limits());
}

TEST(UnitRules, WarpWaitsForItsCode) {
  SmBuilder sm;
  sm.machine.code_cache_lines = 1;
  sm.machine.code_line_time = 8 * cycle;
  sm.warp({{}, {}, {.code_line = 1}, {.code_line = 1}});
  EXPECT_EQ(sm.issues(0), (Cycles{8, 9, 16, 17}));
}

}  // namespace
}  // namespace forewarp::tests
