// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
//
// Parts of a warp's residence, warps / throughput, by hand: 8 instructions of 10 cycles and one
// access of 400; without other warps 480 cycles.
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "model/gpumech/gpumech_stack.h"
#include "model/volkov_mix/volkov_mix_stack.h"
#include "model_case.h"

namespace forewarp::tests {
namespace {

using Parts = std::vector<std::pair<std::string, double>>;
using Given = std::vector<std::pair<std::string, std::string>>;

Parts parts_of(const std::vector<StackPart>& stack) {
  Parts parts;
  for (const StackPart& part : stack) parts.emplace_back(part.name, part.cycles);
  return parts;
}

double sum_of(const std::vector<StackPart>& stack) {
  double sum = 0;
  for (const StackPart& part : stack) sum += part.cycles;
  return sum;
}

WarpMix eight_and_one() {
  WarpMix mix;
  mix.warps = 20;
  mix.compute = 8;
  mix.memory = mix.rounds = 1;
  mix.compute_wait = 80;
  mix.memory_wait = 400;
  mix.gbs_per_rate = 4000;
  return mix;
}

/// 40 instructions, one of them an access that moves 160 bytes: 16 cycles of its SM's bandwidth.
struct StackCase : ModelCase {
  StackCase() {
    gpu.issue_interval = 1;
    gpu.memory.latency = 600;
    latency.memory_cycles = 600;
    demand.count(Count::memory_instructions) = demand.count(Count::load_requests) = 1;
    demand.count(Count::read_bytes) = 160;
  }
  [[nodiscard]] std::vector<StackPart> stack(const std::string& name, const Given& given) const {
    const Model& model = **models().find(name);
    const OptionValues options = *model.parse_options(given);
    return model.stack(input(), options, model.predict(input(), options));
  }
  [[nodiscard]] double residence(const std::string& name, const Given& given) const {
    const Prediction p = predict(**models().find(name), given);
    return p.resident_warps / p.warp_throughput;
  }
};

TEST(VolkovMixStack, LatencyAloneHasNoBandwidthPart) {
  // 20 warps pass at 20/480: resident for 480 cycles.
  EXPECT_EQ(parts_of(volkov_mix_stack(eight_and_one(), nullptr, 20 / 480.0, "dram")),
            (Parts{{"dependence", 80}, {"memory", 400}}));
}

TEST(VolkovMixStack, WhatTheUnitTakesBeyondTheLatency) {
  // One warp in 50 cycles: 20 * 50 = 1000, of them 480 latency.
  EXPECT_EQ(parts_of(volkov_mix_stack(eight_and_one(), nullptr, 1 / 50.0, "dram")),
            (Parts{{"dependence", 80}, {"memory", 400}, {"bandwidth_dram", 520}}));
}

TEST(VolkovMixStack, LoadMakesAQueue) {
  // a = 380, b = 50, c = 100; 4000/50 = 80 GB/s: 380 + 50 * 80/20 = 580. 1000 - 80 - 580 = 340.
  Contention fit;
  fit.unloaded = 380;
  fit.growth = 50;
  fit.pole = 100;
  EXPECT_EQ(
      parts_of(volkov_mix_stack(eight_and_one(), &fit, 1 / 50.0, "pipe")),
      (Parts{{"dependence", 80}, {"memory", 380}, {"memory_queue", 200}, {"bandwidth_pipe", 340}}));
}

TEST(VolkovMixStack, TheModelsNameTheTightestUnit) {
  // 32 warps: dram 16 cycles each, 512 in all, less than the latency of 1000; 100 warps: 1600.
  StackCase c;
  EXPECT_EQ(parts_of(c.stack("volkov-basic", {})), (Parts{{"dependence", 400}, {"memory", 600}}));
  c.launch.blocks_per_sm = 12.5;
  EXPECT_EQ(parts_of(c.stack("volkov-basic", {})),
            (Parts{{"dependence", 400}, {"memory", 600}, {"bandwidth_dram", 600}}));
  // 40 instructions of a quarter cycle, the access 41 of them: 20 cycles each, 2000 in all.
  EXPECT_EQ(c.stack("volkov-basic", {{"access_issue", "41"}}).back().name, "bandwidth_issue");
  EXPECT_EQ(c.stack("volkov-basic", {{"access_issue", "41"}}).back().cycles, 1000);
}

TEST(VolkovMixStack, RefinedAddsUpToTheResidence) {
  StackCase c;
  c.gpu.memory.contention_read = 100;
  c.gpu.memory.contention_read_share = 1.2;
  for (const double blocks : {1.0, 4.0, 8.0, 16.0}) {
    c.launch.blocks_per_sm = blocks;
    const double residence = c.residence("volkov-refined", {});
    const auto stack = c.stack("volkov-refined", {});
    EXPECT_NEAR(sum_of(stack), residence, 1e-6 * residence) << blocks;
    EXPECT_EQ(stack.at(2).name, "memory_queue");
  }
}

TEST(GpuMechStack, OneCycleOfEachLatencyIsIssue) {
  EXPECT_EQ(parts_of(gpumech_stack(eight_and_one(), 20, 0, 0)),
            (Parts{{"issue", 9}, {"dependence", 72}, {"memory", 399}}));
}

TEST(GpuMechStack, DelaysOfTheOtherWarpsAndWhatStaysUnhidden) {
  EXPECT_EQ(parts_of(gpumech_stack(eight_and_one(), 5, 12, 3)), (Parts{{"issue", 9},
                                                                       {"dependence", 72},
                                                                       {"memory", 399},
                                                                       {"unhidden", 12},
                                                                       {"memory_queue", 5 * 3}}));
  EXPECT_TRUE(gpumech_stack(eight_and_one(), 5, 12, -3).empty());
}

TEST(GpuMechStack, TheModelsPartsAddUpToTheResidence) {
  StackCase c;
  for (const Given& given : {Given{}, Given{{"policy", "gto"}}, Given{{"bandwidth", "on"}}}) {
    const double residence = c.residence("gpumech", given);
    EXPECT_NEAR(sum_of(c.stack("gpumech", given)), residence, 1e-9 * residence);
  }
  EXPECT_EQ(c.stack("gpumech", {{"bandwidth", "on"}}).back().name, "memory_queue");
}

}  // namespace
}  // namespace forewarp::tests
