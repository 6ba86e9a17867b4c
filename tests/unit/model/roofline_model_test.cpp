// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "model/roofline/roofline_model.h"

#include <gtest/gtest.h>

#include "figure.h"
#include "model_case.h"

namespace forewarp::tests {
namespace {

/// 100 multiply-adds at 0.25 cycles, 512 bytes of device memory at 10 a cycle, half of 1024 by L1.
struct RoofCase : ModelCase {
  RoofCase() {
    resources = {{"issue", ""}, {"l2_read", ""}, {"l1_return", ""}, {"shared", ""}};
    demand = Demand(4);
    gpu.classes["fp32"] = {"fma", 0.25, 4, false, {}};
    gpu.classes["fp64"] = {"fp64", 16, 8, false, {}};
    demand.of_class(InstructionClass::fp32) = 100;
    demand.count(Count::single_operations) = 100 * 64;
    demand.count(Count::read_bytes) = 512;
    demand.count(Count::passed_bytes) = 512;
    demand.count(Count::global_bytes) = 1024;
    demand.count(Count::shared_bytes) = 256;
    demand.cycles(0) = 30;
    demand.cycles(1) = 8;
    demand.cycles(2) = 16;
    demand.cycles(3) = 2;
  }
};

// Roofs: 51.2 memory, 8 L2, 16 L1, 2 shared, 25 FP32, 30 issue; 8000 warps on 10 SMs at 1 GHz.
TEST(RooflineModel, TheTightestRoofIsTheTime) {
  const RoofCase c;
  const Prediction p = c.predict(RooflineModel());
  EXPECT_DOUBLE_EQ(p.time_ms, 8000 * 51.2 / (10 * 1e6));
  EXPECT_EQ(RooflineModel().bounds({})[static_cast<std::size_t>(p.limiting)].name, "dram");
  const auto bound = [&](const char* name) {
    const auto infos = RooflineModel().bounds({});
    for (std::size_t b = 0; b < infos.size(); ++b) {
      if (infos[b].name == name) return p.bound_cycles[b];
    }
    return -1.0;
  };
  EXPECT_DOUBLE_EQ(bound("l2"), 8);
  EXPECT_DOUBLE_EQ(bound("l1"), 16);
  EXPECT_DOUBLE_EQ(bound("shared"), 2);
  EXPECT_DOUBLE_EQ(bound("fp32"), 25);
  EXPECT_DOUBLE_EQ(bound("issue"), 30);
  EXPECT_DOUBLE_EQ(bound("fp64"), 0);
}

// 6400 operations over 512, 512, 1024, 256 bytes; peak 256 a cycle and SM: 2560 Gop/s; ridge
// 256/10, 256/64, 256/64, 256/128; attainable 6400/51.2 * 10; reached 32/1000 * 6400 * 10.
TEST(RooflineModel, IntensitiesRidgePointsAndRates) {
  const RoofCase c;
  const auto at = [&](const char* name) { return figure(RooflineModel(), c.input(), name); };
  EXPECT_DOUBLE_EQ(at("intensity_dram"), 12.5);
  EXPECT_DOUBLE_EQ(at("intensity_l2"), 12.5);
  EXPECT_DOUBLE_EQ(at("intensity_l1"), 6.25);
  EXPECT_DOUBLE_EQ(at("intensity_shared"), 25);
  EXPECT_DOUBLE_EQ(at("peak_gops"), 2560);
  EXPECT_DOUBLE_EQ(at("ridge_dram"), 25.6);
  EXPECT_DOUBLE_EQ(at("ridge_l2"), 4);
  EXPECT_DOUBLE_EQ(at("ridge_l1"), 4);
  EXPECT_DOUBLE_EQ(at("ridge_shared"), 2);
  EXPECT_DOUBLE_EQ(at("attainable_gops"), 1250);
  EXPECT_DOUBLE_EQ(at("reached_gops"), 6400 / 51.2 * 10);  // 32 warps in 1000 cycles are enough
}

TEST(RooflineModel, FewWarpsReachLess) {
  RoofCase c;
  c.launch.blocks_per_sm = 1;
  EXPECT_DOUBLE_EQ(figure(RooflineModel(), c.input(), "reached_gops"), 8.0 / 1000 * 6400 * 10);
  EXPECT_DOUBLE_EQ(figure(RooflineModel(), c.input(), "attainable_gops"), 1250);
}

// 10 instructions of 16 cycles are a roof of 160, and its peak 2 * 32/16 a cycle.
TEST(RooflineModel, ThePeakIsThatOfTheTallestComputeRoof) {
  RoofCase c;
  c.demand.of_class(InstructionClass::fp64) = 10;
  EXPECT_DOUBLE_EQ(c.predict(RooflineModel()).time_ms, 8000 * 160 / (10 * 1e6));
  EXPECT_DOUBLE_EQ(figure(RooflineModel(), c.input(), "peak_gops"), 40);
}

TEST(RooflineModel, NothingUnderARoof) {
  ModelCase c;
  c.demand.cycles(0) = 0;  // the unit that several kinds share is left: 8 cycles
  EXPECT_DOUBLE_EQ(c.predict(RooflineModel()).time_ms, 8000 * 8 / (10 * 1e6));
  c.demand.cycles(1) = 0;
  const Prediction p = c.predict(RooflineModel());
  EXPECT_FALSE(p.applies);
  EXPECT_EQ(p.why, "nothing of it is under a roof");
}

}  // namespace
}  // namespace forewarp::tests
