// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "sm_builder.h"

namespace forewarp::tests {
namespace {

Cycles alone(const std::vector<Op>& ops) {
  SmBuilder sm;
  sm.warp(ops);
  return sm.issues(0);
}

/// Its result comes after so many cycles, through barrier 0.
Op slow(double latency, double stall) {
  return {.stall = stall, .latency = latency, .write = 0, .variable = true};
}

TEST(IssueRules, StallCountIsTheDistance) {
  EXPECT_EQ(alone({{.stall = 5}, {.stall = 1}, {}}), (Cycles{0, 5, 6}));
}

TEST(IssueRules, WaitMaskWaitsForTheLastOfItsBarriers) {
  // Barrier 0 falls at 0 + 10, barrier 1 at 1 + 12.
  const Op first{.latency = 10, .write = 0, .variable = true};
  const Op second{.stall = 2, .latency = 12, .write = 1, .variable = true};
  EXPECT_EQ(alone({first, second, {.wait = 1}}), (Cycles{0, 1, 10}));
  EXPECT_EQ(alone({first, second, {.wait = 2}}), (Cycles{0, 1, 13}));
  EXPECT_EQ(alone({first, second, {.wait = 3}}), (Cycles{0, 1, 13}));
  EXPECT_EQ(alone({first, second, {.wait = 4}}), (Cycles{0, 1, 3}));
}

TEST(IssueRules, AnyNumberBehindOneBarrier) {
  // 0 + 10 and 1 + 5: the barrier falls when both are through.
  EXPECT_EQ(alone({slow(10, 1), slow(5, 2), {.wait = 1}}), (Cycles{0, 1, 10}));
}

TEST(IssueRules, ReadBarrierFallsWhenSourcesAreRead) {
  const Op op{
      .stall = 2, .latency = 30, .write = 0, .read = 1, .variable = true, .read_release = 7};
  EXPECT_EQ(alone({op, {.wait = 2}, {.wait = 1}}), (Cycles{0, 7, 30}));
}

TEST(IssueRules, BarrierIsSeenTwoCyclesAfterItsInstruction) {
  EXPECT_EQ(alone({slow(10, 1), {.wait = 1}}), (Cycles{0, 1}));
  EXPECT_EQ(alone({slow(10, 2), {.wait = 1}}), (Cycles{0, 10}));
  const auto read = [](double stall) {
    return Op{.stall = stall, .read = 3, .variable = true, .read_release = 10};
  };
  EXPECT_EQ(alone({read(1), {.wait = 8}}), (Cycles{0, 1}));
  EXPECT_EQ(alone({read(2), {.wait = 8}}), (Cycles{0, 10}));
}

TEST(IssueRules, BarrierIsSeenByWhoIsKeptAnotherCycle) {
  // The unit is free again at 3; by then the barrier can be seen.
  SmBuilder sm;
  const std::uint8_t unit = sm.unit();
  Op op = slow(10, 1);
  op.unit = unit;
  op.taken = 3;
  sm.warp({op, {.unit = unit, .wait = 1}});
  EXPECT_EQ(sm.issues(0), (Cycles{0, 10}));
}

TEST(IssueRules, BarrierThatIsUpAlreadyIsSeen) {
  // At 2 the first is outstanding; when it is through, at 10, the second has been seen: 1 + 20.
  EXPECT_EQ(alone({slow(10, 1), slow(20, 1), {.wait = 1}}), (Cycles{0, 1, 21}));
}

TEST(IssueRules, DepbarLetsSoManyBeOutstanding) {
  // They come at 10, 11 and 12.
  const auto left = [](int n) {
    return alone({slow(10, 1), slow(10, 1), slow(10, 2), {.scoreboard = 0, .left = n}}).back();
  };
  EXPECT_EQ(left(0), 12);
  EXPECT_EQ(left(1), 11);
  EXPECT_EQ(left(2), 10);
  EXPECT_EQ(left(3), 4);
}

TEST(IssueRules, DepbarDoesNotSeeWhatWasSetACycleAgo) {
  // At 3 it counts two: no more than two left. At most one left: it sees three from 4 on, and
  // two of them have come at 11.
  const auto left = [](int n) {
    return alone({slow(10, 1), slow(10, 1), slow(10, 1), {.scoreboard = 0, .left = n}}).back();
  };
  EXPECT_EQ(left(2), 3);
  EXPECT_EQ(left(1), 11);
  EXPECT_EQ(left(0), 12);
}

TEST(IssueRules, DepbarForgetsWhatHasCome) {
  // At 30 the first has come; of the other two, at 40 and 41, one may be left.
  const Op late = slow(10, 30);
  EXPECT_EQ(alone({late, slow(10, 1), slow(10, 2), {.scoreboard = 0, .left = 1}}),
            (Cycles{0, 30, 31, 40}));
}

TEST(IssueRules, ScoreboardSlotWaitsForItsValue) {
  const Op writer{.latency = 6, .to = {1}};
  EXPECT_EQ(alone({writer, {.from = {1}}}), (Cycles{0, 6}));
  EXPECT_EQ(alone({writer, {.from = {0}}}), (Cycles{0, 1}));
  EXPECT_EQ(alone({writer, {.latency = 9, .to = {0}}, {.from = {0, 1}}}), (Cycles{0, 1, 10}));
}

TEST(IssueRules, LoadsInARowAreApart) {
  SmBuilder sm;
  sm.machine.load_gaps = {ticks(3), ticks(5)};
  const Op load{.is_load = true};
  sm.warp({load, load, load, load, {}, load, load});
  // After the first 3, after the second 5, then its stall count; another one ends the row.
  EXPECT_EQ(sm.issues(0), (Cycles{0, 3, 8, 9, 10, 11, 14}));
}

TEST(IssueRules, StoresAreApart) {
  SmBuilder sm;
  sm.machine.store_gap = ticks(7);
  const Op store{.is_store = true};
  sm.warp({store, {}, store, {}, {.stall = 6}, store});
  EXPECT_EQ(sm.issues(0), (Cycles{0, 1, 7, 8, 9, 15}));
}

TEST(IssueRules, DualIssueIsForTwo) {
  const Op with_next{.stall = 0};
  EXPECT_EQ(alone({with_next, {}, with_next, {}, {}}), (Cycles{0, 0, 1, 1, 2}));
  EXPECT_EQ(alone({with_next, with_next, with_next, {}}), (Cycles{0, 0, 1, 1}));
}

TEST(IssueRules, DualIssueTakesItsUnitUnasked) {
  SmBuilder sm;
  const std::uint8_t one = sm.unit(), other = sm.unit();
  const auto on = [](std::uint8_t unit, double stall) {
    return Op{.stall = stall, .unit = unit, .taken = 1};
  };
  sm.warp({on(one, 0), on(other, 1), on(one, 0), on(one, 1), on(one, 1)});
  // The compiler made a pair of the third and the fourth; together they take the unit until 3.
  EXPECT_EQ(sm.issues(0), (Cycles{0, 0, 1, 1, 3}));
}

TEST(IssueRules, SlowerIssueSlots) {
  SmBuilder sm;
  sm.machine.issue_interval = 2 * cycle;
  sm.warp({{.stall = 1}, {.stall = 3}, {}});
  // 1 and 2 + 3 are no slots: 2 and 6.
  EXPECT_EQ(sm.issues(0), (Cycles{0, 2, 6}));
}

TEST(IssueRules, PortIsKeptFromAllWarps) {
  SmBuilder sm;
  sm.warp({{}}).warp({{.port = 3}, {}});
  // The younger one issues at 0 and keeps the port for 1 + 3 cycles.
  EXPECT_EQ(sm.issues(1), (Cycles{0, 4}));
  EXPECT_EQ(sm.issues(0), (Cycles{5}));
}

}  // namespace
}  // namespace forewarp::tests
