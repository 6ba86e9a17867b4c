// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "memory/earlier_blocks.h"

#include <cmath>
#include <cstdint>
#include <list>
#include <random>
#include <unordered_map>
#include <vector>

#include <gtest/gtest.h>

namespace forewarp::tests {
namespace {

using memory::BufferUses;
using memory::FirstUseMisses;

constexpr double line_bytes = 128, sectors_of_line = 4;

Gpu gpu_with_l2(double lines) {
  Gpu gpu;
  gpu.line_bytes = line_bytes;
  gpu.sector_bytes = line_bytes / sectors_of_line;
  gpu.l2.bytes = lines * line_bytes;
  return gpu;
}

/// A table drawn from at random, one sector each time, and a stream beside it.
struct Gather {
  double table_lines = 0, draws = 0, stream_lines = 0;

  /// As windows of a millionth of the launch see it: each draw another line.
  [[nodiscard]] std::vector<FirstUseMisses> misses(double l2_lines, double written = 0,
                                                   double gone = 1) const {
    const double all = sectors_of_line;
    const BufferUses table{
        draws,      draws, written * draws, draws, all * table_lines, written * all * table_lines,
        table_lines};
    const BufferUses stream{stream_lines,       all * stream_lines, 0,
                            all * stream_lines, all * stream_lines, 0,
                            stream_lines};
    return misses_after_earlier_blocks({table, stream}, {1e-6, 0, {1, 1}, gone},
                                       gpu_with_l2(l2_lines));
  }

