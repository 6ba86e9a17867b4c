// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "timing/recorders/history.h"

#include <cmath>

#include <gtest/gtest.h>

namespace forewarp::tests {
namespace {

void come(Residency& residency, double at, int warps) {
  for (int w = 0; w < warps; ++w) residency.change(ticks(at), 1);
}
void go(Residency& residency, double at, int warps) {
  for (int w = 0; w < warps; ++w) residency.change(ticks(at), -1);
}

TEST(Residency, MeansAreAreasOverTime) {
  Residency residency;
  come(residency, 0, 4);
  go(residency, 2, 1);
  go(residency, 8, 3);
  const Residency::Summary seen = residency.summary(ticks(10));
  EXPECT_DOUBLE_EQ(seen.mean, (4 * 2 + 3 * 6 + 0 * 2) / 10.0);
  EXPECT_DOUBLE_EQ(seen.highest, 4);
  EXPECT_DOUBLE_EQ(seen.below_half, 2 / 10.0);  // two of four warps would not be under half
  ASSERT_EQ(seen.points.size(), 10U);           // a point per cycle while they are few
  EXPECT_EQ(seen.points[1], std::pair(1.0, 4.0));
  EXPECT_EQ(seen.points[2], std::pair(2.0, 3.0));
  EXPECT_EQ(seen.points[9], std::pair(9.0, 0.0));
}

TEST(Residency, ComingMayBeToldAheadOfWhatHappensBefore) {
  Residency residency;
  come(residency, 0, 2);
  come(residency, 6, 1);  // told before the warp of cycle 4 goes
  go(residency, 4, 1);
  go(residency, 8, 2);
  EXPECT_DOUBLE_EQ(residency.summary(ticks(8)).mean, (2 * 4 + 1 * 2 + 2 * 2) / 8.0);
}

TEST(Residency, DeviationIsThatOfTheTimeInWhichBlocksComeAndGo) {
  Residency residency;
  come(residency, 0, 2);  // until 4 the first blocks fill the SM: not counted
  go(residency, 4, 1);
  come(residency, 6, 1);
  go(residency, 8, 1);
  come(residency, 10, 1);  // from here on the SM drains: not counted
  go(residency, 20, 2);
  // Cycles 4 to 10: 1, 1, 2, 2, 1, 1 warps: mean 4/3, of squares 2, so sqrt(2 - 16/9).
  EXPECT_NEAR(residency.summary(ticks(20)).deviation, std::sqrt(2.0 - 16.0 / 9.0), 1e-12);
}

TEST(Residency, OneWaveOscillatesNot) {
  Residency residency;
  come(residency, 0, 8);
  go(residency, 5, 4);
  go(residency, 9, 4);
  EXPECT_DOUBLE_EQ(residency.summary(ticks(9)).deviation, 0);
}

TEST(Residency, StretchesDoubleUntilTheyFit) {
  Residency residency;
  come(residency, 0, 3);
  go(residency, 200, 1);
  EXPECT_EQ(residency.summary(ticks(200)).points.size(), 200U);
  const Residency::Summary seen = residency.summary(ticks(201));  // one more than fits
  ASSERT_EQ(seen.points.size(), 101U);
  EXPECT_EQ(seen.points[99], std::pair(198.0, 3.0));
  EXPECT_EQ(seen.points[100], std::pair(200.0, 2.0));  // a stretch cut short by the end
  const Residency::Summary late = residency.summary(ticks(1e6));
  EXPECT_LE(late.points.size(), Residency::most_points);
  EXPECT_DOUBLE_EQ(late.mean, (3 * 200 + 2 * 999'800.0) / 1e6);
}

TEST(Residency, NothingHappened) {
  const Residency::Summary seen = Residency().summary(0);
  EXPECT_TRUE(seen.points.empty());
  EXPECT_EQ(seen.mean, 0);
}

TEST(BlockEnds, SharesOfFewBlocksAreExact) {
  BlockEnds ends;
  for (int block = 1; block <= 5; ++block) ends.add(ticks(10 * block));
  EXPECT_EQ(ends.count(), 5U);
  EXPECT_EQ(ends.at_share(0), ticks(10));
  EXPECT_EQ(ends.at_share(0.25), ticks(20));
  EXPECT_EQ(ends.at_share(0.5), ticks(30));
  EXPECT_EQ(ends.at_share(0.75), ticks(40));
  EXPECT_EQ(ends.at_share(1), ticks(50));
}

TEST(BlockEnds, OfManyBlocksEverySoManythIsKept) {
  constexpr int blocks = 100'000;
  BlockEnds ends;
  for (int block = 0; block < blocks; ++block) ends.add(ticks(block));
  EXPECT_EQ(ends.count(), static_cast<std::uint64_t>(blocks));
  EXPECT_EQ(ends.at_share(0), 0);
  EXPECT_NEAR(cycles_of(ends.at_share(0.5)), 0.5 * (blocks - 1), 32);  // half of a stride of 64
  EXPECT_NEAR(cycles_of(ends.at_share(0.75)), 0.75 * (blocks - 1), 32);
  EXPECT_EQ(ends.at_share(1), ticks(blocks - 1));
}

}  // namespace
}  // namespace forewarp::tests
