// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "stage_bench.h"
#include "timing/stages/fetch.h"

namespace forewarp::tests {
namespace {

// Buffers hold 2 cycles of fetching: at 10 what was fetched by 8 and one more. A branch that is
// taken at 11: max(9, 11 - 2) + 1 + 3 in vain.
TEST(FetchStage, FetchesInVainBehindATakenBranch) {
  StageBench bench;
  bench.machine.jump_fetches = 3 * cycle;
  bench.machine.fetched_ahead = 2 * cycle;
  bench.add();
  SubCore& core = bench.start().cores[0];
  fetch(bench.machine, core, 10 * cycle, false);
  EXPECT_EQ(core.fetched, 9 * cycle);
  fetch(bench.machine, core, 11 * cycle, true);
  EXPECT_EQ(core.fetched, 13 * cycle);
}

TEST(FetchStage, CostsNothingWhereNoDataSaySo) {
  StageBench bench;
  bench.add();
  SubCore& core = bench.start().cores[0];
  fetch(bench.machine, core, 10 * cycle, true);
  EXPECT_EQ(core.fetched, 0);
}

// Fetching is busy until 13: nothing is there for the slot from 12 to 13, but for the next one.
TEST(FetchStage, HoldsThePortUntilFetchesAreOver) {
  StageBench bench;
  bench.add();
  SubCore& core = bench.start().cores[0];
  core.fetched = 13 * cycle;
  EXPECT_TRUE(held_by_fetch(bench.machine, core, 12 * cycle));
  EXPECT_EQ(core.port, 13 * cycle);
  EXPECT_EQ(core.warps[0].unit, Cause::fetch);
  EXPECT_FALSE(held_by_fetch(bench.machine, core, 13 * cycle));
}

}  // namespace
}  // namespace forewarp::tests
