// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "timing/simulation_result.h"

#include <gtest/gtest.h>

namespace forewarp::tests {
namespace {

Kernel kernel_of_two() {
  Kernel kernel;
  kernel.instructions.resize(2);
  kernel.instructions[0].address = 0x8;
  kernel.instructions[1].address = 0x10;
  return kernel;
}

SimulatedTime time_of_two() {
  SimulatedTime time;
  time.cycles = 900;
  time.issued = 12;
  time.of = 36;
  time.error = 0.03;
  time.schedulers = {{"issue", 0.5}, {"dependence", 0.2}, {"math", 0.1}, {"l2", 0}, {"idle", 0.2}};
  time.detail.cycles = 300;
  time.detail.ipc = 12.0 / 300;
  time.detail.instructions = {{1, 6, {{"memory", 42.5}, {"l2", 0}}}};
  time.detail.occupancy.points = {{0, 4}, {150, 2}};
  time.detail.timeline = {
      {0, 0, 0, 0, 0, "issue"}, {5, 1, 0, 2, 1, "fetch"}, {6, 1, 0, 3, 1, "issue"}};
  return time;
}

TEST(SimulationResult, InstructionsAreNamedByTheirAddress) {
  const SimulationFacts facts = simulation_facts(time_of_two(), kernel_of_two(), true);
  ASSERT_EQ(facts.instructions.size(), 1U);
  EXPECT_EQ(facts.instructions[0].address, 0x10U);
  ASSERT_EQ(facts.instructions[0].stalls.size(), 1U);  // what did not happen is left out
  EXPECT_EQ(facts.instructions[0].stalls[0], std::pair(std::string("memory"), 42.5));
  ASSERT_EQ(facts.timeline.size(), 3U);
  EXPECT_EQ(facts.timeline[1], (SimulationFacts::Issue{5, 1, 0, 2, 0x10, 1}));
  EXPECT_EQ(facts.timeline[2][5], 0);
  EXPECT_EQ(facts.causes, (std::vector<std::string>{"issue", "fetch"}));
}

TEST(SimulationResult, ListsAreLeftOutUnlessAsked) {
  const SimulationFacts facts = simulation_facts(time_of_two(), kernel_of_two(), false);
  EXPECT_TRUE(facts.instructions.empty());
  EXPECT_TRUE(facts.timeline.empty());
  EXPECT_TRUE(facts.occupancy.points.empty());
  EXPECT_EQ(facts.cycles, 900);
  EXPECT_EQ(facts.followed_cycles, 300);
  EXPECT_EQ(facts.simulated_instructions, 12);
  EXPECT_EQ(facts.of_instructions, 36);
  EXPECT_EQ(facts.error, 0.03);
}

TEST(SimulationResult, StallsHaveTheNamesOfEveryModel) {
  const auto stalls = simulated_stalls(time_of_two());
  EXPECT_EQ(stalls.size(), 3U);
  EXPECT_DOUBLE_EQ(stalls.at("issued"), 0.5);
  EXPECT_DOUBLE_EQ(stalls.at("dependence"), 0.2 + 0.1);  // arithmetic of both kinds
  EXPECT_DOUBLE_EQ(stalls.at("idle"), 0.2);
}

}  // namespace
}  // namespace forewarp::tests
