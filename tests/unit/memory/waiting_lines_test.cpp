// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "memory/waiting_lines.h"

#include <optional>

#include <gtest/gtest.h>

#include "hardware/database.h"
#include "memory/cache_hierarchy.h"
#include "test_paths.h"

namespace forewarp::tests {
namespace {

constexpr std::uint64_t lines = 100;

/// An L2 of a hundred lines; stores of a word (a part of a sector), and sums, to lines by number.
class SmallL2 {
 public:
  SmallL2(double dirty_share, double part_share) {
    const HardwareDatabase database(FOREWARP_DATA_DIR);
    Gpu gpu = *database.load("h200-sxm");
    gpu.l2.dirty_share = dirty_share;
    gpu.l2.part_share = part_share;
    gpu.l2.miss_from = gpu.l2.miss_to = 1;
    CacheSizes sizes;
    sizes.l2_bytes = static_cast<double>(lines) * gpu.line_bytes;
    caches_.emplace(gpu, sizes);
  }
  /// A sector of each of these lines, in order: all of it, or (`full` 0) a part.
  SectorCounts store(std::uint64_t from, std::uint64_t to, std::uint8_t full = 1) {
    SectorCounts counts;
    CacheRoute route;
    route.action = CacheRoute::Action::store;
    for (std::uint64_t line = from; line < to; ++line)
      caches_->access(0, route, {line, 1, full}, counts);
    return counts;
  }
  void load(std::uint64_t from, std::uint64_t to) {
    SectorCounts counts;
    for (std::uint64_t line = from; line < to; ++line)
      caches_->access(0, CacheRoute(), {line, 1, 0}, counts);
  }

 private:
  std::optional<CacheHierarchy> caches_;
};

TEST(WaitingLines, TheOneThatWaitsLongestIsWritten) {
  SmallL2 l2(0.7, 0);
  EXPECT_EQ(l2.store(0, 70).dirtied, 70U);
  EXPECT_EQ(l2.store(0, 70).dirtied, 0U) << "they wait still";
  EXPECT_EQ(l2.store(70, 80).dirtied, 10U) << "the first ten are written";
  EXPECT_EQ(l2.store(10, 80).dirtied, 0U);
  EXPECT_EQ(l2.store(0, 10).dirtied, 10U) << "are there, but no longer dirty";
  EXPECT_EQ(l2.store(0, 10).fetched, 0U);
}

TEST(WaitingLines, WithoutALimitAllOfACacheWait) {
  SmallL2 l2(0, 0);
  l2.store(0, lines);
  EXPECT_EQ(l2.store(0, lines).dirtied, 0U);
}

TEST(WaitingLines, PartsOfSectorsWaitLessAndAreReadAgain) {
  SmallL2 l2(0.7, 0.3);
  EXPECT_EQ(l2.store(0, 30, 0).fetched, 30U);
  EXPECT_EQ(l2.store(30, 40, 0).fetched, 10U) << "the first ten are written";
  const SectorCounts again = l2.store(0, 5, 0);
  EXPECT_EQ(again.fetched, 5U);
  EXPECT_EQ(again.dirtied, 5U);
}

TEST(WaitingLines, APartThatIsCompletedWaitsAsAWholeSector) {
  SmallL2 l2(0.7, 0.3);
  l2.store(0, 30, 0);
  l2.store(0, 30, 0);   // its other part
  l2.store(30, 60, 0);  // as many parts again
  EXPECT_EQ(l2.store(0, 30).dirtied, 0U) << "none of the whole ones had to go";
}

TEST(WaitingLines, WhatLeftTheCacheWaitsNoMore) {
  SmallL2 l2(0.7, 0);
  l2.store(0, 70);
  l2.load(500, 600);  // all others leave, though none of them had to be written
  EXPECT_EQ(l2.store(1000, 1070).dirtied, 70U);
  EXPECT_EQ(l2.store(1000, 1070).dirtied, 0U) << "they wait in the place of those";
}

TEST(WaitingLines, ManyThatAreCompletedAtOnceLeaveNothingBehind) {
  SmallL2 l2(0.7, 0.3);
  l2.store(0, 1, 0);
  for (int i = 0; i < 5000; ++i) {
    l2.store(1, 2, 0);
    l2.store(1, 2, 0);
  }
  EXPECT_EQ(l2.store(2, 31, 0).fetched, 29U);
  EXPECT_EQ(l2.store(0, 1, 0).fetched, 0U) << "the first one waits still";
}

}  // namespace
}  // namespace forewarp::tests
