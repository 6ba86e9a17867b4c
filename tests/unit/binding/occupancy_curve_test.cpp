// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "binding/occupancy_curve.h"

#include <optional>

#include <gtest/gtest.h>

#include "sm_limits.h"

namespace forewarp::tests {
namespace {

using test::limits_of;

TEST(OccupancyCurve, AxesByName) {
  EXPECT_EQ(curve_axis("block"), CurveAxis::block);
  EXPECT_EQ(curve_axis("regs"), CurveAxis::registers);
  EXPECT_EQ(curve_axis("smem"), CurveAxis::shared);
  EXPECT_EQ(curve_axis("threads"), std::nullopt);
}

TEST(OccupancyCurve, BlockSizesAreWholeWarps) {
  const auto curve = occupancy_curve(limits_of("7.5"), {.registers = 32}, CurveAxis::block);
  ASSERT_EQ(curve.size(), 32U);
  EXPECT_EQ(curve.front().value, 32U);
  EXPECT_EQ(curve.front().occupancy.warps, 16U);  // 16 blocks of one warp
  EXPECT_EQ(curve[1].occupancy.warps, 32U);
  EXPECT_EQ(curve.back().value, 1024U);
}

TEST(OccupancyCurve, RegistersChangeInEights) {
  const auto curve = occupancy_curve(limits_of("7.0"), {.threads = 256}, CurveAxis::registers);
  ASSERT_EQ(curve.size(), 255U);
  const auto steps = curve_steps(curve);
  // 32 registers: 64 warps, also the limit of warps; 40: 4 * floor(16384 / 1280) = 48.
  EXPECT_EQ(steps[0].value, 24U);
  EXPECT_EQ(steps[1].value, 32U);
  EXPECT_EQ(steps[1].occupancy.warps, 64U);
  EXPECT_EQ(steps[2].value, 40U);
  EXPECT_EQ(steps[2].occupancy.warps, 48U);
  EXPECT_EQ(steps.back().value, 255U);
}

TEST(OccupancyCurve, SharedMemoryEndsAtTrueEdges) {
  const BlockNeeds needs{.threads = 256, .registers = 32, .static_shared = 100};
  const auto limits = limits_of("8.0");
  for (const auto& step : curve_steps(occupancy_curve(limits, needs, CurveAxis::shared))) {
    BlockNeeds next = needs;
    next.dynamic_shared = step.value + 1;
    const auto after = occupancy(limits, next);
    EXPECT_TRUE(after.blocks != step.occupancy.blocks || after.limiters != step.occupancy.limiters)
        << step.value;
  }
}

TEST(OccupancyCurve, NoRoomLeftIsAnEmptyCurve) {
  const BlockNeeds needs{.threads = 32, .registers = 32, .static_shared = 200000};
  EXPECT_TRUE(occupancy_curve(limits_of("3.0"), needs, CurveAxis::shared).size() <= 1);
}

TEST(OccupancyCurve, UnusedSharedMemoryLimitsTheResidentBlocks) {
  // 8.0: 164 KB per SM, 1 KB of it reserved per block, charged in units of 128 bytes. Two blocks
  // leave no room for a third from 164/3 KB on: 55,978.7 bytes, less 1024, rounded up to the unit
  // after the last that lets three in: 3 * 55,936 = 167,808 <= 167,936, so 55,936 - 1024 + 1.
  const BlockNeeds needs{.threads = 128, .registers = 16};
  const auto two = shared_for_residency(limits_of("8.0"), needs, 2);
  ASSERT_TRUE(two);
  EXPECT_EQ(*two, 54'913U);
  BlockNeeds with = needs;
  with.dynamic_shared = *two;
  EXPECT_EQ(occupancy(limits_of("8.0"), with).blocks, 2U);
  with.dynamic_shared = *two - 1;
  EXPECT_EQ(occupancy(limits_of("8.0"), with).blocks, 3U);
}

TEST(OccupancyCurve, ResidencyThatFitsNeedsNoSharedMemory) {
  const BlockNeeds needs{.threads = 1024, .registers = 16};
  EXPECT_EQ(shared_for_residency(limits_of("8.0"), needs, 2), 0U);
  EXPECT_EQ(shared_for_residency(limits_of("8.0"), needs, 3), std::nullopt);  // 2 fit
  // 5.2: a block has at most half of the SM's 96 KB: never alone.
  EXPECT_EQ(shared_for_residency(limits_of("5.2"), {.threads = 64, .registers = 16}, 1),
            std::nullopt);
}

}  // namespace
}  // namespace forewarp::tests
