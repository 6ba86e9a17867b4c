// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "execution/grid/block_loads.h"

#include <limits>
#include <map>

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

TEST(BlockLoads, PlacesStandForTheirNeighbours) {
  const auto loads = loads_of_places(std::vector<BlockPlace>{{0, 30, 5, 2}, {40, 70, 7, 3}});
  ASSERT_EQ(loads.size(), 2U);
  EXPECT_EQ(loads[0].blocks, 30U);
  EXPECT_EQ(loads[1].blocks, 70U);
  EXPECT_EQ(loads[1].all, 7);
  EXPECT_EQ(loads[1].longest, 3);
}

// Every fourth block is ten times as long; of each four neighbours one is drawn, not always the
// same.
TEST(BlockLoads, OfALargerGridNeighboursAreDrawn) {
  std::map<std::uint64_t, BlockTotal> totals;
  for (std::uint64_t i = 0; i < 4 * most_loads - 3; ++i) {
    const std::uint64_t all = i % 4 == 3 ? 80 : 8;
    totals[i] = {all, all / 4};
  }
  const auto loads = loads_of_all(totals);
  std::uint64_t blocks = 0, longer = 0;
  for (const BlockLoad& load : loads) {
    blocks += load.blocks;
    if (load.all == 80) longer += load.blocks;
    EXPECT_EQ(load.longest, load.all / 4);
  }
  EXPECT_LE(loads.size(), most_loads);
  EXPECT_EQ(blocks, totals.size());
  EXPECT_NEAR(static_cast<double>(longer) / static_cast<double>(blocks), 0.25, 0.015);
}

// A few long blocks among many that are alike are known one by one, however large the grid.
TEST(BlockLoads, RareBlocksOfALargeGridKeepTheirPlaces) {
  std::map<std::uint64_t, BlockTotal> totals;
  for (std::uint64_t i = 0; i < 13 * most_loads; ++i) totals[i] = {8, 4};
  for (const std::uint64_t place : {1000U, 70001U, 100000U}) totals[place] = {900, 800};
  const auto loads = loads_of_all(totals);
  ASSERT_EQ(loads.size(), 7U);
  EXPECT_EQ(loads[0].blocks, 1000U);
  EXPECT_EQ(loads[1].blocks, 1U);
  EXPECT_EQ(loads[1].longest, 800);
  EXPECT_EQ(loads[2].blocks, 69000U);
  EXPECT_EQ(loads[6].blocks, 13 * most_loads - 100001);
}

TEST(BlockLoads, AnUnknownBlockMakesAllUnknown) {
  EXPECT_TRUE(loads_of_places(std::vector<BlockPlace>{{0, 10, 5, 2}, {10, 10, 0, 0}}).empty());
  constexpr double endless = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(loads_of_places(std::vector<BlockPlace>{{0, 10, 5, 2}, {10, 1, endless, 2}}).empty());
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
