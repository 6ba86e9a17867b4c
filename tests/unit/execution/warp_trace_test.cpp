// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "execution/grid/warp_trace.h"

#include <gtest/gtest.h>

#include "execution/access/access_run.h"
#include "execution/lowering/kernel_lowering.h"
#include "kernel_run.h"

namespace forewarp::tests {
namespace {

/// Instructions of a trace in the order of execution: what folding must not change.
void unfold(const std::vector<TraceStep>& steps, std::vector<std::uint32_t>& out) {
  for (const TraceStep& step : steps) {
    if (!step.is_loop()) {
      for (std::uint32_t i = step.first; i < step.last; ++i) out.push_back(i);
      continue;
    }
    for (std::uint64_t trip = 0; trip < step.trips; ++trip) unfold(step.body, out);
  }
}

WarpTrace folded(const std::vector<std::uint32_t>& sequence, std::uint32_t instructions,
                 const std::vector<std::uint32_t>& leaders) {
  std::vector<std::uint8_t> begins(instructions, 0);
  for (const std::uint32_t leader : leaders) begins[leader] = 1;
  TraceFolder folder(begins);
  for (const std::uint32_t i : sequence) folder.add(i);
  return folder.finish();
}

TEST(TraceFolder, ALoopIsOneStep) {
  // 0 1 | 2 3 | 2 3 | 2 3 | 4: the last pass falls through.
  const WarpTrace trace = folded({0, 1, 2, 3, 2, 3, 2, 3, 4}, 5, {0, 2, 4});
  ASSERT_EQ(trace.steps.size(), 3U);
  const TraceStep& loop = trace.steps[1];
  EXPECT_EQ(loop.trips, 3U);
  EXPECT_TRUE(loop.leaves_at_end);
  ASSERT_EQ(loop.body.size(), 1U);
  EXPECT_EQ(loop.body[0].first, 2U);
  EXPECT_EQ(loop.body[0].last, 4U);
  EXPECT_TRUE(loop.body[0].jumps);
  EXPECT_EQ(trace.instructions, 9U);
  EXPECT_EQ(trace.recorded, 9U);
}

TEST(TraceFolder, NestedLoopsFoldTwice) {
  std::vector<std::uint32_t> sequence{0};
  for (int outer = 0; outer < 4; ++outer) {
    sequence.push_back(1);
    for (int inner = 0; inner < 5; ++inner) sequence.push_back(2);
    sequence.push_back(3);
  }
  sequence.push_back(4);
  const WarpTrace trace = folded(sequence, 5, {0, 1, 2, 3, 4});
  ASSERT_EQ(trace.steps.size(), 3U);
  EXPECT_EQ(trace.steps[1].trips, 4U);
  ASSERT_EQ(trace.steps[1].body.size(), 3U);
  EXPECT_EQ(trace.steps[1].body[1].trips, 5U);
  std::vector<std::uint32_t> again;
  unfold(trace.steps, again);
  EXPECT_EQ(again, sequence);
}

TEST(TraceFolder, WhatDoesNotRepeatStays) {
  std::vector<std::uint32_t> sequence{0};
  for (std::uint32_t outer = 1; outer < 9; ++outer) {  // triangular: no two passes alike
    sequence.push_back(1);
    for (std::uint32_t inner = 0; inner < outer * outer; ++inner) sequence.push_back(2);
    sequence.push_back(3);
  }
  const WarpTrace trace = folded(sequence, 4, {0, 1, 2, 3});
  std::vector<std::uint32_t> again;
  unfold(trace.steps, again);
  EXPECT_EQ(again, sequence);
  EXPECT_GT(trace.steps.size(), 8U);
}

TEST(TraceFolder, AnEndlessVarietyIsCutAndCounted) {
  std::vector<std::uint8_t> begins(3, 1);
  TraceFolder folder(begins);
  std::uint64_t added = 0, state = 1;
  for (std::uint64_t i = 0; i < 20 * TraceFolder::most_steps; ++i, ++added) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    folder.add(static_cast<std::uint32_t>((state >> 60) % 3));
  }
  const WarpTrace trace = folder.finish();
  EXPECT_EQ(trace.instructions, added);
  EXPECT_LT(trace.recorded, added);
  EXPECT_LE(trace.steps.size(), TraceFolder::most_steps);
  std::vector<std::uint32_t> again;
  unfold(trace.steps, again);
  EXPECT_EQ(again.size(), trace.recorded);
}

TEST(WarpTrace, FollowsTheWarpsThatWereAskedFor) {
  KernelRun run("listings/saxpy2.sm_80.sass");
  const std::vector<float> data(1024, 1.0F);
  run.pass(1024).pass(7).pass_buffer(data).pass_buffer(data);
  ASSERT_FALSE(run.run({4, 1, 1}, {256, 1, 1}));
  const auto program = lower_kernel(run.kernel());
  ASSERT_TRUE(program);
  const std::vector<WarpPlace> places{{2, 5}, {0, 0}};
  const auto traces = trace_warps(*program, run.input(), places, {});
  ASSERT_TRUE(traces);
  ASSERT_EQ(traces->size(), 2U);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ((*traces)[i].place, places[i]);
    EXPECT_EQ((*traces)[i].instructions * 32, run.counts().total);  // 32 warps that do the same
    std::vector<std::uint32_t> again;
    unfold((*traces)[i].steps, again);
    EXPECT_EQ(again.size(), (*traces)[i].instructions);
  }
}

TEST(WarpTrace, OfALoneBlockIsMadeAsItRuns) {
  const std::vector<float> data(1024, 1.0F);
  for (const std::uint32_t blocks : {1U, 4U}) {
    KernelRun run("listings/saxpy2.sm_80.sass");
    run.pass(1024).pass(7).pass_buffer(data).pass_buffer(data);
    ASSERT_FALSE(run.run({blocks, 1, 1}, {256, 1, 1}));
    const auto program = lower_kernel(run.kernel());
    ASSERT_TRUE(program);
    const auto executed = execute_profile(*program, run.input());
    ASSERT_TRUE(executed);
    if (blocks > 1) {
      EXPECT_TRUE(executed->traced.empty());
      continue;
    }
    const auto again = trace_warps(*program, run.input(), places_of(0, 8), {});
    ASSERT_TRUE(again);
    ASSERT_EQ(executed->traced.size(), again->size());
    for (std::size_t i = 0; i < again->size(); ++i) {
      std::vector<std::uint32_t> first, second;
      unfold(executed->traced[i].steps, first);
      unfold((*again)[i].steps, second);
      EXPECT_EQ(executed->traced[i].place, (*again)[i].place);
      EXPECT_EQ(first, second);
    }
  }
}

}  // namespace
}  // namespace forewarp::tests
