// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "explain/limit.h"

#include <gtest/gtest.h>

namespace forewarp::tests {
namespace {

/// 1000 cycles alone, 8 resident warps of 20 that would hide them; two bounds, 600 and 590 of 1000
/// us.
class Limits : public ::testing::Test {
 protected:
  Limits() {
    first.latency_cycles = 1000;
    first.resident_warps = 8;
    first.needed_warps = 20;
    first.waves = 3;
    first.warp_throughput = 0.01;
    result.time_ms = 1;
    result.gpu.sms = 10;
    result.occupancy.waves = 3;
    result.bounds = {{"fetch", "instruction fetch", 100, 0.7, 0.7, ""},
                     {"core", "CUDA cores", 98, 0.69, 0.69, ""},
                     {"dram", "device memory", 50, 0.35, 0.35, ""}};
  }
  void free(const char* id, double ratio) {
    result.counterfactuals.push_back({{id}, id, ratio * result.time_ms, ratio, "something else"});
  }
  [[nodiscard]] Result::LimitedBy limit(double blocks = 30) const {
    const auto found = limit_of_what_ifs(first, result, blocks);
    return found.value_or(Result::LimitedBy{"none", 0, ""});
  }
  Prediction first;
  Result result;
};

TEST_F(Limits, WhatBringsTheMostIsNamed) {
  free("dram", 0.6);
  free("fetch", 0.8);
  EXPECT_EQ(limit().resource, "dram");
  EXPECT_DOUBLE_EQ(limit().share, 0.35);
  EXPECT_EQ(limit().sentence,
            "device memory: 50 cycles per warp and SM; instruction fetch 200 % of that; CUDA cores "
            "196 % of that; no bound explains the time: alone this one would take 35 % of it, the "
            "rest is latency, launching and units in turn; busier units overlap with it, and this "
            "one, made free, brings the most");
}

// A unit that brings 1.4 % is not the limit while another is twice as busy.
TEST_F(Limits, AUnitThatOthersExceedIsNotTheLimit) {
  for (Result::Bound& bound : result.bounds) bound.share = 0.1;
  free("dram", 0.986);
  EXPECT_EQ(limit().resource, "latency");
  EXPECT_EQ(limit().sentence.find("% of that"), std::string::npos) << limit().sentence;
  result.limited_by.resource = "order";  // stays, as nothing brings more
  EXPECT_EQ(limit().resource, "none");
  result.counterfactuals.clear();
  free("fetch", 0.986);
  EXPECT_EQ(limit().resource, "fetch");
}

TEST_F(Limits, CachesThatAlwaysHitAndPairsNameNothing) {
  free("perfect_l1", 0.1);
  result.counterfactuals.push_back({{"fetch", "core"}, "both", 0.2, 0.2, "device memory"});
  EXPECT_EQ(limit().resource, "none");
  free("dram", 0.9);
  EXPECT_EQ(limit().resource, "dram");
}

// Fetching and computing take as long: freeing either brings 1 %, launching 2 %. What computes is
// named, not what feeds it.
TEST_F(Limits, OfEquallyFullUnitsTheOneThatWorksIsNamed) {
  free("fetch", 0.99);
  free("launch", 0.98);
  EXPECT_EQ(limit().resource, "core");
  result.bounds.front().share = 0.5;  // nothing is full
  EXPECT_EQ(limit().resource, "launch");
}

TEST_F(Limits, LatenciesSayWhichAndDoNotContradictThemselves) {
  free("memory_latency", 0.5);
  EXPECT_EQ(limit().resource, "latency");
  EXPECT_EQ(limit().sentence,
            "latency of memory: a warp alone takes 1,000 cycles and 8 resident warps per SM do not "
            "hide it (20 would)");
  EXPECT_DOUBLE_EQ(limit().share, 0.8);  // 8 / 1000 / 0.01
  first.needed_warps = 6.65;
  EXPECT_EQ(limit().sentence,
            "latency of memory: a warp alone takes 1,000 cycles and 8 resident warps per SM hide "
            "only a part of it");
  first.waves = 0.5;
  first.latency_cycles = 2'238'123;
  EXPECT_EQ(limit().sentence,
            "latency of memory: the grid is smaller than one wave, a warp alone takes 2.238 M "
            "cycles");
}

TEST_F(Limits, UnevenSharesSayHowTheBlocksLie) {
  free("uneven_shares", 0.75);
  EXPECT_EQ(limit().resource, "uneven_shares");
  EXPECT_DOUBLE_EQ(limit().share, 0.25);
  result.occupancy.waves = 2.2;
  EXPECT_EQ(limit(44).sentence,
            "uneven shares over SMs and waves: 44 blocks on 10 SMs, 2 whole waves and a last one "
            "that fills 20 % of their places; evenly spread, the launch would take 75 %");
  result.occupancy.waves = 0.5;
  EXPECT_EQ(limit(31).sentence,
            "uneven shares over SMs and waves: 31 blocks on 10 SMs, 1 of them has 4 and the others "
            "3; evenly spread, the launch would take 75 %");
  EXPECT_EQ(limit(4).sentence,
            "SMs without work: 4 blocks on 10 SMs; evenly spread, the launch would take 75 %");
}

TEST_F(Limits, AnOrderAndACopyStayAsTheyAreNamed) {
  free("order", 0.1);
  EXPECT_EQ(limit().resource, "none");
}

TEST_F(Limits, WithoutWhatIfsTheModelNamesIt) {
  EXPECT_EQ(limit_of_model(first, result).resource, "latency");
  first.limiting = 0;
  EXPECT_EQ(limit_of_model(first, result).resource, "fetch");
  result.bounds.clear();
  EXPECT_EQ(limit_of_model(first, result).resource, "latency");
}

}  // namespace
}  // namespace forewarp::tests
