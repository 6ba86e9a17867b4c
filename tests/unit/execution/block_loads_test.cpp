// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "execution/grid/block_loads.h"

#include <limits>

#include <gtest/gtest.h>

#include "execution/grid/profile_run.h"
#include "execution/lowering/kernel_lowering.h"
#include "kernel_run.h"

namespace forewarp::tests {
namespace {

TEST(BlockLoads, BlocksThatAreAlikeTellNothing) {
  EXPECT_TRUE(loads_of_all({{0, {8, 4}}, {1, {8, 4}}}).empty());
}

TEST(BlockLoads, ConsecutiveBlocksAreJoined) {
  const auto loads = loads_of_all({{0, {8, 4}}, {1, {8, 4}}, {2, {20, 12}}});
  ASSERT_EQ(loads.size(), 2U);
  EXPECT_EQ(loads[0].blocks, 2U);
  EXPECT_EQ(loads[0].all, 8);
  EXPECT_EQ(loads[1].blocks, 1U);
  EXPECT_EQ(loads[1].longest, 12);
}

TEST(BlockLoads, OfALargerGridNoneAreTold) {
  std::vector<BlockPlace> places{{0, most_loads - 100, 5}, {most_loads, 100, 7}};
  const auto loads = loads_of_places(places, 0.5);
  ASSERT_EQ(loads.size(), 2U);
  EXPECT_EQ(loads[0].blocks, most_loads - 100);
  EXPECT_EQ(loads[1].longest, 3.5);
  places[1].size = 101;
  EXPECT_TRUE(loads_of_places(places, 0.5).empty());
}

TEST(BlockLoads, AnUnknownBlockMakesAllUnknown) {
  EXPECT_TRUE(loads_of_places(std::vector<BlockPlace>{{0, 10, 5}, {10, 10, 0}}, 1).empty());
  constexpr double endless = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(loads_of_places(std::vector<BlockPlace>{{0, 10, 5}, {10, 1, endless}}, 1).empty());
}

// A tile of queries looks at one tile of keys more than the one before, by eight equal warps.
TEST(BlockLoads, AnExecutedGridTellsThemInItsOrder) {
  KernelRun run("../../validation/order/uneven_grids.sass", "causal_scores", 86);
  run.input().grid = {6, 3, 1};
  run.input().block = {256, 1, 1};
  for (const std::size_t bytes : {73728U, 73728U, 18432U})
    run.pass_buffer(std::vector<std::uint8_t>(bytes));
  run.pass(6U);
  const auto profile = profile_paths(*lower_kernel(run.kernel()), run.input(), {});
  ASSERT_TRUE(profile) << profile.error().line();
  ASSERT_EQ(profile->loads.size(), 18U);
  const double more = profile->loads[1].all - profile->loads[0].all;
  EXPECT_EQ(profile->loads[5].all - profile->loads[4].all, more);
  EXPECT_EQ(profile->loads[6].all, profile->loads[0].all);
  EXPECT_EQ(profile->loads[7].longest * 8, profile->loads[7].all);
}

}  // namespace
}  // namespace forewarp::tests
