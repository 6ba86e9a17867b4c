// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Levels of memory in distributions of latencies, by the rules of Sánchez 2017, section 6.3.
#include "characterise/statistics/memory_levels.h"

#include <cmath>
#include <map>
#include <string>

#include <gtest/gtest.h>

#include "characterise/statistics/metric_sums.h"

namespace forewarp::tests {
namespace {

template <typename T>
std::string refusal(const Expected<T>& value) {
  return value ? "accepted" : value.error().line();
}

/// Hits of L2 from 200 to 683 whose mean is `mean`, and accesses of device memory at 3000.
Pmf loads(double mean, double memory_share) {
  std::vector<double> masses(3001 - 200);
  const double top = 0.02;
  const auto most = static_cast<std::size_t>(std::floor((mean - top * 683) / (1 - top))) - 200;
  masses[most] = (1 - top) * (1 - memory_share);
  masses[683 - 200] = top * (1 - memory_share);
  masses[3000 - 200] = memory_share;
  return Pmf::of_masses(200, masses);
}

/// The sweep of the thesis: 1..30 blocks of 128..1024 threads; misses set in at 9984 threads.
std::vector<LoadConfig> sweep() {
  std::vector<LoadConfig> configs;
  for (int blocks = 1; blocks <= 30; ++blocks) {
    for (int threads = 128; threads <= 1024; threads += 128) {
      const bool beyond = blocks * threads >= 9984;
      configs.push_back({static_cast<double>(blocks), static_cast<double>(threads),
                         loads(340, beyond ? .1 : 0), beyond ? 400.0 : 3.0});
    }
  }
  return configs;
}

TEST(MemoryLevels, V6TheBoundaryOfTheThesis) {
  const auto configs = sweep();
  EXPECT_EQ(configs.size(), 240U);
  double most = 0, total = 0;
  for (const LoadConfig& c : configs) {
    most = std::max(most, c.threads());
    total += c.threads();
  }
  EXPECT_EQ(most, 30720);     // V7: 30 x 1024 = 15 x 2048
  EXPECT_EQ(total, 2142720);  // V8
  const auto boundary = level_boundary(configs, {350, 20, {}});
  ASSERT_TRUE(boundary);
  EXPECT_EQ(configs[boundary->chosen].blocks, 11);
  EXPECT_EQ(configs[boundary->chosen].threads_per_block, 896);
  EXPECT_EQ(boundary->value, 683);
  EXPECT_EQ(boundary->threads_from, 128);
  EXPECT_EQ(boundary->threads_to, 9856);
}

TEST(MemoryLevels, LimitsAreExclusiveAndTheRangeHolds) {
  std::vector<LoadConfig> configs = {{1, 128, Pmf::of_masses(300, {1}), 0},
                                     {2, 128, Pmf::of_masses(350, {1}), 0},
                                     {3, 128, Pmf::of_masses(310, {1}), 20}};
  const auto boundary = level_boundary(configs, {350, 20, 384});
  ASSERT_TRUE(boundary);
  EXPECT_EQ(boundary->chosen, 0U);
  const auto wider = level_boundary(configs, {351, 21, 384});
  ASSERT_TRUE(wider);
  EXPECT_EQ(wider->chosen, 2U);
  EXPECT_EQ(level_boundary(configs, {351, 21, 256})->chosen, 1U);
  EXPECT_EQ(refusal(level_boundary(configs, {100, 20, {}})),
            "boundary of L2 and device memory: none of 3 configurations has a mean below 100 "
            "cycles and fewer than 20 misses; expected one that stays in L2; sweep fewer threads, "
            "or raise the limits");
}

TEST(MemoryLevels, SplitsAtTheBoundary) {  // 683 itself is a hit
  const Pmf pmf = Pmf::of_masses(600, [] {
    std::vector<double> m(400);
    m[0] = .5;
    m[83] = .25;
    m[84] = .2;
    m[399] = .05;
    return m;
  }());
  const SplitLatency split = split_at(pmf, 683);
  ASSERT_TRUE(split.l2 && split.memory);
  EXPECT_NEAR(split.l2->share, .75, 1e-12);
  EXPECT_NEAR(split.l2->pmf.mean(), (2 * 600 + 683) / 3.0, 1e-9);
  EXPECT_NEAR(split.memory->share, .25, 1e-12);
  EXPECT_EQ(split.memory->pmf.min(), 684);
  EXPECT_FALSE(split_at(pmf, 1000).memory);
}

TEST(MemoryLevels, L1AroundItsMode) {
  // Left tail of the convolution at 10, L1 40..62 with mode 51, L2 from 200 on.
  std::vector<double> masses(351);
  masses[10] = .02;
  masses[45] = .1;
  masses[51] = .4;
  masses[57] = .1;
  masses[200] = .2;
  masses[350] = .18;
  const auto window = l1_window(Pmf::of_masses(0, masses), 90);
  ASSERT_TRUE(window);
  EXPECT_EQ(window->mode, 51);
  EXPECT_EQ(window->to, 89);
  EXPECT_EQ(window->from, 13);  // as far to the left as to the right: the tail at 10 is out
  EXPECT_NEAR(window->part.share, .6, 1e-12);
  EXPECT_NEAR(window->part.pmf.mean(), 51, 1e-12);
  const LevelShares shares = level_shares(Pmf::of_masses(0, masses), *window, 300);
  EXPECT_NEAR(shares.l1, .62, 1e-12);
  EXPECT_NEAR(shares.l2, .2, 1e-12);
  EXPECT_NEAR(shares.memory, .18, 1e-12);
  EXPECT_EQ(refusal(l1_window(Pmf::of_masses(200, {1, 1}), 150)),
            "L1's window: nothing in -9223372036854775808 .. 149; expected values there; they lie "
            "in 200 .. 201");
}

TEST(MemoryLevels, WithoutLoadsPastL1TheHitsSayTheLimit) {
  const std::vector<HitConfig> configs = {{Pmf::of_masses(30, {1}), 900},
                                          {Pmf::of_masses(210, {1, 1}), 2},
                                          {Pmf::of_masses(190, {1}), 4}};
  EXPECT_EQ(*fastest_miss(configs, 10), 190);
  EXPECT_EQ(*fastest_miss(configs, 3), 210);
  EXPECT_EQ(refusal(fastest_miss(configs, 1)),
            "limit of L1: every configuration hits L1 1 times or more; expected one whose loads "
            "miss it; measure loads that pass L1 instead");
}

// Tables 8 and 9, with the rows of hits and queries in their right places.
TEST(MetricSums, EventsOfTables8And9) {
  const auto slices = [](const std::string& part) {
    std::string all;
    for (const std::string slice : {"0", "1", "2", "3"}) all += " l2_subp" + slice + part;
    return all;
  };
  const std::map<std::string, std::string> tables = {
      {"l2_read_sector_misses", slices("_read_sector_misses")},
      {"l2_read_transactions", " l2_read_transactions"},
      {"dram_read_transactions", " dram_read_transactions"},
      {"l2_l1_read_hit_sectors", slices("_read_l1_hit_sectors")},
      {"l2_l1_read_transactions", slices("_read_l1_sector_queries")},
      {"local_load_transactions", " local_load"},
      {"l1_local_load_hit", " l1_local_load_hit"},
      {"l1_local_load_miss", " l1_local_load_miss"}};
  std::map<std::string, std::string> found;
  for (const MetricSum& sum : metric_sums()) {
    for (const std::string_view event : sum.events)
      found[std::string(sum.name)] += ' ' + std::string(event);
  }
  EXPECT_EQ(found, tables);
}

}  // namespace
}  // namespace forewarp::tests
