// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Simulations as they are kept in the cache.
#include "prediction/simulation_archive.h"

#include <string>
#include <string_view>

#include <gtest/gtest.h>

namespace forewarp::tests {
namespace {

SimulatedTime simulated() {
  SimulatedTime made;
  made.cycles = 1.5;
  made.issued = 2;
  made.of = 3;
  made.error = 0.25;
  made.warps_per_sm = 4;
  made.schedulers = {{"issue", 0.75}, {"idle", 0.25}};
  made.detail.cycles = 5;
  made.detail.schedulers = 4;
  made.detail.instructions = {{7, 8, {{"memory", 9}}}};
  made.detail.occupancy.points = {{0, 1}, {10, 2}};
  made.detail.ends = {11, 12, 13, 14, 15, 16};
  made.detail.timeline = {{17, 1, 2, 3, 4, "queue"}};
  made.clocked = {{1, 2, 3, 4}};
  made.warning = "slower";
  made.refusal = "none";
  return made;
}

TEST(SimulationArchive, WhatIsPackedIsUnpackedBitForBit) {
  const std::string packed = pack_simulation(simulated());
  const auto found = unpack_simulation(packed);
  ASSERT_TRUE(found);
  EXPECT_EQ(pack_simulation(*found), packed);
  EXPECT_EQ(found->cycles, 1.5);
  EXPECT_EQ(found->schedulers, simulated().schedulers);
  EXPECT_EQ(found->detail.instructions[0].stalls[0].first, "memory");
  EXPECT_EQ(found->detail.timeline[0].waited, "queue");
  EXPECT_EQ(found->detail.ends.last, 16);
  EXPECT_EQ(found->clocked[0].read, 4);
  EXPECT_EQ(found->warning, "slower");
  EXPECT_EQ(found->refusal, "none");
}

TEST(SimulationArchive, ATruncatedOneIsNone) {
  const std::string body = pack_simulation(simulated());
  for (std::size_t size = 0; size < body.size(); ++size) {
    EXPECT_FALSE(unpack_simulation(std::string_view(body).substr(0, size))) << size;
  }
  EXPECT_FALSE(unpack_simulation(body + "x"));
}

TEST(SimulationArchive, ACauseThatNoSimulationHasIsNone) {
  SimulatedTime made;
  made.schedulers = {{"weather", 1}};
  EXPECT_FALSE(unpack_simulation(pack_simulation(made)));
}

}  // namespace
}  // namespace forewarp::tests
