// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "model/counted_time.h"

#include <gtest/gtest.h>

#include "figure.h"
#include "model/bsp/bsp_model.h"
#include "model/closed_form/form_list.h"
#include "model/counting/counting_model.h"
#include "model_case.h"

namespace forewarp::tests {
namespace {

const std::map<std::string, double> report_cycles{
    {"fused", 2}, {"addition", 24}, {"multiplication", 32}, {"division", 96}, {"global", 500},
    {"l1", 5},    {"l2", 250}};

// 2^20 * (24 + 3 * 500)/1.2e9 and 2^20 * (24 + 2 * 500 + 250)/1.2e9 seconds.
TEST(CountedTime, OneAdditionTwoLoadsOneStore) {
  std::map<std::string, double, std::less<>> inputs{
      {"threads", 1 << 20}, {"additions", 1}, {"loads", 2}, {"stores", 1}, {"clock_ghz", 1.2}};
  EXPECT_FALSE(evaluate_closed_form("counting", inputs)) << "its cycles are data, not defaults";
  for (const auto& [name, cycles] : report_cycles) inputs[name + "_cycles"] = cycles;
  EXPECT_NEAR((*evaluate_closed_form("counting", inputs))[3].second, 1331.692, 5e-4);
  inputs["l2_hits"] = 1;
  EXPECT_NEAR((*evaluate_closed_form("counting", inputs))[3].second, 1113.238, 5e-4);
}

TEST(CountedTime, EveryKindHasItsCycles) {
  const ThreadCost cost =
      thread_cost({1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, {1, 10, 100, 1000, 2, 3, 5, 7});
  EXPECT_DOUBLE_EQ(cost.arithmetic, 1 + 20 + 300 + 4000);
  EXPECT_DOUBLE_EQ(cost.global, (5 + 6 - 7 - 8) * 2 + 7 * 3 + 8 * 5);
  EXPECT_DOUBLE_EQ(cost.shared, 19 * 7);
}

/// 32 of 64 warps; of a warp one addition, two loads (one in L2), a store.
struct SmallKernel : ModelCase {
  SmallKernel() {
    gpu.limits.warps_per_sm = 64;
    for (const auto& [name, cycles] : report_cycles) {
      gpu.facts["model.counting." + name + "_cycles"].value = cycles;
      gpu.facts["model.bsp." + name + "_cycles"].value = cycles;
    }
    gpu.facts["model.bsp.instruction_cycles"].value = 1;
    demand.count(Count::instructions) = 5;
    demand.count(Count::additions) = 1;
    demand.count(Count::memory_instructions) = 3;
    demand.count(Count::load_requests) = 2;
    demand.count(Count::store_requests) = 1;
    demand.count(Count::l2_requests) = 1;
  }
};

// 256000 threads * 1274 cycles/(1 GHz * 1/2 * 1000).
TEST(CountingModel, CountsOfTheKernelOverOccupancyAndWeight) {
  const Prediction p = SmallKernel().predict(CountingModel(), {{"counting.weight", "1000"}});
  EXPECT_NEAR(p.time_ms, 256000 * 1274 / (1e6 * 0.5 * 1000), 1e-9);
  EXPECT_TRUE(p.applies);
}

// An option wins over the data: 256000 * (30 + 2 * 500 + 250) cycles.
TEST(CountingModel, CyclesComeFromTheDataOrAnOption) {
  const Prediction p = SmallKernel().predict(
      CountingModel(), {{"counting.weight", "1000"}, {"counting.addition", "30"}});
  EXPECT_NEAR(p.time_ms, 256000 * 1280 / (1e6 * 0.5 * 1000), 1e-9);
}

TEST(CountingModel, WithoutAWeightItGivesNoTimeToUse) {
  const Prediction p = SmallKernel().predict(CountingModel());
  EXPECT_NEAR(p.time_ms, 256000 * 1274 / (1e6 * 0.5), 1e-6);
  EXPECT_FALSE(p.applies);
  EXPECT_EQ(p.why, "its adjusting weight is 1: it must come from a measured run");
}

// 256000 * (2 + 2 * 500 + 250)/(1 GHz * 1280 cores * 0.5).
TEST(BspModel, AllThreadsOverTheCores) {
  const Prediction p = SmallKernel().predict(BspModel(), {{"bsp.lambda", "0.5"}});
  EXPECT_NEAR(p.time_ms, 256000 * 1252 / (1e6 * 1280 * 0.5), 1e-9);
  EXPECT_EQ(SmallKernel().predict(BspModel()).why,
            "its lambda is 1: it must come from a measured run");
}

// Gajger 2017, eq. 3.1 on given numbers: 1000 * 60/(1e9 * 10 * 0.5) seconds.
TEST(BspForm, Equation31) {
  const auto values = evaluate_closed_form("bsp", {{"threads", 1000},
                                                   {"comp", 30},
                                                   {"comm_gm", 20},
                                                   {"comm_sm", 10},
                                                   {"clock_ghz", 1},
                                                   {"cores", 10},
                                                   {"lambda", 0.5}});
  EXPECT_DOUBLE_EQ((*values)[0].second, 0.012);
}

}  // namespace
}  // namespace forewarp::tests
