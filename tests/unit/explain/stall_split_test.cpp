// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "explain/stall_split.h"

#include <memory>

#include <gtest/gtest.h>

#include "model/model.h"

namespace forewarp::tests {
namespace {

/// 1000 cycles, less by a number for each part that is left out.
class Written : public Simulator {
 public:
  std::shared_ptr<const SimulatedTime> time(const ModelInput&,
                                            const SimulationChoice& choice) const override {
    const LeftOut& out = choice.left_out;
    auto made = std::make_shared<SimulatedTime>();
    made->cycles = 1000 - (out.barriers ? 50 : 0) - (out.memory_rates ? 400 : 0) -
                   (out.memory_unit ? 100 : 0) + (out.pipes ? 20 : 0) -
                   (out.memory_latency ? 200 : 0) - (out.other_latency ? 80 : 0);
    return made;
  }
};

// Parts go one after the other; without the limits of pipes the warps happen to take longer, which
// is no share below 0, and the next part's begins from the least so far.
TEST(StallSplit, SharesOfTheSimulationAddUpToOne) {
  const Gpu gpu;
  const std::vector<ResourceInfo> none;
  const Demand demand;
  const auto shares = simulated_shares(Written(), {gpu, none, demand, {}, {}}, {});
  EXPECT_DOUBLE_EQ(shares.at("barriers"), 0.05);
  EXPECT_DOUBLE_EQ(shares.at("memory_rates"), 0.4);
  EXPECT_DOUBLE_EQ(shares.at("memory_unit"), 0.1);
  EXPECT_DOUBLE_EQ(shares.at("pipes"), 0);
  EXPECT_DOUBLE_EQ(shares.at("memory_latency"), 0.18);
  EXPECT_DOUBLE_EQ(shares.at("other_latency"), 0.08);
  EXPECT_DOUBLE_EQ(shares.at("rest"), 0.19);
  double sum = 0;
  for (const auto& [name, share] : shares) sum += share;
  EXPECT_DOUBLE_EQ(sum, 1);
}

TEST(StallSplit, StallsOfTheClosedFormGoToTheirParts) {
  const auto shares = closed_shares({{"bandwidth_dram", 0.2},
                                     {"bandwidth_l2_read", 0.05},
                                     {"bandwidth_lsu", 0.1},
                                     {"bandwidth_shared", 0.02},
                                     {"bandwidth_fp32", 0.04},
                                     {"bandwidth_registers2", 0.01},
                                     {"memory_dram", 0.15},
                                     {"memory_l1", 0.03},
                                     {"memory_shared", 0.05},
                                     {"dependence", 0.1},
                                     {"barrier", 0.06},
                                     {"launch", 0.02},
                                     {"tail", 0.07},
                                     {"issued", 0.1}});
  EXPECT_DOUBLE_EQ(shares.at("memory_rates"), 0.25);
  EXPECT_DOUBLE_EQ(shares.at("memory_unit"), 0.12);
  EXPECT_DOUBLE_EQ(shares.at("pipes"), 0.05);
  EXPECT_DOUBLE_EQ(shares.at("memory_latency"), 0.18);
  EXPECT_DOUBLE_EQ(shares.at("other_latency"), 0.15);
  EXPECT_DOUBLE_EQ(shares.at("barriers"), 0.06);
  EXPECT_DOUBLE_EQ(shares.at("rest"), 0.19);
}

TEST(StallSplit, KindsAddTheirParts) {
  StallSplit split;
  split.parts = {{"a", "", StallKind::latency, 0.1, 0.2, ""},
                 {"b", "", StallKind::bandwidth, 0.5, 0.4, ""},
                 {"c", "", StallKind::latency, 0.05, 0.1, ""},
                 {"d", "", StallKind::rest, 0.35, 0.3, ""}};
  EXPECT_DOUBLE_EQ(split.simulated(StallKind::latency), 0.15);
  EXPECT_DOUBLE_EQ(split.closed(StallKind::latency), 0.3);
  EXPECT_DOUBLE_EQ(split.simulated(StallKind::bandwidth), 0.5);
  EXPECT_DOUBLE_EQ(split.closed(StallKind::rest), 0.3);
}

}  // namespace
}  // namespace forewarp::tests
