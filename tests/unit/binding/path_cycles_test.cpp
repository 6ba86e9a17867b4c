// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "binding/path_cycles.h"

#include <gtest/gtest.h>

namespace forewarp::tests {
namespace {

/// Instructions at 0x00, 0x10, 0x20 ..
Kernel of_instructions(std::uint32_t count) {
  Kernel kernel;
  kernel.instructions.resize(count);
  for (std::uint32_t i = 0; i < count; ++i) kernel.instructions[i].address = 0x10 * i;
  return kernel;
}

LatencyPath along(const std::vector<std::pair<std::uint32_t, double>>& events, double cycles) {
  LatencyPath path;
  path.cycles = cycles;
  for (const auto& [instruction, cycle] : events) {
    path.critical.push_back(static_cast<std::uint32_t>(path.events.size()));
    path.events.push_back({instruction, cycle, IssueCause::operand, -1, 0});
  }
  return path;
}

using Cycles = std::map<std::uint32_t, double>;

TEST(PathCycles, OfStraightCodeAreThoseToTheNextIssue) {
  EXPECT_EQ(path_cycles(of_instructions(3), along({{0, 0}, {1, 6}, {2, 30}}, 40), {}),
            (Cycles{{0, 6}, {1, 24}, {2, 10}}));
}

PathLoop loop_of_1_and_2() {
  PathLoop loop;
  loop.begin = 0x10;
  loop.end = 0x30;
  return loop;
}

TEST(PathCycles, SkippedPassesGoToTheRecurrence) {
  // 1 and 2 are a loop of 30 cycles a pass: 10 from 1 to 2, 20 back to 1. It was scheduled twice; 2
  // issues last at 46, and what follows at 3046: 3000 cycles, or 100 passes.
  const auto path = along({{0, 0}, {1, 6}, {2, 16}, {1, 36}, {2, 46}, {3, 3046}}, 3056);
  EXPECT_EQ(path_cycles(of_instructions(4), path, {loop_of_1_and_2()}),
            (Cycles{{0, 6}, {1, 10 + 10 + 1000}, {2, 20 + 2000}, {3, 10}}));
}

TEST(PathCycles, OfALoopThatWasScheduledOnceThePassIsFromItsFirstEvent) {
  // 10 cycles from 1 to 2, then 500: all of them passes like this one.
  const auto path = along({{0, 0}, {1, 6}, {2, 16}, {3, 516}}, 520);
  EXPECT_EQ(path_cycles(of_instructions(4), path, {loop_of_1_and_2()}),
            (Cycles{{0, 6}, {1, 510}, {2, 0}, {3, 4}}));
}

TEST(PathCycles, AddUpToThePath) {
  PathLoop loop;
  loop.begin = 0x10;
  loop.end = 0x30;
  const auto path = along({{0, 3}, {1, 6}, {2, 16}, {1, 36}, {2, 47}, {3, 400}}, 500);
  double sum = 0;
  for (const auto& [instruction, cycles] : path_cycles(of_instructions(4), path, {loop})) {
    sum += cycles;
  }
  EXPECT_DOUBLE_EQ(sum, 500 - 3);
}

}  // namespace
}  // namespace forewarp::tests
