// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "prediction/paths/executed_paths.h"

#include <gtest/gtest.h>

namespace forewarp::tests {
namespace {

Kernel kernel_of(std::uint32_t instructions) {
  Kernel kernel;
  kernel.instructions.resize(instructions);
  for (std::uint32_t i = 0; i < instructions; ++i) kernel.instructions[i].address = 16 * i;
  return kernel;
}

/// Every instruction is a run of its own.
WarpTrace trace_of(const std::vector<std::uint32_t>& sequence, std::uint32_t instructions) {
  const std::vector<std::uint8_t> begins(instructions, 1);
  TraceFolder folder(begins);
  for (const std::uint32_t i : sequence) folder.add(i);
  return folder.finish();
}

double length(const std::vector<PathStep>& steps, const std::vector<PathLoop>& loops) {
  double sum = 0;
  for (const PathStep& step : steps) {
    sum +=
        step.is_loop() ? loops[step.loop].trips * length(step.body, loops) : step.last - step.first;
  }
  return sum;
}

TEST(ExecutedPaths, WarpsThatGoAlikeAreOnePath) {
  const Kernel kernel = kernel_of(4);
  const WarpTrace shorter = trace_of({0, 1, 1, 3}, 4), longer = trace_of({0, 2, 2, 2, 3}, 4);
  const auto paths = executed_paths(kernel, {shorter, longer, shorter, shorter});
  ASSERT_EQ(paths.size(), 2U);  // the longer first
  EXPECT_DOUBLE_EQ(paths[0].share, 0.25);
  EXPECT_DOUBLE_EQ(paths[1].share, 0.75);
  EXPECT_DOUBLE_EQ(length(paths[0].steps, paths[0].loops), 5);
  EXPECT_DOUBLE_EQ(length(paths[1].steps, paths[1].loops), 4);
  ASSERT_EQ(paths[0].loops.size(), 2U);  // one table for both
  EXPECT_EQ(paths[0].loops[0].begin, 32U);
  EXPECT_DOUBLE_EQ(paths[0].loops[0].trips, 3);
}

TEST(ExecutedPaths, LoopsBeyondTheTableAreUnrolled) {
  // 100 loops of i + 2 passes over instruction 1, told apart by instruction 2 between them.
  std::vector<std::uint32_t> sequence;
  for (std::uint32_t i = 0; i < 100; ++i) {
    sequence.insert(sequence.end(), i + 2, 1);
    sequence.push_back(2);
  }
  const WarpTrace trace = trace_of(sequence, 3);
  const auto paths = executed_paths(kernel_of(3), {trace});
  ASSERT_EQ(paths.size(), 1U);
  EXPECT_LE(paths[0].loops.size(), 64U);
  EXPECT_DOUBLE_EQ(length(paths[0].steps, paths[0].loops), static_cast<double>(sequence.size()));
  double longest = 0;
  for (const PathLoop& loop : paths[0].loops) longest = std::max(longest, loop.trips);
  EXPECT_GT(longest, 80);  // what saves most stays a loop
}

TEST(ExecutedPaths, TheFourLongestKindsStayApart) {
  std::vector<WarpTrace> traces;
  for (std::uint32_t i = 1; i <= 10; ++i) {
    traces.push_back(trace_of(std::vector<std::uint32_t>(i, 1), 2));
  }
  const auto paths = executed_paths(kernel_of(2), traces);
  ASSERT_EQ(paths.size(), 4U);
  EXPECT_DOUBLE_EQ(length(paths[0].steps, paths[0].loops), 10);
  double shares = 0;
  for (const WarpPath& path : paths) shares += path.share;
  EXPECT_DOUBLE_EQ(shares, 1);
}

}  // namespace
}  // namespace forewarp::tests
