// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "memory/unique_bytes.h"

#include <array>
#include <cstdint>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "hardware/database.h"
#include "stream_builder.h"
#include "test_paths.h"

namespace forewarp::tests {
namespace {

constexpr std::uint64_t middle = 0x7f0000100000U;
constexpr std::uint32_t blocks = 60;

/// Of one warp and block: what it reads and what it writes, both moved by `step` from block to
/// block.
struct Moved {
  std::int64_t step = 0, stride = 4;
  std::uint8_t bytes = 4;
  std::uint64_t start = middle;
  AccessKind kind = AccessKind::load;
};

std::uint64_t base_of(const Moved& access, std::uint32_t block) {
  return access.start + static_cast<std::uint64_t>(access.step * block);
}

/// Whole sectors of all lanes of all blocks, one by one.
std::array<std::set<std::uint64_t>, 2> sectors_of(const std::vector<Moved>& accesses,
                                                  std::uint32_t sector) {
  std::array<std::set<std::uint64_t>, 2> found;  // read, written
  for (const Moved& access : accesses) {
    std::set<std::uint64_t>& own = found[access.kind == AccessKind::store ? 1 : 0];
    for (std::uint32_t block = 0; block < blocks; ++block) {
      for (std::int64_t lane = 0; lane < 32; ++lane) {
        const std::uint64_t first =
            base_of(access, block) + static_cast<std::uint64_t>(access.stride * lane);
        for (std::uint64_t byte = first; byte < first + access.bytes; ++byte) {
          own.insert(byte / sector);
        }
      }
    }
  }
  return found;
}

void expect_all_sectors(const std::vector<Moved>& accesses, const Gpu& gpu) {
  StreamBuilder built(blocks);
  for (std::uint32_t block = 0; block < blocks; ++block) {
    std::vector<PlainAccess> own;
    for (const Moved& access : accesses) {
      const auto instruction = static_cast<std::uint32_t>(own.size());
      own.push_back(
          {base_of(access, block), access.kind, access.stride, access.bytes, instruction});
    }
    // Not all blocks are recorded: the others are where the function of the index says.
    if (block < 4 || block % 7 == 0 || block + 4 >= blocks) {
      built.block(own);
    } else {
      built.skip(1);
    }
  }
  const auto sector = static_cast<std::uint32_t>(gpu.sector_bytes);
  const auto expected = sectors_of(accesses, sector);
  std::set<std::uint64_t> any = expected[0];
  any.insert(expected[1].begin(), expected[1].end());
  const execution::BlockSynthesis synthesis(built.streams());
  const auto found = memory::unique_bytes(built.streams(), synthesis, gpu);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->read, static_cast<double>(expected[0].size() * sector));
  EXPECT_EQ(found->written, static_cast<double>(expected[1].size() * sector));
  EXPECT_EQ(found->any, static_cast<double>(any.size() * sector));
}

// Steps of whole sectors and others, up and down, smaller and larger than what a warp touches;
// starts on a sector and beside one.
TEST(UniqueBytes, AreThoseOfEveryLaneOfEveryBlock) {
  const HardwareDatabase database(FOREWARP_DATA_DIR);
  const auto gpu = database.load("t4");
  ASSERT_TRUE(gpu) << gpu.error().line();
  for (const std::int64_t step : {0, 4, -4, 32, -32, 36, -36, 96, 100, 128, -128, 160, 1000}) {
    for (const std::int64_t stride : {4, -4, 0, 8, 40, 128}) {
      for (const std::uint64_t beside : {0U, 4U, 28U}) {
        SCOPED_TRACE(::testing::Message() << step << ' ' << stride << ' ' << beside);
        expect_all_sectors({{step, stride, 4, middle + beside}}, *gpu);
      }
    }
  }
}

// Accesses of the same step are joined, whatever their starts; those of others are not lost.
TEST(UniqueBytes, OfSeveralAccesses) {
  const HardwareDatabase database(FOREWARP_DATA_DIR);
  const auto gpu = database.load("t4");
  ASSERT_TRUE(gpu) << gpu.error().line();
  expect_all_sectors({{128, 4, 4, middle},
                      {128, 4, 4, middle + 12},
                      {64, 4, 4, middle + 20},
                      {-100, 8, 8, middle + 4096},
                      {128, 4, 4, middle + 40, AccessKind::store},
                      {36, 12, 4, middle + 9000, AccessKind::store}},
                     *gpu);
}

// 2 * 70000 accesses of 32 pieces apart: far more pieces than are kept apart, of 64 sectors.
TEST(UniqueBytes, WhatIsTouchedAgainAndAgainTakesNoRoom) {
  const HardwareDatabase database(FOREWARP_DATA_DIR);
  const auto gpu = database.load("t4");
  ASSERT_TRUE(gpu) << gpu.error().line();
  const auto sector = static_cast<std::int64_t>(gpu->sector_bytes);
  std::vector<PlainAccess> accesses;
  for (int i = 0; i < 70'000; ++i) {
    for (const std::uint64_t from : {middle, middle + 100'000})
      accesses.push_back({from, AccessKind::load, 2 * sector, 4, 0});
  }
  StreamBuilder built(1);
  built.block(accesses);
  const execution::BlockSynthesis synthesis(built.streams());
  const auto found = memory::unique_bytes(built.streams(), synthesis, *gpu);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->read, static_cast<double>(64 * sector));
}

}  // namespace
}  // namespace forewarp::tests
