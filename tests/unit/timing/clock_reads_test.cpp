// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// What a program that reads the clock finds, from single issues.
#include "timing/clock_reads.h"

#include <gtest/gtest.h>

#include "hardware/database.h"
#include "input/asfermi/asfermi_reader.h"
#include "test_paths.h"
#include "timing/policy_check.h"

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

Recorder recorded(const std::vector<std::pair<double, std::uint32_t>>& issues, std::size_t most) {
  Recorder recorder(8);
  recorder.most_events = most;
  for (const auto& [cycle_number, instruction] : issues) {
    recorder.events.push_back({ticks(cycle_number), 0, 3, 2, instruction});
  }
  return recorder;
}

// Readings at 0 and 30, used at 18 and 50: 32 between the users, 30 between the readings.
TEST(ClockReads, AReadingIsThereWhereItIsUsed) {
  const Kernel kernel = assemble(measured);
  SimulatedTime time;
  add_clocks(kernel, recorded({{0, 0}, {6, 1}, {18, 2}, {30, 3}, {50, 4}, {56, 5}}, 7), time);
  ASSERT_EQ(time.clocked.size(), 1U);
  EXPECT_EQ(time.clocked[0].block, 3U);
  EXPECT_EQ(time.clocked[0].warp, 2U);
  EXPECT_EQ(time.clocked[0].used, 32);
  EXPECT_EQ(time.clocked[0].read, 30);
}

// A record that is full may lack a reading: it says nothing of the clock.
TEST(ClockReads, AFullRecordHasNoClocks) {
  const Kernel kernel = assemble(measured);
  SimulatedTime time;
  add_clocks(kernel, recorded({{0, 0}, {30, 3}}, 2), time);
  EXPECT_TRUE(time.clocked.empty());
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
