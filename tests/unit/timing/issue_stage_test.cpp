// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "stage_bench.h"
#include "timing/stages/issue.h"

namespace forewarp::tests {
namespace {

// Two warps are ready: one issues, the slot and its port are taken until 5.
TEST(IssueStage, OneWarpIssuesInASlot) {
  StageBench bench;
  bench.warps = 2;
  bench.add();
  bench.add();
  SmState& sm = bench.start();
  EXPECT_TRUE(issue_slot(sm, 0, 4 * cycle));
  EXPECT_EQ(sm.issued, 1U);
  EXPECT_EQ(sm.end, 5 * cycle);
  EXPECT_EQ(sm.cores[0].port, 5 * cycle);
  EXPECT_TRUE(sm.cores[0].more_ready);
  EXPECT_EQ(sm.cores[0].ready[0], 5 * cycle);
}

// Its pipe is taken until 9: the only warp waits for that.
TEST(IssueStage, WhatIsNotAdmittedWaits) {
  StageBench bench;
  bench.add().units[0] = bench.add_pipe({});
  SmState& sm = bench.start();
  sm.cores[0].units[0] = 9 * cycle;
  EXPECT_FALSE(issue_slot(sm, 0, 4 * cycle));
  EXPECT_EQ(sm.issued, 0U);
  EXPECT_EQ(sm.cores[0].ready[0], 9 * cycle);
  EXPECT_EQ(sm.cores[0].warps[0].unit, Cause::pipe);
}

// The first warp's pipe is taken: the second, at its next instruction, issues.
TEST(IssueStage, AnotherWarpIssuesInstead) {
  StageBench bench;
  bench.warps = 2;
  bench.add().units[0] = bench.add_pipe({});
  bench.add();
  SmState& sm = bench.start();
  SubCore& core = sm.cores[0];
  core.units[0] = 9 * cycle;
  core.warps[1].cursor.advance();
  EXPECT_TRUE(issue_slot(sm, 0, 4 * cycle));
  EXPECT_EQ(core.ready[0], 9 * cycle);
  EXPECT_FALSE(core.more_ready);
  EXPECT_EQ(sm.issued, 1U);
}

// No cycles between the two: they issue in one slot.
TEST(IssueStage, APairIssuesInOneSlot) {
  StageBench bench;
  TimedInstruction& first = bench.add();
  first.spacing = 0;
  first.dual_with_next = true;
  bench.add();
  bench.add();
  SmState& sm = bench.start();
  EXPECT_TRUE(issue_slot(sm, 0, 4 * cycle));
  EXPECT_EQ(sm.issued, 2U);
  EXPECT_EQ(sm.cores[0].port, 5 * cycle);
}

TEST(IssueStage, NobodyIssuesBeforeFetchesAreOver) {
  StageBench bench;
  bench.add();
  SmState& sm = bench.start();
  sm.cores[0].fetched = 6 * cycle;
  EXPECT_FALSE(issue_slot(sm, 0, 4 * cycle));
  EXPECT_EQ(sm.cores[0].port, 6 * cycle);
}

}  // namespace
}  // namespace forewarp::tests
