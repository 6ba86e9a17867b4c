// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "explain/path_cycles.h"

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

TEST(PathCycles, SkippedPassesGoToTheRecurrence) {
  // 1 and 2 are a loop of 30 cycles a pass (10 + 20), scheduled twice; 98 more passes take
  // 98 * 30 = 2940, and the step out of it 5: 3 issues at 6 + 30 + 2940 + 5.
  PathLoop loop;
  loop.begin = 0x10;
  loop.end = 0x30;
  loop.trips = 100;
  const auto path = along({{0, 0}, {1, 6}, {2, 16}, {1, 36}, {2, 46}, {3, 46 + 2940 + 25}}, 3021);
  const Cycles cycles = path_cycles(of_instructions(4), path, {loop});
  // 2 leaves the loop after 20 + 2940 + 5 cycles: 98 passes of 30, and 25 left.
  EXPECT_EQ(cycles, (Cycles{{0, 6}, {1, 10 + 10 + 980}, {2, 20 + 1960 + 25}, {3, 10}}));
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
