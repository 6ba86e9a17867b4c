// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "execution/grid/sampling.h"

#include <set>

#include <gtest/gtest.h>

namespace forewarp::tests {
namespace {

TEST(Sampling, StrataCoverTheGridOnce) {
  for (const Extent& grid :
       {Extent{1, 1, 1}, Extent{2, 1, 1}, Extent{1000, 1, 1}, Extent{33, 17, 1}, Extent{9, 8, 7}}) {
    for (const std::uint64_t count : {1U, 10U, 64U, 100000U}) {
      const SamplePlan plan = plan_sample(grid, count);
      EXPECT_EQ(plan.size(), volume(grid));
      const auto blocks = plan.blocks();
      EXPECT_EQ(std::set<std::uint64_t>(blocks.begin(), blocks.end()).size(), blocks.size());
      for (const std::uint64_t block : blocks) EXPECT_LT(block, volume(grid));
      for (const Stratum& stratum : plan.strata) EXPECT_LE(stratum.blocks.size(), stratum.size);
    }
  }
}

TEST(Sampling, CornersAlwaysRun) {
  const SamplePlan plan = plan_sample({40, 30, 1}, 20);
  const auto blocks = plan.blocks();
  for (const std::uint64_t corner : {0U, 39U, 29U * 40U, 29U * 40U + 39U}) {
    EXPECT_TRUE(std::binary_search(blocks.begin(), blocks.end(), corner)) << corner;
  }
}

TEST(Sampling, EstimatesAreExactForConstantsAndAlmostForLines) {
  const SamplePlan plan = plan_sample({10000, 1, 1}, 64);
  std::vector<double> constant, line;
  for (const std::uint64_t block : plan.blocks()) {
    constant.push_back(7);
    line.push_back(static_cast<double>(block));
  }
  EXPECT_DOUBLE_EQ(estimate_total(plan, constant).total, 70000);
  EXPECT_DOUBLE_EQ(estimate_total(plan, constant).error, 0);
  // Sum of 0..9999 = 49,995,000.
  const Estimate estimate = estimate_total(plan, line);
  EXPECT_GT(estimate.error, 0);
  EXPECT_NEAR(estimate.total, 49995000, 3 * estimate.error);
}

// Values that step every 256 blocks: most strata see no difference inside, the steps still count.
TEST(Sampling, StepsBetweenStrataAreInTheError) {
  double whole = 0;
  for (std::uint64_t block = 0; block < 8192; ++block) whole += static_cast<double>(block / 256);
  for (const std::uint64_t count : {32U, 128U, 512U, 1024U}) {
    const SamplePlan plan = plan_sample({8192, 1, 1}, count);
    std::vector<double> values;
    for (const std::uint64_t block : plan.blocks()) {
      values.push_back(static_cast<double>(block / 256));
    }
    const Estimate estimate = estimate_total(plan, values);
    EXPECT_NEAR(estimate.total, whole, 1.96 * estimate.error) << count;
    EXPECT_LT(estimate.error, whole / static_cast<double>(count)) << count;
  }
}

// First, middle and last block alone: what lies between them is as uncertain as they differ.
TEST(Sampling, OneBlockPerPlaceStatesHowTheyDiffer) {
  const SamplePlan plan = plan_sample({1000, 1, 1}, 1);
  ASSERT_EQ(plan.blocks().size(), 3U);
  EXPECT_DOUBLE_EQ(estimate_total(plan, {5, 5, 5}).error, 0);
  const Estimate differing = estimate_total(plan, {4, 5, 6});
  EXPECT_DOUBLE_EQ(differing.total, 4 + 998 * 5 + 6);
  EXPECT_NEAR(differing.error, 998, 1);  // variance 1 of the three, for 998 blocks
}

TEST(Sampling, AllBlocksWhenAskedForMore) {
  EXPECT_EQ(plan_sample({50, 1, 1}, 50).blocks().size(), 50U);
  EXPECT_EQ(plan_all({5, 4, 3}).blocks().size(), 60U);
}

}  // namespace
}  // namespace forewarp::tests