  /// The same draw by draw in a cache that evicts what was used longest ago.
  [[nodiscard]] double misses_in_lru(std::size_t l2_lines) const {
    struct Line {
      std::uint64_t number = 0;
      unsigned sectors = 0;
    };
    std::list<Line> newest_first;
    std::unordered_map<std::uint64_t, std::list<Line>::iterator> places;
    const auto use = [&](std::uint64_t number, unsigned sector) {
      const auto place = places.find(number);
      if (place != places.end()) {
        newest_first.splice(newest_first.begin(), newest_first, place->second);
      } else {
        newest_first.push_front({number, 0});
        places[number] = newest_first.begin();
        if (newest_first.size() > l2_lines) {
          places.erase(newest_first.back().number);
          newest_first.pop_back();
        }
      }
      unsigned& sectors = newest_first.front().sectors;
      const bool there = (sectors >> sector & 1U) != 0;
      sectors |= 1U << sector;
      return there;
    };
    std::mt19937_64 chance(1);
    double missed = 0, streamed = 0;
    auto next = static_cast<std::uint64_t>(table_lines);
    for (double i = 0; i < draws; ++i) {
      const std::uint64_t drawn = chance();
      const auto line = drawn % static_cast<std::uint64_t>(table_lines);
      missed += use(line, static_cast<unsigned>(drawn >> 60U) % 4) ? 0 : 1;
      for (; streamed < (i + 1) * stream_lines / draws; ++streamed) use(next++, 0);
    }
    return missed / draws;
  }
};

// What a stream leaves of L2 for a table: all of it, most, little.
TEST(EarlierBlocks, LeaveAsMuchOfATableAsAnLruCacheKeeps) {
  const Gather gather{2000, 64000, 16000};
  for (const std::size_t l2 : {6000U, 2500U, 1500U, 800U, 200U}) {
    const auto misses = gather.misses(static_cast<double>(l2));
    EXPECT_NEAR(misses[0].read, gather.misses_in_lru(l2), 0.03) << l2;
    EXPECT_GT(misses[1].read, 0.98) << l2;  // a stream is never found
  }
}

// The table fits, and 32 draws of a line bring in each of its four sectors once.
TEST(EarlierBlocks, MissAtLeastWhatNobodyTouchedBefore) {
  const Gather alone{2000, 64000, 0};
  EXPECT_NEAR(alone.misses(4000)[0].read, 4.0 / 32, 0.02);
}

// A table of stores beside a stream: in L2 all the time, each sector is written once, at the end,
// and by the next launch if that has room for all of it.
TEST(EarlierBlocks, WriteOnceWhatStaysInL2) {
  const Gather scatter{2000, 64000, 16000};
  EXPECT_NEAR(scatter.misses(6000, 1)[0].written, 4.0 / 32, 0.02);
  EXPECT_GT(scatter.misses(200, 1)[0].written, 0.9);
  EXPECT_LT(scatter.misses(40000, 1, 0.2)[0].written, 4.0 / 32 * 0.4);
  EXPECT_EQ(scatter.misses(40000, 1, 0)[0].written, 0);
}

// A window of a fiftieth of the launch touches 23.6 of 32 draws' lines and 29.6 sectors first, and
// ends before anything is evicted that it brought in. Its last half finds what its first half did.
TEST(EarlierBlocks, FollowFromLongWindowsAsFromShortOnes) {
  const double lines = 2000, each = 32, window = 0.02, parts = 4;
  const auto first_sectors = [&](double from) {
    return parts * (std::exp(-each / parts * from) - std::exp(-each / parts * window)) / window;
  };
  const double seen = -std::expm1(-each * window) / window;
  const BufferUses table{
      lines * seen, lines * first_sectors(0), 0, lines * first_sectors(0), parts * lines, 0, lines};
  const BufferUses stream{16000, 64000, 0, 64000, 64000, 0, 16000};
  const auto missed = [&](double warming) {
    return misses_after_earlier_blocks({table, stream}, {window, warming, {1, 1}, 1},
                                       gpu_with_l2(1500))[0]
               .read *
           first_sectors(warming);
  };
  const Gather same{lines, lines * each, 16000};
  // First uses that miss are those of short windows but for what the window found itself.
  EXPECT_NEAR(missed(0), same.misses(1500)[0].read * each, 0.05 * each);
  EXPECT_NEAR(missed(window / 2), missed(0) / 2, 0.05 * missed(0));
}

// A table that every window touches whole, by a line of one sector or of four: nothing misses, and
// every share is one.
TEST(EarlierBlocks, SharesOfSmallTablesAreShares) {
  for (const double lines : {1.0, 4.0, 64.0, 512.0}) {
    for (const double sectors : {1.0, 4.0}) {
      for (const double window : {1e-3, 0.01, 0.1, 0.9}) {
        for (const double warming : {0.0, window / 2, window}) {
          const BufferUses table{lines / window,
                                 sectors * lines / window,
                                 lines / window,
                                 sectors * lines / window,
                                 sectors * lines,
                                 lines,
                                 lines};
          const auto misses = misses_after_earlier_blocks(
              {table}, {window, warming, {0.8, 1.2}, 0.5}, gpu_with_l2(32768));
          EXPECT_GE(misses[0].read, 0);
          EXPECT_LE(misses[0].read, window + 0.05) << lines << ' ' << window << ' ' << warming;
          EXPECT_GE(misses[0].written, 0);
          EXPECT_LE(misses[0].written, 1);
        }
      }
    }
  }
}

// Windows that saw half of each block's accesses are as good as half as many whole blocks.
TEST(EarlierBlocks, HalvesOfBlocksMakeWindowsHalfAsLong) {
  const std::vector<BufferRange> buffers{{0, 2000 * 128}};
  const std::vector<UniqueBytes> touched{{2000 * 128, 0, 2000 * 128, 0}, {}};
  const auto fetched = [&](double blocks, double begun) {
    memory::Replayed replayed;
    replayed.instructions.resize(1);
    replayed.instructions[0].sectors = replayed.instructions[0].fetched = 1000;
    replayed.all = replayed.instructions[0];
    replayed.first.resize(2);
    replayed.first[0] = {1000, 4000, 0, 4000, {{0, 1000}}};
    replayed.first_windows = 1;
    replayed.first_blocks = blocks;
    EXPECT_FALSE(find_after_earlier_blocks(replayed, {buffers, touched, 10000, begun, 1}, {1, 1}, 1,
                                           gpu_with_l2(1000)));
    EXPECT_EQ(replayed.all.fetched, replayed.instructions[0].fetched);
    return replayed.instructions[0].fetched;
  };
  EXPECT_NEAR(fetched(100, 0.5), fetched(50, 1), 1e-6);
  EXPECT_GT(fetched(50, 1), 300);
  EXPECT_LT(fetched(50, 1), 700);  // half of the table has room
  EXPECT_GT(std::fabs(fetched(100, 1) - fetched(50, 1)), 0.1);
}

TEST(EarlierBlocks, SayNothingOfAWholeGrid) {
  const BufferUses uses{1000, 1000, 1000, 1000, 100, 100, 100};
  const auto misses = misses_after_earlier_blocks({uses}, {1, 0, {1, 1}, 1}, gpu_with_l2(1000));
  EXPECT_EQ(misses[0].read, 1);
  EXPECT_EQ(misses[0].written, 1);
}

}  // namespace
}  // namespace forewarp::tests
