// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "model/collective/collective_time.h"

#include <gtest/gtest.h>

#include "test_paths.h"

namespace forewarp::tests {
namespace {

const CollectiveTables& tables() {
  static const CollectiveTables read = *load_collective_tables(FOREWARP_DATA_DIR, "nccl");
  return read;
}

/// Of `ranks` A100 with 12 NVLink 3 each.
CollectivePlace ampere(std::uint32_t ranks) {
  CollectivePlace place;
  place.ranks = ranks;
  place.generation = 1;
  place.fabric_gbs = 240;
  place.fabric_theory_gbs = 300;
  place.is_switched = true;
  place.l2_bytes = 40e6;
  return place;
}

const CollectiveOption* option(const CollectiveTime& time, CollectiveAlgorithm algorithm,
                               CollectiveProtocol protocol) {
  for (const CollectiveOption& one : time.options) {
    if (one.algorithm == algorithm && one.protocol == protocol) return &one;
  }
  return nullptr;
}

TEST(CollectiveTime, TablesOfARingOfEight) {
  const auto time = collective_time(tables(), ampere(8), CollectiveKind::all_reduce, 1e6);
  ASSERT_TRUE(time) << time.error().line();
  // LL: 6.6 + 14 x 0.6 us, 1e6 bytes at min(240 / 4, 87.7) x 8 / 14 GB/s
  const auto* ll = option(*time, CollectiveAlgorithm::ring, CollectiveProtocol::ll);
  EXPECT_NEAR(ll->table_us, 6.6 + 8.4 + 1e3 / (60.0 * 8 / 14), 1e-9);
  // LL128: 14 + 14 x 1.9 us, at min(240 x 0.92, 24 x 20) x 8 / 14
  const auto* ll128 = option(*time, CollectiveAlgorithm::ring, CollectiveProtocol::ll128);
  EXPECT_NEAR(ll128->table_us, 14 + 26.6 + 1e3 / (220.8 * 8 / 14), 1e-9);
  // Simple: 8.4 + 14 x 3.4 us, at 240 x 8 / 14
  const auto* simple = option(*time, CollectiveAlgorithm::ring, CollectiveProtocol::simple);
  EXPECT_NEAR(simple->table_us, 8.4 + 47.6 + 1e3 / (240.0 * 8 / 14), 1e-9);
  // Tree, LL: 6.8 + 2 x 7 x 0.6 us, at 240 x 0.92 / 3.8 / 2 x 0.4: 1e6 / 64 is 2^13.9
  const auto* tree = option(*time, CollectiveAlgorithm::tree, CollectiveProtocol::ll);
  EXPECT_NEAR(tree->table_us, 6.8 + 8.4 + 1e3 / (240 * 0.24210526 * 0.5 * 0.4), 1e-6);
}

/// Measured over predicted times of `spread`: 1 MiB is the first size of the large ones.
TEST(CollectiveTime, TheIntervalIsThatOfTheSizeAndThePlace) {
  const auto times = [](std::uint32_t nodes, double bytes) {
    CollectivePlace place = ampere(8);
    place.nodes = nodes;
    place.network_gbs = 24;
    const auto time = collective_time(tables(), place, CollectiveKind::all_reduce, bytes);
    return std::pair(time->interval_us[0] / time->chosen.us,
                     time->interval_us[1] / time->chosen.us);
  };
  EXPECT_NEAR(times(1, 1048575).second, 5.3, 1e-9);
  EXPECT_NEAR(times(1, 1048576).second, 1.15, 1e-9);
  EXPECT_NEAR(times(2, 1048575).first, 0.83, 1e-9);
  EXPECT_NEAR(times(2, 1048576).second, 2.6, 1e-9);
}

TEST(CollectiveTime, TheChoiceFollowsTheSize) {
  const auto by = [](double bytes) {
    const auto time = collective_time(tables(), ampere(8), CollectiveKind::all_reduce, bytes);
    return std::string(protocol_name(time->chosen.protocol));
  };
  // LL and LL128 meet at 25.6 us = n (1 / 34.3 - 1 / 126.2), n = 1.21 MB; LL128 and Simple at 15.4
  // us, n = 24.3 MB
  EXPECT_EQ(by(1.15e6), "LL");
  EXPECT_EQ(by(1.27e6), "LL128");
  EXPECT_EQ(by(23e6), "LL128");
  EXPECT_EQ(by(26e6), "Simple");
}

TEST(CollectiveTime, WhatIsReachedIsApartFromWhatIsEstimated) {
  CollectiveTables changed = tables();
  changed.reached[0][1].latency = {1, 1, 2};
  changed.reached[0][1].share = {1, 1, 0.5};
  const auto time = collective_time(changed, ampere(2), CollectiveKind::all_reduce, 48e6);
  const CollectiveOption& by = time->chosen;
  ASSERT_EQ(by.protocol, CollectiveProtocol::simple);
  EXPECT_NEAR(by.table_us, 8.4 + 2 * 3.4 + 48e3 / 240.0, 1e-9);
  EXPECT_NEAR(by.us, 2 * (8.4 + 2 * 3.4) + 48e3 / 120.0, 1e-9);
  EXPECT_NEAR(by.startup_us + by.latency_us + by.transfer_us, by.us, 1e-9);
}

TEST(CollectiveTime, OtherCollectivesHaveFewerSteps) {
  const auto simple = [](CollectiveKind kind) {
    const auto time = collective_time(tables(), ampere(4), kind, 400e6);
    return option(*time, CollectiveAlgorithm::ring, CollectiveProtocol::simple)->table_us;
  };
  EXPECT_NEAR(simple(CollectiveKind::all_reduce), 8.4 + 6 * 3.4 + 400e3 / (240.0 * 4 / 6), 1e-6);
  EXPECT_NEAR(simple(CollectiveKind::all_gather), 8.4 + 3 * 3.4 + 400e3 / (240.0 * 4 / 3), 1e-6);
  EXPECT_NEAR(simple(CollectiveKind::reduce_scatter), 8.4 + 3 * 3.4 + 400e3 / (240.0 * 4 / 3),
              1e-6);
  EXPECT_NEAR(simple(CollectiveKind::broadcast), 8.4 + 3.4 + 400e3 / 240.0, 1e-6);
}

TEST(CollectiveTime, BetweenNodesTheAdaptersLimit) {
  CollectivePlace place = ampere(16);
  place.nodes = 2;
  place.network_gbs = 24;
  place.adapters = 8;
  const auto time = collective_time(tables(), place, CollectiveKind::all_reduce, 1e9);
  const auto* ring = option(*time, CollectiveAlgorithm::ring, CollectiveProtocol::simple);
  // 28 steps within at max(3.4, 3 x 2), 2 between at 14; all 1.4 times; 8 x 24 GB/s
  EXPECT_NEAR(ring->table_us, 1.4 * (8.4 + 28 * 6.0 + 2 * 14) + 1e6 / (192.0 * 16 / 30), 1e-6);
  EXPECT_EQ(option(*time, CollectiveAlgorithm::ring, CollectiveProtocol::ll128), nullptr);
  place.adapters = 1;
  const auto one = collective_time(tables(), place, CollectiveKind::all_reduce, 1e9);
  EXPECT_NEAR(option(*one, CollectiveAlgorithm::ring, CollectiveProtocol::simple)->table_us,
              1.4 * (8.4 + 28 * 6.0 + 2 * 14) + 1e6 / (24.0 * 16 / 30), 1e-6);
}

TEST(CollectiveTime, TheLibraryChoosesByTheNominalNetwork) {
  CollectivePlace place = ampere(16);
  place.nodes = 2;
  place.network_gbs = 6;
  place.adapters = 4;
  const auto at = [&](double nominal) {
    place.network_nominal_gbs = nominal;
    return collective_time(tables(), place, CollectiveKind::all_reduce, 4e6)->chosen;
  };
  EXPECT_EQ(at(0).algorithm, CollectiveAlgorithm::ring);
  EXPECT_EQ(at(24).algorithm, CollectiveAlgorithm::tree);
  place.network_gbs = 3;  // what is reached halves, and with it what bytes take
  const double slow = at(24).transfer_us;
  place.network_gbs = 6;
  EXPECT_NEAR(slow, 2 * at(24).transfer_us, 1e-9);
}

TEST(CollectiveTime, StepsWithinANodeAreThoseOfItsLinks) {
  CollectiveTables changed = tables();
  changed.reached[0][1].latency = {1, 1, 3};  // NVLink
  changed.reached[2][1].latency = {1, 1, 2};  // network
  CollectivePlace place = ampere(4);
  place.nodes = 2;
  place.network_gbs = 24;
  place.adapters = 2;
  const auto time = collective_time(changed, place, CollectiveKind::all_reduce, 1e9);
  const auto* ring = option(*time, CollectiveAlgorithm::ring, CollectiveProtocol::simple);
  EXPECT_NEAR(ring->startup_us, 1.4 * 2 * 8.4, 1e-9);
  EXPECT_NEAR(ring->latency_us, 1.4 * (3 * 4 * 6.0 + 2 * 2 * 14), 1e-9);
}

TEST(CollectiveTime, SwitchesThatAddUp) {
  CollectivePlace place = ampere(8);
  place.generation = 2;
  place.fabric_gbs = 370.8;
  place.switch_reduces = true;
  const auto time = collective_time(tables(), place, CollectiveKind::all_reduce, 1e9);
  const auto* nvls = option(*time, CollectiveAlgorithm::nvls, CollectiveProtocol::simple);
  ASSERT_NE(nvls, nullptr);
  // 25 us, at 370.8 x 0.85 x 23 / 24 x 2 x 8 / 14
  EXPECT_NEAR(nvls->table_us, 25 + 1e6 / (370.8 * 0.85 * 23 / 24 * 2 * 8 / 14), 1e-6);
  EXPECT_EQ(time->chosen.algorithm, CollectiveAlgorithm::nvls);
}

TEST(CollectiveTime, AMessageLeavesL2FasterThanMemory) {
  const auto time = [](double bytes) {
    return collective_time(tables(), ampere(2), CollectiveKind::send_receive, bytes)->chosen.us;
  };
  EXPECT_NEAR(time(16384), 14 * 0.6 + 16.384 / (300 * 0.95), 1e-9);
  EXPECT_NEAR(time(30e6), 14 + 30e3 / (300 * 0.95), 1e-9);
  EXPECT_NEAR(time(50e6), 14 + 50e3 / (300 * 0.95 * 0.8), 1e-9);
}

TEST(CollectiveTime, Refusals) {
  const auto refusal = [](const CollectivePlace& place, CollectiveKind kind, double bytes) {
    const auto time = collective_time(tables(), place, kind, bytes);
    return time ? "timed" : time.error().line();
  };
  EXPECT_EQ(refusal(ampere(1), CollectiveKind::all_reduce, 1),
            "collective: 1 ranks on 1 nodes; expected two ranks or more, as many on each node");
  EXPECT_EQ(refusal(ampere(4), CollectiveKind::send_receive, 1),
            "collective: a message between 4 ranks; expected two");
  CollectivePlace apart = ampere(4);
  apart.nodes = 2;
  EXPECT_EQ(refusal(apart, CollectiveKind::all_reduce, 1),
            "collective: 2 nodes without a network; expected the network's bandwidth; give one "
            "node, or what joins them");
  EXPECT_EQ(refusal(ampere(4), CollectiveKind::all_reduce, -1),
            "collective: -1 bytes; expected a number from 0");
}

}  // namespace
}  // namespace forewarp::tests
