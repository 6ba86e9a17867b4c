// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "hardware/database.h"
#include "memory/memory_looks.h"
#include "stream_builder.h"
#include "test_paths.h"

namespace forewarp::tests {
namespace {

constexpr std::uint64_t buffer = 0x7f0000000000U;
constexpr std::uint64_t line = 128;  // bytes; a full warp's words

// 40 SMs, 4 MB of L2, whose misses grow from none at 0.9 of it to all at 1.15.
Gpu board() {
  auto gpu = HardwareDatabase(FOREWARP_DATA_DIR).load("t4");
  if (!gpu) ADD_FAILURE() << gpu.error().line();
  return gpu ? *gpu : Gpu();
}

/// Lines first .. first + lines - 1.
void read_lines(std::vector<PlainAccess>& block, std::uint64_t first, std::uint64_t lines) {
  for (std::uint64_t i = 0; i < lines; ++i) block.push_back({buffer + (first + i) * line});
}

/// Blocks of which all but the middle one only began; behind them `surplus` that leave at once.
MemoryProfile begun(std::uint32_t blocks, const std::vector<PlainAccess>& whole, std::size_t share,
                    bool warm = false, std::uint32_t surplus = 0) {
  const std::vector<PlainAccess> beginning(
      whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(whole.size() / share));
  StreamBuilder built(blocks + surplus);
  for (std::uint32_t block = 0; block < blocks; ++block)
    built.block(block == blocks / 2 ? whole : beginning);
  for (std::uint32_t block = 0; block < surplus; ++block) built.block({});
  built.windows().sized_buffer(buffer, std::uint64_t{64} << 20);
  MemoryOptions options;
  options.warm = warm;
  SamplePlan plan = built.plan_of(blocks / 2);
  plan.strata.front().size = blocks;
  if (surplus > 0) plan.strata.push_back({surplus, 1, {blocks}});
  return profile_memory(built.streams(), plan, board(), options);
}

// 40 blocks read the same 8 MB at the same time: each line comes once. The block that was executed
// to its end reads alone what the others did not come to: that is no time of the kernel.
TEST(BegunBlocks, TheOneThatWentOnIsCutLikeTheOthers) {
  std::vector<PlainAccess> whole;
  read_lines(whole, 0, 65536);
  const double once = 65536.0 * line;
  for (const bool warm : {false, true}) {
    const MemoryProfile found = begun(40, whole, 64, warm);
    EXPECT_NEAR(found.dram_read_bytes / once, 1, 0.01) << warm;
    EXPECT_NEAR(found.l2_hit_rate, 1 - 1 / 40.0, 0.001) << warm;
    EXPECT_NEAR(found.unique_read_bytes / once, 1, 0.01) << warm;
  }
}

// The same beside 60 blocks that leave at once: they are no measure of a beginning.
TEST(BegunBlocks, SurplusBlocksAreNoBeginnings) {
  std::vector<PlainAccess> whole;
  read_lines(whole, 0, 65536);
  const MemoryProfile found = begun(40, whole, 64, false, 60);
  EXPECT_NEAR(found.dram_read_bytes / (65536.0 * line), 1, 0.01);
  EXPECT_NEAR(found.l2_hit_rate, 1 - 1 / 40.0, 0.001);
}

// 60 that leave at once come first: the first half is followed by the second all the same, which
// finds nothing of 8 MB.
TEST(BegunBlocks, SurplusBlocksInFrontHaveNoFollowers) {
  std::vector<PlainAccess> whole;
  read_lines(whole, 0, 65536);
  const std::vector<PlainAccess> beginning(whole.begin(), whole.begin() + 1024);
  StreamBuilder built(140);
  for (std::uint32_t block = 0; block < 60; ++block) built.block({});
  for (std::uint32_t block = 0; block < 80; ++block) built.block(block == 40 ? whole : beginning);
  built.windows().sized_buffer(buffer, std::uint64_t{64} << 20);
  SamplePlan plan = built.plan_of(100);
  plan.strata.front().size = 80;
  plan.strata.push_back({60, 1, {0}});
  const MemoryProfile found = profile_memory(built.streams(), plan, board(), MemoryOptions());
  EXPECT_NEAR(found.dram_read_bytes / (2 * 65536.0 * line), 1, 0.01);
}

// Blocks of 1 to 80 lines of the same 80, all of which ran to their end: that they differ in length
// makes none of them a beginning.
TEST(BegunBlocks, BlocksOfUnevenLengthAreWhole) {
  StreamBuilder built(80);
  for (std::uint32_t block = 0; block < 80; ++block) {
    std::vector<PlainAccess> reads;
    read_lines(reads, 0, block + 1);
    built.block(reads);
  }
  built.windows().sized_buffer(buffer, 1 << 20);
  const MemoryProfile found =
      profile_memory(built.streams(), built.plan(), board(), MemoryOptions());
  EXPECT_DOUBLE_EQ(found.unique_read_bytes, 80.0 * line);
  EXPECT_DOUBLE_EQ(found.dram_read_bytes, 80.0 * line);
}

// What no beginning came to reads stacks: what was stored there is in L2, whereas nothing that the
// beginnings read was.
TEST(BegunBlocks, StacksThatNoneCameToAreInL2) {
  std::vector<PlainAccess> whole;
  read_lines(whole, 0, 4096);
  for (std::uint64_t i = 0; i < 64; ++i)
    whole.push_back({4 * i, AccessKind::load, 0, 4, 1, MemorySpace::local});
  const MemoryProfile found = begun(40, whole, 64);
  const InstructionMemory& stack = found.instructions.at(1);
  EXPECT_GT(stack.l2_sectors, 0);
  EXPECT_DOUBLE_EQ(stack.l2_hit_sectors, stack.l2_sectors);
  EXPECT_EQ(stack.waits_for_memory, 0);
}

// What a beginning reads twice is in the whole L2, not in as small a share of it as has begun:
// 128 KB of 4 MB, where 1/32 of each block has begun. Of 2 * 40 reads of a line one fetches it.
TEST(BegunBlocks, BlocksThatRunTogetherHaveAllOfL2) {
  std::vector<PlainAccess> whole;
  read_lines(whole, 0, 1024);
  read_lines(whole, 0, 1024);
  read_lines(whole, 1024, 63488);
  const MemoryProfile found = begun(40, whole, 32);
  EXPECT_NEAR(found.dram_read_bytes / (65536.0 * line * 40 / 80), 1, 0.01);
}

// Twice as many blocks as run at a time. The second half finds what the first half's whole blocks
// leave in L2: nothing of 8 MB, which come a second time; all of 2 MB.
TEST(BegunBlocks, ThoseThatFollowMeetWhatWholeBlocksLeave) {
  std::vector<PlainAccess> large, small;
  read_lines(large, 0, 65536);
  read_lines(small, 0, 16384);
  EXPECT_NEAR(begun(80, large, 64).dram_read_bytes / (2 * 65536.0 * line), 1, 0.01);
  EXPECT_NEAR(begun(80, small, 16).dram_read_bytes / (16384.0 * line), 1, 0.01);
}

// Stores behind the beginning: two that write every other word of the same 8 sectors each dirty as
// much as they write, 4 sectors of their 8. 40 blocks, and nothing stays in L2 beside 8 MB.
TEST(BegunBlocks, StoresThatNobodySawWriteEachByteOnce) {
  std::vector<PlainAccess> whole;
  read_lines(whole, 0, 65536);
  for (const std::uint64_t word : {0U, 4U})
    whole.push_back({buffer + (32U << 20) + word, AccessKind::store, 8, 4, word == 0 ? 1U : 2U});
  const MemoryProfile found = begun(40, whole, 64);
  EXPECT_EQ(found.global_store_sectors, 40 * 16);
  EXPECT_NEAR(found.dram_write_bytes, 40 * 8 * 32, 1);
}

// 16 executed blocks are two residencies of a fifth of the GPU, which has 0.8 MB of L2. They read
// 256 KB of 4 MB each, in no order that follows from their number: that fifth keeps none of it.
// The whole L2 keeps 0.6 of 4 MB, so 0.4 of what the 4000 blocks read comes from device memory.
TEST(BegunBlocks, APartOfTheGpuCannotTellWhatTheWholeL2Keeps) {
  StreamBuilder built(4000);
  for (std::uint64_t block = 0; block < 16; ++block) {
    std::vector<PlainAccess> reads;
    read_lines(reads, (5 * block + 3) % 16 * 2048, 2048);
    built.block(reads);
  }
  built.windows().sized_buffer(buffer, 4 << 20);
  const MemoryProfile found =
      profile_memory(built.streams(), built.plan_of(0), board(), MemoryOptions());
  EXPECT_NEAR(found.dram_read_bytes / (4000.0 * 2048 * line), 0.4, 0.02);
}

}  // namespace
}  // namespace forewarp::tests
