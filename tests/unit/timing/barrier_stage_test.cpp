// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "stage_bench.h"
#include "timing/stages/barrier.h"

namespace forewarp::tests {
namespace {

// Two of three warps come at 10 and 14, the third could go on at 12: all go on at 14.
TEST(BarrierStage, AllGoOnWithTheLast) {
  StageBench bench;
  bench.warps = 3;
  bench.add();
  SmState& sm = bench.start();
  SubCore& core = sm.cores[0];
  arrive(sm, core, 0, 10 * cycle);
  arrive(sm, core, 1, 14 * cycle);
  EXPECT_EQ(core.ready[0], never);
  EXPECT_EQ(core.ready[1], never);
  arrive(sm, core, 2, 12 * cycle);
  for (std::uint32_t w = 0; w < 3; ++w) {
    EXPECT_EQ(core.ready[w], 14 * cycle);
    EXPECT_FALSE(core.warps[w].at_barrier);
  }
  EXPECT_EQ(sm.next[0], 14 * cycle);
}

// One warp is there, the other went past: when nothing else happens, at 30, it goes on.
TEST(BarrierStage, WhoIsLeftGoesOn) {
  StageBench bench;
  bench.warps = 2;
  bench.add();
  SmState& sm = bench.start();
  SubCore& core = sm.cores[0];
  EXPECT_FALSE(release_stuck(sm));
  arrive(sm, core, 0, 10 * cycle);
  sm.end = 30 * cycle;
  EXPECT_TRUE(release_stuck(sm));
  EXPECT_EQ(core.ready[0], 30 * cycle);
}

}  // namespace
}  // namespace forewarp::tests
