// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// What a program that reads the clock finds, from single issues.
#include "timing/recorders/clock_reads.h"

#include <gtest/gtest.h>

#include "hardware/database.h"
#include "input/asfermi/asfermi_reader.h"
#include "test_paths.h"
#include "timing/policy_check.h"
#include "timing/recorders/recorder.h"

namespace forewarp::tests::test {
namespace {

Kernel assemble(const std::string& lines) {
  AsfermiReader reader(InputSource::of_text("k.asfermi", lines));
  auto read = reader.next();
  EXPECT_TRUE(read && *read);
  return read && *read ? std::move(**read) : Kernel{};
}

const char* const measured =
    "S2R R0, SR_ClockLo\nIADD R9, R8, R7\nSHL.W R4, R0, 0x1\nS2R R1, SR_ClockLo\n"
    "SHL.W R5, R1, 0x1\nEXIT";

/// Issues of warp 2 of block 3 alone: cycle and instruction.
void add(ClockReader& clocks, const std::vector<std::pair<double, std::uint32_t>>& issues) {
  for (const auto& [cycle_number, instruction] : issues) {
    clocks.add(ticks(cycle_number), 3, 2, instruction);
  }
}

// Readings at 0 and 30, used at 18 and 50: 32 between the users, 30 between the readings.
TEST(ClockReads, AReadingIsThereWhereItIsUsed) {
  const Kernel kernel = assemble(measured);
  ClockReader clocks(kernel);
  add(clocks, {{0, 0}, {6, 1}, {18, 2}, {30, 3}, {50, 4}, {56, 5}});
  const auto clocked = clocks.finish();
  ASSERT_EQ(clocked.size(), 1U);
  EXPECT_EQ(clocked[0].block, 3U);
  EXPECT_EQ(clocked[0].warp, 2U);
  EXPECT_EQ(clocked[0].used, 32);
  EXPECT_EQ(clocked[0].read, 30);
}

// The timeline keeps 2000 issues; what warps read from the clock after these is still known.
TEST(ClockReads, AFullTimelineLosesNoReading) {
  const Kernel kernel = assemble(measured);
  Recorder recorder(kernel.instructions.size());
  recorder.clocks = ClockReader(kernel);
  recorder.most_events = 2;
  for (std::uint32_t warp = 0; warp < 3; ++warp) {
    for (std::uint32_t i = 0; i < 6; ++i) {
      IssueHappened issue;
      issue.at = ticks(10.0 * i);
      issue.warp = warp;
      issue.instruction = i;
      recorder.add(issue, ticks(1));
    }
  }
  const auto clocked = recorder.clocks.finish();
  ASSERT_EQ(clocked.size(), 3U);
  for (const ClockedWarp& warp : clocked) {
    EXPECT_EQ(warp.used, 20);
    EXPECT_EQ(warp.read, 30);
  }
  EXPECT_EQ(recorder.events.size(), 2U);
}

// Two warps in turn: the readings of one are not those of the other, and a third has no room.
TEST(ClockReads, FurtherWarpsThanThereIsRoomForAreLeftOutWhole) {
  const Kernel kernel = assemble(measured);
  ClockReader clocks(kernel, 2);
  for (std::uint32_t i = 0; i < 6; ++i) {
    for (std::uint32_t warp = 0; warp < 3; ++warp) clocks.add(ticks(10.0 * i + warp), 0, warp, i);
  }
  const auto clocked = clocks.finish();
  ASSERT_EQ(clocked.size(), 2U);
  EXPECT_EQ(clocked[1].warp, 1U);
  EXPECT_EQ(clocked[1].used, 20);
  EXPECT_EQ(clocked[1].read, 30);
}

// A loop that reads the clock in each pass: the window is from its first reading to its last.
TEST(ClockReads, OfManyReadingsTheFirstAndTheLastCount) {
  const Kernel kernel = assemble(measured);
  ClockReader clocks(kernel);
  add(clocks, {{0, 0}, {5, 2}, {10, 0}, {25, 2}, {30, 3}, {38, 4}});
  const auto clocked = clocks.finish();
  ASSERT_EQ(clocked.size(), 1U);
  EXPECT_EQ(clocked[0].used, 33);
  EXPECT_EQ(clocked[0].read, 30);
}

// A slot every 2 cycles; a warp issues every 6: rate 2 is 4 cycles, rate 3 the first that it keeps.
TEST(RateWarning, RatesThatAWarpCannotKeep) {
  const auto gpu = HardwareDatabase(FOREWARP_DATA_DIR).load("gtx470", {});
  ASSERT_TRUE(gpu);
  const LatencyRules rules = *gpu->rules_named("default");
  PolicyChoice policy;
  policy.policy = Policy::variable_rate;
  policy.rate = 2;
  EXPECT_EQ(rate_warning(policy, *gpu, rules),
            "one of every 2 slots, 4 cycles apart, is more than a warp can use: its instructions "
            "follow each other after 6 cycles");
  policy.rate = 3;
  EXPECT_EQ(rate_warning(policy, *gpu, rules), "");
  policy.rate = 2;
  LatencyRules without = rules;
  without.ilp = 2;
  EXPECT_EQ(rate_warning(policy, *gpu, without), "");
  policy.policy = Policy::round_robin;
  EXPECT_EQ(rate_warning(policy, *gpu, rules), "");
}

}  // namespace
}  // namespace forewarp::tests::test
