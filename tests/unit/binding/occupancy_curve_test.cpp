// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "binding/occupancy_curve.h"

#include <optional>

#include <gtest/gtest.h>

#include "sm_limits.h"

namespace forewarp {
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

}  // namespace
}  // namespace forewarp
