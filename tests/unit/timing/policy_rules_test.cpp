// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "sm_builder.h"

namespace forewarp::tests {
namespace {

const std::uint32_t ages[64] = {5, 2, 9, 7};  // started: 1 first, 2 last

/// The choice among `ready` after `last` issued.
std::uint32_t after(PolicyChoice choice, std::uint32_t last, std::uint64_t ready,
                    std::uint64_t slot = 0) {
  IssuePolicy policy(choice);
  policy.issued(last);
  return policy.pick(ready, slot, ages);
}

TEST(PolicyRules, RoundRobinTakesTheNext) {
  const PolicyChoice lrr{.policy = Policy::round_robin};
  EXPECT_EQ(IssuePolicy(lrr).pick(0b1111, 0, ages), 0U) << "at first";
  EXPECT_EQ(after(lrr, 0, 0b1111), 1U);
  EXPECT_EQ(after(lrr, 3, 0b1111), 0U);
  EXPECT_EQ(after(lrr, 0, 0b1001), 3U);
  EXPECT_EQ(after(lrr, 1, 0b0011), 0U);
  EXPECT_EQ(after(lrr, 2, 0b0100), 2U);
  EXPECT_EQ(after(lrr, 63, 0b0110), 1U);
}

TEST(PolicyRules, GreedyThenOldest) {
  const PolicyChoice gto{.policy = Policy::greedy_oldest};
  EXPECT_EQ(after(gto, 2, 0b1111), 2U);
  EXPECT_EQ(after(gto, 2, 0b1011), 1U);
  EXPECT_EQ(after(gto, 2, 0b1001), 0U);
}

TEST(PolicyRules, GreedyThenYoungest) {
  const PolicyChoice cggty{.policy = Policy::greedy_youngest};
  EXPECT_EQ(after(cggty, 1, 0b1111), 1U);
  EXPECT_EQ(after(cggty, 1, 0b1101), 2U);
  EXPECT_EQ(after(cggty, 1, 0b1001), 3U);
}

TEST(PolicyRules, GreedyThenNextInTurn) {
  const PolicyChoice grr{.policy = Policy::greedy_round_robin};
  EXPECT_EQ(after(grr, 1, 0b1111), 1U);
  EXPECT_EQ(after(grr, 1, 0b1101), 2U);
  EXPECT_EQ(after(grr, 3, 0b0111), 0U);
}

TEST(PolicyRules, TwoLevelsStayInTheGroup) {
  const PolicyChoice two{.policy = Policy::two_level, .group = 2};
  EXPECT_EQ(after(two, 0, 0b1111), 1U);
  EXPECT_EQ(after(two, 1, 0b1111), 0U);
  EXPECT_EQ(after(two, 0, 0b1101), 0U) << "not greedy, but nobody else in the group";
  EXPECT_EQ(after(two, 1, 0b1100), 2U);
  EXPECT_EQ(after(two, 2, 0b0011), 0U) << "the groups go round";
  EXPECT_EQ(after({.policy = Policy::two_level, .group = 64}, 2, 0b1111), 3U);
}

TEST(PolicyRules, VariableRateGivesEverySlotAnOwner) {
  PolicyChoice choice{.policy = Policy::variable_rate, .rate = 3, .work_conserving = false};
  EXPECT_EQ(after(choice, 1, 0b0111, 6), 0U);
  EXPECT_EQ(after(choice, 1, 0b0111, 7), 2U);
  EXPECT_EQ(after(choice, 2, 0b0111, 8), 1U) << "the others in turn, without the fast one";
  EXPECT_EQ(after(choice, 1, 0b0110, 6), 64U) << "its owner is not ready";
  EXPECT_EQ(after(choice, 1, 0b0001, 7), 64U);
  choice.work_conserving = true;
  EXPECT_EQ(after(choice, 1, 0b0110, 6), 2U);
  EXPECT_EQ(after(choice, 1, 0b0001, 7), 0U);
}

/// Issues of each of `warps` warps with four instructions.
std::vector<Cycles> follow(const PolicyChoice& choice, std::uint32_t warps, double stall) {
  SmBuilder sm;
  sm.machine.policy = choice;
  sm.warp(std::vector<Op>(4, {.stall = stall}));
  for (std::uint32_t w = 1; w < warps; ++w) sm.again();
  std::vector<Cycles> all;
  for (std::uint32_t w = 0; w < warps; ++w) all.push_back(sm.issues(w));
  return all;
}

TEST(PolicyRules, RoundRobinOnTheSm) {
  EXPECT_EQ(follow({.policy = Policy::round_robin}, 2, 1),
            (std::vector<Cycles>{{0, 2, 4, 6}, {1, 3, 5, 7}}));
}

TEST(PolicyRules, OldestFirstOnTheSm) {
  // The third warp gets what the first two leave: 0 and 1 of every three cycles.
  EXPECT_EQ(follow({.policy = Policy::greedy_oldest}, 4, 3),
            (std::vector<Cycles>{{0, 3, 6, 9}, {1, 4, 7, 10}, {2, 5, 8, 11}, {12, 15, 18, 21}}));
}

TEST(PolicyRules, YoungestFirstOnTheSm) {
  EXPECT_EQ(follow({.policy = Policy::greedy_youngest}, 4, 3),
            (std::vector<Cycles>{{12, 15, 18, 21}, {2, 5, 8, 11}, {1, 4, 7, 10}, {0, 3, 6, 9}}));
}

TEST(PolicyRules, GreedyInTurnOnTheSm) {
  EXPECT_EQ(follow({.policy = Policy::greedy_round_robin}, 2, 1),
            (std::vector<Cycles>{{0, 1, 2, 3}, {4, 5, 6, 7}}));
}

TEST(PolicyRules, TwoLevelsOnTheSm) {
  EXPECT_EQ(follow({.policy = Policy::two_level, .group = 2}, 4, 1),
            (std::vector<Cycles>{{0, 2, 4, 6}, {1, 3, 5, 7}, {8, 10, 12, 14}, {9, 11, 13, 15}}));
}

TEST(PolicyRules, VariableRateOnTheSm) {
  PolicyChoice choice{.policy = Policy::variable_rate, .rate = 3, .work_conserving = false};
  // Slots 0, 3, 6, 9 are the fast warp's; the other two share the rest and leave 9 on alone.
  EXPECT_EQ(follow(choice, 3, 1),
            (std::vector<Cycles>{{0, 3, 6, 9}, {1, 4, 7, 10}, {2, 5, 8, 11}}));
  EXPECT_EQ(follow(choice, 1, 1), (std::vector<Cycles>{{0, 3, 6, 9}}));
  choice.work_conserving = true;
  EXPECT_EQ(follow(choice, 1, 1), (std::vector<Cycles>{{0, 1, 2, 3}}));
}

TEST(PolicyRules, FastWarpDoesNotCountInTheTurnsOfTheOthers) {
  const PolicyChoice choice{.policy = Policy::variable_rate, .rate = 2, .work_conserving = false};
  EXPECT_EQ(follow(choice, 3, 1),
            (std::vector<Cycles>{{0, 2, 4, 6}, {1, 5, 9, 13}, {3, 7, 11, 15}}));
}

TEST(PolicyRules, GoesOnWithTheLast) {
  IssuePolicy policy({.policy = Policy::greedy_youngest});
  EXPECT_TRUE(policy.goes_on_with(3)) << "nobody has issued";
  policy.issued(2);
  EXPECT_TRUE(policy.goes_on_with(2));
  EXPECT_FALSE(policy.goes_on_with(3));
}

}  // namespace
}  // namespace forewarp::tests
