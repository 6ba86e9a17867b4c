// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <functional>

#include <gtest/gtest.h>

#include "execution/access/block_synthesis.h"
#include "hardware/database.h"
#include "memory/memory_looks.h"
#include "stream_builder.h"
#include "test_paths.h"

namespace forewarp::tests {
namespace {

constexpr std::uint64_t buffer = 0x7f0000000000U;
constexpr std::uint32_t blocks = 100;
constexpr std::uint64_t step = 128;  // bytes between blocks; a full warp's words

/// Of 100 blocks the first six and the last are recorded; `base` says what a block's warp loads.
StreamBuilder recorded(const std::function<std::uint64_t(std::uint64_t)>& base) {
  StreamBuilder built(blocks);
  for (std::uint64_t block = 0; block < 6; ++block) built.block({{base(block)}});
  return built.skip(blocks - 7).block({{base(blocks - 1)}});
}

// A filter looks 16 bytes to the left, its first block stays inside: max(0, 128 b - 16).
std::uint64_t clamped(std::uint64_t block) {
  return buffer + (block == 0 ? 0 : step * block - 16);
}

TEST(ClampedEdges, InnerBlocksAreForeseenByThemselves) {
  const StreamBuilder built = recorded(clamped);
  const BlockSynthesis synthesis(built.streams());
  EXPECT_TRUE(synthesis.complete());
  for (const std::uint64_t block : {0U, 1U, 50U, 98U, 99U}) {
    std::vector<std::uint64_t> bases;
    synthesis.bases(block, 0, bases);
    ASSERT_EQ(bases.size(), 1U);
    EXPECT_EQ(bases[0], clamped(block)) << block;
  }
}

// Bytes 0 .. 128 * 99 - 16 + 128 = 12,784: 399.5 sectors of 32, so 400. The block that stands for
// all asks for 5 sectors, the first one for 4: 500 are taken where 499 were.
TEST(ClampedEdges, TheirBytesAreCountedOnce) {
  const HardwareDatabase database(FOREWARP_DATA_DIR);
  const auto gpu = database.load("t4");
  ASSERT_TRUE(gpu) << gpu.error().line();
  const StreamBuilder built = recorded(clamped);
  const MemoryProfile found = profile_memory(built.streams(), built.plan_of(1), *gpu, {});
  EXPECT_EQ(found.unique_read_bytes, 400 * 32);
  EXPECT_DOUBLE_EQ(found.dram_read_bytes, 400 * 32 * 500.0 / 499);
}

// Two or three blocks of an edge fit any function; where the inner blocks follow none, nothing is
// foreseen.
TEST(ClampedEdges, NothingIsForeseenWhereInnerBlocksDiffer) {
  const StreamBuilder built =
      recorded([](std::uint64_t block) { return buffer + step * (block * block % 7); });
  const BlockSynthesis synthesis(built.streams());
  EXPECT_FALSE(synthesis.complete());
  EXPECT_FALSE(synthesis.knows(50));
  EXPECT_TRUE(synthesis.follows_data());
}

// Two inner blocks are enough to fit and too few to say that nothing fits: more blocks may help.
TEST(ClampedEdges, TooFewBlocksSayNothing) {
  StreamBuilder built(blocks);
  for (std::uint64_t block = 0; block < 2; ++block) built.block({{clamped(block)}});
  built.skip(blocks - 3).block({{clamped(blocks - 1)}});
  const BlockSynthesis synthesis(built.streams());
  EXPECT_FALSE(synthesis.complete());
  EXPECT_FALSE(synthesis.follows_data());
}

// Of 9 x 1: the ends, and 1 + 7 / 3 = 3 and 1 + 14 / 3 = 5. Of 3 x 3: eight at the rim, one inside.
TEST(ProbingBlocks, TwoAlongEachAxisOfEachPart) {
  EXPECT_EQ(probing_blocks({9, 1, 1}), (std::vector<std::uint64_t>{0, 3, 5, 8}));
  EXPECT_EQ(probing_blocks({3, 3, 1}), (std::vector<std::uint64_t>{0, 1, 2, 3, 4, 5, 6, 7, 8}));
  EXPECT_EQ(probing_blocks({1, 1, 1}), (std::vector<std::uint64_t>{0}));
  EXPECT_EQ(probing_blocks({4, 1, 1}), (std::vector<std::uint64_t>{0, 1, 2, 3}));
  EXPECT_EQ(probing_blocks({100, 50, 1}).size(), 16U);
}

}  // namespace
}  // namespace forewarp::tests
