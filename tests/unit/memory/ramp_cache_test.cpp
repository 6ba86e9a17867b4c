// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "memory/ramp_cache.h"

#include <tuple>

#include <gtest/gtest.h>

namespace forewarp::tests {
namespace {

/// Uses a line; whether it was there. What left is in `left`.
bool use(RampCache& cache, std::uint64_t line, RampCache::Left& left,
         RampCache::Kind kind = RampCache::Kind::usual) {
  RampCache::Line* found = cache.find(line, left, kind);
  const bool there = found != nullptr && found->valid != 0;
  if (found == nullptr) found = &cache.insert(line, left);
  found->valid = 1;
  return there;
}

bool use(RampCache& cache, std::uint64_t line, RampCache::Kind kind = RampCache::Kind::usual) {
  RampCache::Left left;
  return use(cache, line, left, kind);
}

TEST(RampCache, TheLeastRecentlyUsedLineLeaves) {
  RampCache cache(3, 3, 1);
  for (const std::uint64_t line : {10U, 11U, 12U}) EXPECT_FALSE(use(cache, line));
  EXPECT_FALSE(cache.full());
  EXPECT_TRUE(use(cache, 10));   // now 11 is the oldest
  EXPECT_FALSE(use(cache, 13));  // 11 leaves
  EXPECT_TRUE(cache.full());
  EXPECT_TRUE(use(cache, 10));
  EXPECT_TRUE(use(cache, 12));
  EXPECT_FALSE(use(cache, 11));  // 13 leaves
  EXPECT_FALSE(use(cache, 13));
  EXPECT_EQ(cache.size(), 3U);
}

TEST(RampCache, TellsWhichDirtySectorsLeave) {
  RampCache cache(2, 2, 1);
  RampCache::Left left;
  use(cache, 1, left);
  cache.find(1, left)->dirty = 5;
  use(cache, 2, left);
  EXPECT_EQ(cache.dirty_sectors(), 2U);
  EXPECT_EQ(left.dirty, 0);
  use(cache, 3, left);
  EXPECT_EQ(left.number, 1U);
  EXPECT_EQ(left.dirty, 5);
  EXPECT_EQ(cache.dirty_sectors(), 0U);
}

TEST(RampCache, DroppedLinesAreGone) {
  RampCache cache(4, 4, 1);
  for (std::uint64_t line = 0; line < 4; ++line) use(cache, line);
  cache.drop(2);
  EXPECT_EQ(cache.size(), 3U);
  EXPECT_FALSE(use(cache, 2));
  EXPECT_TRUE(use(cache, 0));
  cache.drop(77);  // never there
  cache.clear();
  EXPECT_EQ(cache.size(), 0U);
  EXPECT_FALSE(use(cache, 0));
}

/// Share of hits when `lines` lines are used in turn, over and over.
double sweep(RampCache& cache, std::uint64_t lines, RampCache::Kind kind = RampCache::Kind::usual) {
  constexpr int rounds = 20;
  std::uint64_t hits = 0;
  for (int round = 0; round <= rounds; ++round) {
    for (std::uint64_t line = 0; line < lines; ++line) {
      const bool hit = use(cache, line * 7919, kind);
      if (round > 0 && hit) ++hits;
    }
  }
  return static_cast<double>(hits) / static_cast<double>(rounds) / static_cast<double>(lines);
}

// Hits fall evenly from a footprint of 500 lines to one of 800.
TEST(RampCache, SweepsSeeTheRamp) {
  const std::pair<std::uint64_t, double> expected[] = {{100, 1},   {490, 1},    {575, 0.75},
                                                       {650, 0.5}, {725, 0.25}, {810, 0}};
  for (const auto& [lines, share] : expected) {
    RampCache cache(500, 800, 1);
    EXPECT_NEAR(sweep(cache, lines), share, 0.09) << lines;
  }
}

// Usual lines end at 400 to 500, the others at 100 to 900: (900 - 500) / 800 of them are there.
TEST(RampCache, LinesOfTheOtherKindHaveTheirOwnRamp) {
  using Kind = RampCache::Kind;
  for (const auto& [kind, lines, share] : {std::tuple{Kind::usual, 390U, 1.0},
                                           {Kind::usual, 450U, 0.5},
                                           {Kind::usual, 510U, 0.0},
                                           {Kind::other, 90U, 1.0},
                                           {Kind::other, 300U, 0.75},
                                           {Kind::other, 500U, 0.5},
                                           {Kind::other, 910U, 0.0}}) {
    RampCache cache({400, 500}, {100, 900}, 1);
    EXPECT_NEAR(sweep(cache, lines, kind), share, 0.1) << lines;
  }
}

TEST(RampCache, ASharpEndWithoutARamp) {
  RampCache fits(500, 500, 1), too_small(500, 500, 1);
  EXPECT_EQ(sweep(fits, 500), 1);
  EXPECT_EQ(sweep(too_small, 501), 0);
}

// Against a plain list: random uses and drops give the same hits.
TEST(RampCache, AgreesWithAPlainList) {
  constexpr std::size_t capacity = 37;
  RampCache cache(capacity, capacity, 1);
  std::vector<std::uint64_t> list;  // newest last
  std::uint64_t random = 12345;
  for (int i = 0; i < 20000; ++i) {
    random = random * 6364136223846793005U + 1442695040888963407U;
    const std::uint64_t line = (random >> 33) % 60 * 1000003;
    const auto at = std::find(list.begin(), list.end(), line);
    const bool there = at != list.end();
    if (there) list.erase(at);
    if ((random >> 20) % 16 == 0) {
      cache.drop(line);
      continue;
    }
    list.push_back(line);
    if (list.size() > capacity) list.erase(list.begin());
    ASSERT_EQ(use(cache, line), there) << i;
    ASSERT_EQ(cache.size(), list.size());
  }
}

}  // namespace
}  // namespace forewarp::tests
