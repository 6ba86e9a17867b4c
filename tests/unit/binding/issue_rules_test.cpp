// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "binding/issue_rules.h"

#include <vector>

#include <gtest/gtest.h>

namespace forewarp::tests {
namespace {

using Warp = IssueState<double>;

/// One warp whose instructions issue as soon as the rules let them.
struct Issuing {
  Warp warp;
  WarpRules<double> rules;

  explicit Issuing(std::size_t slots = 2) { warp.ready.resize(slots); }

  [[nodiscard]] double ready(const BoundInstruction& next) const {
    return earliest_issue(warp, next, {next.reads, next.writes, {}}, rules).at;
  }
  double issue(const BoundInstruction& next, bool jumps = false) {
    const double at = ready(next);
    set_results(warp, next, {next.reads, next.writes, {}}, {at}, {at + next.latency},
                {at + next.read_release}, rules);
    follow_on(warp, next, jumps, {at}, rules);
    return at;
  }
};

BoundInstruction any(double spacing = 1, double latency = 10) {
  BoundInstruction instruction;
  instruction.spacing = spacing;
  instruction.spacing_taken = spacing + 3;
  instruction.latency = latency;
  return instruction;
}

/// Ready at `at`, blocked one cycle before: with one cycle less of `time` it comes one sooner.
template <typename Run>
void expect_edge(double at, const Run& run) {
  EXPECT_DOUBLE_EQ(run(0.0), at);
  EXPECT_DOUBLE_EQ(run(-1.0), at - 1);
}

TEST(IssueRuleSet, TheNextFollowsAfterTheSpacing) {
  expect_edge(5, [](double less) {
    Issuing a;
    a.issue(any(5 + less));
    return a.ready(any());
  });
}

TEST(IssueRuleSet, ATakenBranchHasItsOwnSpacing) {
  expect_edge(8, [](double less) {
    Issuing a;
    a.issue(any(5 + less), true);
    return a.ready(any());
  });
}

TEST(IssueRuleSet, AReaderWaitsForItsRegister) {
  expect_edge(10, [](double less) {
    Issuing a;
    BoundInstruction writer = any(1, 10 + less), reader = any();
    writer.writes = {1};
    reader.reads = {0, 1};
    a.issue(writer);
    return a.ready(reader);
  });
}

TEST(IssueRuleSet, TheSecondOfAPairMayReadACycleLater) {
  Issuing a;
  BoundInstruction writer = any();
  writer.writes = {1};
  a.issue(writer);
  const std::vector<std::uint16_t> second{1};
  const BoundInstruction first = any();
  EXPECT_DOUBLE_EQ(earliest_issue(a.warp, first, {{}, {}, second}, a.rules).at, 10 - 1);
}

TEST(IssueRuleSet, StoresKeepTheirGap) {
  expect_edge(7, [](double less) {
    Issuing a;
    a.rules.store_gap = 7 + less;
    BoundInstruction store = any();
    store.is_store = true;
    a.issue(store);
    EXPECT_DOUBLE_EQ(a.ready(any()), 1);
    return a.ready(store);
  });
}

TEST(IssueRuleSet, LoadsInARowHaveGapsUntilAnotherInstruction) {
  const std::vector<double> gaps{3, 5};
  Issuing a;
  a.rules.load_gaps = gaps;
  BoundInstruction load = any();
  load.is_load = true;
  EXPECT_DOUBLE_EQ(a.issue(load), 0);
  EXPECT_DOUBLE_EQ(a.issue(load), 3);
  EXPECT_DOUBLE_EQ(a.issue(load), 8);
  EXPECT_DOUBLE_EQ(a.issue(any()), 9);
  EXPECT_DOUBLE_EQ(a.issue(load), 10);
  EXPECT_DOUBLE_EQ(a.ready(any()), 13);
}

TEST(IssueRuleSet, AWaitLastsUntilTheLastOfItsBarriers) {
  expect_edge(13, [](double less) {
    Issuing a;
    BoundInstruction first = any(1, 10), second = any(2, 12 + less), wait = any();
    first.write_barrier = 0;
    second.write_barrier = 1;
    wait.wait_mask = 3;
    a.issue(first);
    a.issue(second);
    return a.ready(wait);
  });
}

TEST(IssueRuleSet, AReadBarrierFallsWhenTheSourcesAreRead) {
  expect_edge(6, [](double less) {
    Issuing a;
    BoundInstruction store = any(1, 30), wait = any();
    store.read_barrier = 2;
    store.read_release = 6 + less;
    wait.wait_mask = 1U << 2;
    a.issue(store);
    return a.ready(wait);
  });
}

TEST(IssueRuleSet, ABarrierSetTooLateIsNotSeen) {
  Issuing a;
  a.rules.barrier_seen = 2;
  BoundInstruction load = any(1, 10), wait = any();
  load.write_barrier = 0;
  wait.wait_mask = 1;
  a.issue(load);
  EXPECT_DOUBLE_EQ(a.ready(wait), 1);
  load.spacing = 2;
  Issuing b;
  b.rules.barrier_seen = 2;
  b.issue(load);
  EXPECT_DOUBLE_EQ(b.ready(wait), 10);
}

// Three come at 10, 11 and 12; at 30 a fourth is set and what has come is outstanding no more.
TEST(IssueRuleSet, SoManyMayBeOutstanding) {
  BoundInstruction load = any(), wait = any();
  load.write_barrier = 0;
  wait.waits_on_scoreboard = 0;
  for (const auto& [left, at] : {std::pair{0, 12.0}, {1, 11.0}, {2, 10.0}, {3, 3.0}}) {
    Issuing a;
    a.rules.ordered = true;
    for (int i = 0; i < 3; ++i) a.issue(load);
    wait.scoreboard_left = static_cast<std::uint8_t>(left);
    EXPECT_DOUBLE_EQ(a.ready(wait), at) << left;
    a.warp.next.at = 30;
    a.issue(load);
    EXPECT_DOUBLE_EQ(a.ready(wait), left == 0 ? 40 : 31) << left;
  }
}

TEST(IssueRuleSet, TheBlocksBarrierLetsGoWhatWouldGoEarlier) {
  Warp warp;
  warp.next.at = 9;
  EXPECT_FALSE(let_go(warp, {9}));
  EXPECT_TRUE(let_go(warp, {10}));
  EXPECT_DOUBLE_EQ(warp.next.at, 10);
}

TEST(IssueRuleSet, ABarrierWaitsForTheLastAndForWhoLeaves) {
  BlockBarrier<double> barrier{3, 0, 0};
  barrier.arrive(10);
  barrier.arrive(7);
  EXPECT_FALSE(barrier.complete());
  barrier.leave(100);
  EXPECT_TRUE(barrier.complete());
  EXPECT_DOUBLE_EQ(barrier.release(), 100);
  EXPECT_FALSE(barrier.complete());
  // Who left before anybody arrived is not waited for.
  BlockBarrier<double> early{2, 0, 0};
  early.leave(100);
  early.arrive(10);
  EXPECT_DOUBLE_EQ(early.release(), 10);
}

TEST(IssueRuleSet, ADrawLastsUntilTheWarpWaits) {
  Warp warp;
  warp.next.at = 5;
  EXPECT_FALSE(takes_new_draw(warp, 6.0));
  warp.drawn = true;
  EXPECT_FALSE(takes_new_draw(warp, 5.0));
  EXPECT_TRUE(takes_new_draw(warp, 6.0));
  EXPECT_FALSE(takes_new_draw(warp, 6.0));
}

TEST(IssueRuleSet, BeforeAUnitSoManyMayWait) {
  EXPECT_DOUBLE_EQ(unit_admits(20.0, 4.0, 0.0), 20);
  EXPECT_DOUBLE_EQ(unit_admits(20.0, 4.0, 2.0), 12);
}

}  // namespace
}  // namespace forewarp::tests
