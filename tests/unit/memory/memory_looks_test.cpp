// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "memory/memory_looks.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "hardware/database.h"
#include "memory/hot_slices.h"
#include "stream_builder.h"
#include "test_paths.h"

namespace forewarp::tests {
namespace {

constexpr std::uint64_t buffer = 0x7f0000000000U;
constexpr std::uint64_t line = 128;  // bytes; a full warp's words

Gpu board(const std::string& id) {
  const HardwareDatabase database(FOREWARP_DATA_DIR);
  auto gpu = database.load(id);
  if (!gpu) ADD_FAILURE() << gpu.error().line();
  return gpu ? *gpu : Gpu();
}

MemoryProfile profile(const StreamBuilder& built, const std::string& gpu,
                      const MemoryOptions& options = {}) {
  return profile_memory(built.streams(), built.plan(), board(gpu), options);
}

TEST(MemoryProfile, OneLoadAndOneStore) {
  StreamBuilder one(1);
  one.block({{buffer}, {buffer + 4096, AccessKind::store, 4, 4, 1}});
  const MemoryProfile found = profile(one, "t4");
  EXPECT_EQ(found.global_load_requests, 1);
  EXPECT_EQ(found.global_load_sectors, 4);
  EXPECT_EQ(found.global_store_sectors, 4);
  EXPECT_EQ(found.l2_read_sectors, 4);
  EXPECT_EQ(found.l2_write_sectors, 4);
  EXPECT_EQ(found.dram_read_bytes, line);
  EXPECT_EQ(found.dram_write_bytes, 0);  // stays in L2
  EXPECT_EQ(found.unique_read_bytes, line);
  EXPECT_EQ(found.unique_written_bytes, line);
  EXPECT_EQ(found.unique_bytes, 2 * line);
  EXPECT_EQ(found.pages, 1);
  EXPECT_EQ(found.replayed_share, 1);
  EXPECT_EQ(found.instructions.at(0).requests, 1);
  EXPECT_EQ(found.instructions.at(0).lanes, 32);
  EXPECT_EQ(found.instructions.at(1).kind, AccessKind::store);
}

// Caches of SMs that no block comes to are not made: four thousand million of them fit nowhere.
TEST(MemoryProfile, SmsBeyondTheGridChangeNothing) {
  StreamBuilder two(2);
  two.block({{buffer}, {buffer + line}});
  two.block({{buffer}, {buffer + line}});
  Gpu gpu = board("t4");
  const auto profiled = [&](std::uint32_t sms) {
    gpu.sms = sms;
    return profile_memory(two.streams(), two.plan(), gpu, {});
  };
  const MemoryProfile few = profiled(2), many = profiled(4294967295U);
  EXPECT_EQ(few.l2_read_sectors, 16);
  EXPECT_EQ(many.l2_read_sectors, few.l2_read_sectors);
  EXPECT_EQ(many.dram_read_bytes, few.dram_read_bytes);
}

/// Loads `lines` lines in turn, `rounds` times.
std::vector<PlainAccess> sweep(std::uint64_t lines, int rounds, std::uint64_t first = buffer) {
  std::vector<PlainAccess> accesses;
  for (int round = 0; round < rounds; ++round) {
    for (std::uint64_t i = 0; i < lines; ++i) accesses.push_back({first + i * line});
  }
  return accesses;
}

// Four rounds over what L1 holds: three quarters hit. Over four times as much: none; all hit L2 but
// the first round.
TEST(MemoryProfile, FootprintsThatFitHit) {
  StreamBuilder small(1), large(1);
  small.block(sweep(256, 4));  // 32 KB of 64
  large.block(sweep(2048, 4));
  const MemoryProfile fits = profile(small, "t4"), spills = profile(large, "t4");
  EXPECT_DOUBLE_EQ(fits.l1_hit_rate, 0.75);
  EXPECT_EQ(fits.l2_read_sectors, 4 * 256);
  EXPECT_EQ(fits.dram_read_bytes, 256 * line);
  EXPECT_EQ(spills.l1_hit_rate, 0);
  EXPECT_DOUBLE_EQ(spills.l2_hit_rate, 0.75);
  EXPECT_EQ(spills.dram_read_bytes, 2048 * line);
}

// One line after the other is another one each time, also where the banks of shared memory span two
// of them (Kepler: 32 of 8 bytes).
TEST(MemoryProfile, LinesBesideEachOtherAreTwo) {
  StreamBuilder rows(1);
  rows.block(sweep(64, 1));
  for (const char* gpu : {"k40", "gtx680", "gtx980", "t4"}) {
    const MemoryProfile found = profile(rows, gpu);
    EXPECT_EQ(found.l2_hit_rate, 0) << gpu;
    EXPECT_EQ(found.dram_read_bytes, 64 * line) << gpu;
    EXPECT_EQ(found.unique_read_bytes, 64 * line) << gpu;
  }
}

// Two blocks lie on two SMs: what one read the other finds in L2. With as many blocks as it takes
// to come round to the first SM again, it finds it in L1.
TEST(MemoryProfile, BlocksGoToTheSmsInTurn) {
  const auto sms = static_cast<std::uint32_t>(board("t4").sms);
  StreamBuilder two(2), round(sms + 1);
  for (int i = 0; i < 2; ++i) two.block(sweep(16, 1));
  for (std::uint32_t i = 0; i <= sms; ++i) round.block(sweep(16, 1));
  EXPECT_EQ(profile(two, "t4").l1_hit_rate, 0);
  EXPECT_DOUBLE_EQ(profile(two, "t4").l2_hit_rate, 0.5);
  MemoryOptions one_each;  // the last block starts where another one ended
  EXPECT_DOUBLE_EQ(profile(round, "t4", one_each).l1_hit_rate, 1.0 / (sms + 1));
  MemoryOptions together;
  together.blocks_per_sm = 2;
  EXPECT_DOUBLE_EQ(profile(round, "t4", together).l1_hit_rate, 1.0 / (sms + 1));
}

// Every sector is written once: nothing leaves L2 while all fits, everything leaves at ten times
// it.
TEST(MemoryProfile, WritesReachMemoryWhenTheyDoNotFit) {
  const Gpu gpu = board("t4");
  for (const double share : {0.1, 10.0}) {
    const auto lines = static_cast<std::uint64_t>(share * gpu.l2.bytes / line);
    StreamBuilder writes(64);
    for (std::uint64_t block = 0; block < 64; ++block) {
      std::vector<PlainAccess> accesses;
      for (std::uint64_t i = 0; i < lines / 64; ++i)
        accesses.push_back({buffer + (block * (lines / 64) + i) * line, AccessKind::store});
      writes.block(accesses);
    }
    MemoryOptions exact;
    exact.most_replayed = std::uint64_t{1} << 40;
    const MemoryProfile found = profile(writes, "t4", exact);
    const double written = static_cast<double>(lines / 64 * 64 * line);
    EXPECT_EQ(found.l2_write_sectors * 32, written);
    EXPECT_EQ(found.unique_written_bytes, written);
    EXPECT_EQ(found.dram_write_bytes, share < 1 ? 0 : written);
    EXPECT_EQ(found.dram_read_bytes, 0);
  }
}

TEST(MemoryProfile, TheSameLaunchBeforeWarmsL2) {
  StreamBuilder reads(8);
  for (std::uint64_t block = 0; block < 8; ++block)
    reads.block(sweep(64, 1, buffer + block * 64 * line));
  MemoryOptions warm;
  warm.warm = true;
  EXPECT_EQ(profile(reads, "t4").dram_read_bytes, 8 * 64 * line);
  const MemoryProfile again = profile(reads, "t4", warm);
  EXPECT_EQ(again.dram_read_bytes, 0);
  EXPECT_EQ(again.l2_hit_rate, 1);
  EXPECT_EQ(again.l1_hit_rate, 0);  // a kernel starts with an empty L1
  EXPECT_EQ(again.unique_read_bytes, 8 * 64 * line);
}

// Windows smaller than L2 say nothing of what the launch before left in it; its footprint does: of
// a stream over so much of L2, (share - from) / (to - from) is gone.
TEST(MemoryProfile, WindowsOfAWarmLaunchFindWhatItsFootprintLeaves) {
  const Gpu gpu = board("t4");
  for (const double share : {0.5, 1.0, 4.0}) {
    const auto blocks = static_cast<std::uint32_t>(share * gpu.l2.bytes / (32 * line));
    StreamBuilder reads(blocks);
    for (std::uint64_t block = 0; block < blocks; ++block)
      reads.block(sweep(32, 1, buffer + block * 32 * line));
    MemoryOptions few;
    few.warm = true;
    few.most_replayed = 2'000;
    const MemoryProfile sampled = profile(reads, "t4", few);
    const double gone =
        std::clamp((share - gpu.l2.miss_from) / (gpu.l2.miss_to - gpu.l2.miss_from), 0.0, 1.0);
    const double all = 32.0 * line * blocks;
    EXPECT_LT(sampled.replayed_share, 0.9);
    EXPECT_NEAR(sampled.dram_read_bytes / all, gone, 0.02) << share;
    EXPECT_NEAR(sampled.l2_hit_rate, 1 - gone, 0.02) << share;
    EXPECT_NEAR(sampled.instructions.at(0).waits_for_memory, gone, 0.02) << share;
    few.most_replayed = std::uint64_t{1} << 40;
    EXPECT_NEAR(profile(reads, "t4", few).dram_read_bytes / all, gone, 0.2) << share;
  }
}

// 4,096 lines where 1,024 may be replayed want a sample of a quarter; an L2 of 4,096 lines keeps
// its least, 2,048, in a sample of a half.
TEST(MemoryProfile, ASampleKeepsTheLeastOfACache) {
  Gpu gpu = board("gtx680");
  gpu.l2.bytes = 4096 * gpu.line_bytes;
  StreamBuilder reads(64);
  for (std::uint64_t block = 0; block < 64; ++block)
    reads.block(sweep(64, 1, buffer + block * 64 * line));
  MemoryOptions few;
  few.most_replayed = 1024;
  const auto share = [&] {
    return profile_memory(reads.streams(), reads.plan(), gpu, few).replayed_share;
  };
  EXPECT_EQ(share(), 0.5);
  gpu.l2.bytes *= 2;
  EXPECT_EQ(share(), 0.25);
}

/// Blocks one after the other on one SM each read the same bytes; share that the second and later
/// ones find in L2.
double reread(const std::string& id, double share_of_l2) {
  const Gpu gpu = board(id);
  const auto lines = static_cast<std::uint64_t>(share_of_l2 * gpu.l2.bytes / line);
  StreamBuilder reads(1);
  reads.block(sweep(lines, 3));
  MemoryOptions options;
  options.most_replayed = 300'000;
  const MemoryProfile found = profile(reads, id, options);
  return found.l2_hit_rate * 3 / 2;
}

// RRZE gpu-l2-cache streams: an L2 of one part holds 0.9 of its size, a line is gone at 1.15; one
// of two parts keeps half, and nothing at 0.8.
TEST(MemoryProfile, TwoPartsOfL2HoldLess) {
  EXPECT_NEAR(reread("a40", 0.8), 1, 0.02);
  EXPECT_NEAR(reread("a40", 1.3), 0, 0.02);
  EXPECT_NEAR(reread("a100-sxm-40", 0.45), 1, 0.02);
  EXPECT_NEAR(reread("a100-sxm-40", 0.65), 0.5, 0.1);
  EXPECT_NEAR(reread("a100-sxm-40", 0.9), 0, 0.02);
  EXPECT_LT(profile(StreamBuilder(1).block({{buffer}}), "a100-sxm-40").l2_bytes,
            0.7 * board("a100-sxm-40").l2.bytes);
}

TEST(MemoryProfile, AtomicsAreCountedApart) {
  StreamBuilder adds(1);
  adds.block({{buffer, AccessKind::reduction, 0}, {buffer, AccessKind::atomic, 4, 4, 1}});
  const MemoryProfile found = profile(adds, "t4");
  EXPECT_EQ(found.atomic_sectors, 1 + 4);
  EXPECT_EQ(found.global_load_requests, 0);
  EXPECT_EQ(found.l2_write_sectors, 0);
  EXPECT_EQ(found.instructions.at(0).atomic_degree, 32);
  EXPECT_EQ(found.instructions.at(1).atomic_degree, 1);
  EXPECT_EQ(found.instructions.at(1).l2_hit_sectors, 1);  // the first one's
  EXPECT_EQ(found.unique_written_bytes, line);
  EXPECT_EQ(found.unique_read_bytes, line);
}

// 64 blocks, a warp each. All on one word: 32 turns a warp, all in one slice. Each on its own line:
// 4 of all 64 x 4 turns lie in one stretch of 512 bytes times the four lines that it holds.
TEST(MemoryProfile, BusiestSliceOfAtomics) {
  StreamBuilder one(64), apart(64), stores(64);
  for (std::uint64_t i = 0; i < 64; ++i) {
    one.block({{buffer, AccessKind::reduction, 0}});
    apart.block({{buffer + i * line, AccessKind::reduction, 4}});
    stores.block({{buffer + i * line, AccessKind::store, 4}, {buffer, AccessKind::load, 4, 4, 1}});
  }
  const MemoryProfile same = profile(one, "a100-sxm-80");
  EXPECT_EQ(same.instructions.at(0).atomic_turns, 64 * 32);
  EXPECT_EQ(same.hottest_turns, 1);
  EXPECT_EQ(same.instructions.at(0).busiest_share, 1);
  const MemoryProfile own = profile(apart, "a100-sxm-80");
  EXPECT_EQ(own.instructions.at(0).atomic_turns, 64 * 4);
  EXPECT_DOUBLE_EQ(own.hottest_turns, 4.0 / 64);
  const MemoryProfile stored = profile(stores, "a100-sxm-80");
  EXPECT_EQ(stored.hottest_turns, 0);
  EXPECT_DOUBLE_EQ(stored.instructions.at(0).busiest_share, 4.0 / 64);
  EXPECT_EQ(stored.instructions.at(1).busiest_share, 0) << "L1 keeps the line that all load";
  EXPECT_EQ(stored.instructions.at(0).slice_visits, 64 * 4);
}

// Eight of 64 blocks were executed, the first two neighbours: a line that only these two touch is
// theirs, one that all eight touch belongs to all 64.
TEST(MemoryProfile, BusiestSliceOfASample) {
  SamplePlan plan;
  plan.strata.push_back({64, 0, {}});
  StreamBuilder built(64);
  for (const std::uint64_t block : {0U, 1U, 9U, 18U, 27U, 36U, 45U, 63U}) {
    const std::uint64_t own = buffer + 65536 + (block < 2 ? 0 : block * 4096);
    built.block({{own, AccessKind::reduction, 4}, {buffer, AccessKind::reduction, 0, 4, 1}});
    plan.strata[0].blocks.push_back(block);
  }
  AccessStreams streams = built.streams();
  for (std::size_t i = 0; i < streams.blocks.size(); ++i)
    streams.blocks[i].block = plan.strata[0].blocks[i];
  const Gpu gpu = board("a100-sxm-80");
  AccessGeometry geometry(streams, gpu);
  EXPECT_DOUBLE_EQ(hot_turns(streams, plan, 1, geometry, gpu), 32.0 / (4 + 32))
      << "not more than all";
}

// 256 blocks store to a word each and load one line all together. 128 words lie in a stretch of 512
// bytes: half of what 256 blocks store. 64 resident ones are looked at from block 0, 64, 128 and
// 192 on, 128 from 0, 42, 85 and 128 on.
TEST(MemoryProfile, BusiestSliceOfResidentBlocks) {
  StreamBuilder built(256);
  for (std::uint64_t block = 0; block < 256; ++block) {
    built.block(
        {{buffer + 4 * block, AccessKind::store, 0}, {buffer + 65536, AccessKind::load, 4, 4, 1}});
  }
  const AccessStreams streams = built.streams();
  const BlockSynthesis synthesis(streams);
  Gpu gpu = board("a100-sxm-80");
  gpu.l2.slice_bytes = 512;
  gpu.sms = 1;
  const auto shares = [&](std::uint32_t resident) {
    AccessGeometry geometry(streams, gpu);
    return busiest_shares(streams, synthesis, {.blocks_per_sm = resident}, 1, geometry, gpu);
  };
  EXPECT_DOUBLE_EQ(shares(256)[0], 128.0 / 256);
  EXPECT_DOUBLE_EQ(shares(64)[0], 1);
  EXPECT_DOUBLE_EQ(shares(128)[0], (128 + 86 + 85 + 128) / 4.0 / 128);
  EXPECT_DOUBLE_EQ(shares(256)[1], 0) << "L1 has it";
  gpu.l1.caches_global = false;
  EXPECT_DOUBLE_EQ(shares(256)[1], 1);
  EXPECT_DOUBLE_EQ(shares(256)[0], 0) << "the line is busier";
}

// Without caches every transaction is moved: stride 2 on 1.0 is 32 of 32 bytes.
TEST(MemoryProfile, NoCachesOnTheFirstGeneration) {
  StreamBuilder reads(1);
  reads.block({{buffer, AccessKind::load, 8}, {buffer, AccessKind::load, 8}});
  const MemoryProfile found = profile(reads, "8800gtx");
  EXPECT_EQ(found.dram_read_bytes, 2 * 32 * 32);
  EXPECT_EQ(found.instructions.at(0).transactions, 64);
  EXPECT_EQ(profile(reads, "gtx280").dram_read_bytes, 2 * 2 * 128);
}

// A local word of all lanes is one line; 4 sectors a store go to L2 and 4 a load hit L1.
TEST(MemoryProfile, LocalWordsLieSideBySide) {
  StreamBuilder spills(1);
  const auto local = MemorySpace::local;
  spills.block({{0xfff000 - 64, AccessKind::store, 0, 4, 0, local},
                {0xfff000 - 64, AccessKind::load, 0, 4, 1, local},
                {0xfff000 - 64, AccessKind::load, 0, 8, 2, local}});
  const MemoryProfile found = profile(spills, "rtx2080ti");
  EXPECT_EQ(found.local_store_sectors, 4);
  EXPECT_EQ(found.local_load_sectors, 4 + 8);
  EXPECT_EQ(found.l2_write_sectors, 4);
  EXPECT_EQ(found.instructions.at(1).l1_hit_sectors, 4);
  EXPECT_EQ(found.instructions.at(2).l1_hit_sectors, 4);  // the second word was not stored
  EXPECT_EQ(found.local_bytes, 2 * line);
  EXPECT_EQ(found.unique_bytes, 0);
}

// Addresses that are not affine in the block's index, all recorded: exact all the same.
TEST(MemoryProfile, RecordedBlocksNeedNoFormula) {
  StreamBuilder reads(5);
  for (const std::uint64_t place : {0U, 7U, 3U, 3U, 11U}) reads.block({{buffer + place * 4096}});
  const MemoryProfile found = profile(reads, "t4");
  EXPECT_EQ(found.unique_read_bytes, 4 * line);
  EXPECT_EQ(found.dram_read_bytes, 4 * line);
  EXPECT_EQ(found.l2_read_sectors, 5 * 4);
}

/// Rows of a matrix that many blocks share, columns that few do, and a result.
StreamBuilder shared_rows(std::uint32_t blocks) {
  StreamBuilder built(blocks);
  for (std::uint64_t block = 0; block < blocks; ++block) {
    std::vector<PlainAccess> accesses;
    for (std::uint64_t k = 0; k < 64; ++k) {
      accesses.push_back({buffer + k * line});
      accesses.push_back({buffer + (1 << 24) + (block * 64 + k) * line, AccessKind::load, 4, 4, 1});
    }
    accesses.push_back({buffer + (1 << 28) + block * line, AccessKind::store, 4, 4, 2});
    built.block(accesses);
  }
  return built;
}

// Windows and samples of the sets say what the whole replay says, within what they state.
TEST(MemoryProfile, SamplesAgreeWithTheWholeReplay) {
  const StreamBuilder built = shared_rows(4000);
  MemoryOptions whole, sets, windows;
  whole.most_replayed = std::uint64_t{1} << 40;
  sets.most_replayed = 120'000;
  windows.most_replayed = 20'000;
  const MemoryProfile exact = profile(built, "t4", whole), some = profile(built, "t4", sets),
                      few = profile(built, "t4", windows);
  EXPECT_EQ(exact.replayed_share, 1);
  EXPECT_EQ(exact.dram_error, 0);
  EXPECT_LT(some.replayed_share, 0.5);
  EXPECT_LT(few.replayed_share, 0.1);
  EXPECT_EQ(few.notes.size(), 1U);
  for (const MemoryProfile& sampled : {some, few}) {
    EXPECT_EQ(sampled.global_load_sectors, exact.global_load_sectors);
    EXPECT_NEAR(sampled.l1_hit_rate, exact.l1_hit_rate, 0.02);
    EXPECT_NEAR(sampled.dram_read_bytes / exact.dram_read_bytes, 1, sampled.dram_error + 0.02);
    EXPECT_NEAR(sampled.dram_write_bytes / exact.dram_write_bytes, 1, 0.05);
    EXPECT_NEAR(sampled.unique_bytes / exact.unique_bytes, 1, 0.02);
  }
}

// Eight instructions read one line each, all blocks the same: a sample of the sets sees few of
// these lines or none, and they hit all the same. 4000 blocks read 64 lines of their own.
TEST(MemoryProfile, LinesOutsideTheSampleThatAllBlocksReadHit) {
  StreamBuilder built(4000, 9);
  for (std::uint64_t block = 0; block < 4000; ++block) {
    std::vector<PlainAccess> accesses;
    for (std::uint64_t k = 0; k < 64; ++k) {
      const auto hot = static_cast<std::uint32_t>(k % 8);
      accesses.push_back({buffer + hot * line, AccessKind::load, 4, 4, hot});
      accesses.push_back({buffer + (1 << 24) + (block * 64 + k) * line, AccessKind::load, 4, 4, 8});
    }
    built.block(accesses);
  }
  MemoryOptions whole, sets;
  whole.most_replayed = std::uint64_t{1} << 40;
  sets.most_replayed = 60'000;
  const MemoryProfile exact = profile(built, "t4", whole), some = profile(built, "t4", sets);
  EXPECT_LT(some.replayed_share, 0.5);
  EXPECT_NEAR(exact.l1_hit_rate, 0.5, 0.01);
  EXPECT_NEAR(some.l1_hit_rate, exact.l1_hit_rate, 0.01);
  EXPECT_NEAR(some.l2_read_sectors / exact.l2_read_sectors, 1, 0.02);
  EXPECT_NEAR(some.dram_read_bytes / exact.dram_read_bytes, 1, 0.02);
}

// Addresses depend on data and every 50th of 2000 blocks was executed: each reads 8 lines of a
// table of 16, and a line of its own. 40 blocks have seen the table, all 2000 have as many own
// lines.
TEST(MemoryProfile, ATableThatAllBlocksReadDoesNotGrow) {
  constexpr std::uint64_t rows = std::uint64_t{1} << 28, most = std::uint64_t{1} << 27;
  StreamBuilder built(2000);
  for (std::uint64_t i = 0; i < 40; ++i) {
    std::vector<PlainAccess> accesses;
    for (std::uint64_t k = 0; k < 8; ++k)
      accesses.push_back({buffer + (i * i + 3 * k) % 16 * line, AccessKind::load, 4, 4, 0});
    accesses.push_back({buffer + rows + i * i * line, AccessKind::load, 4, 4, 1});
    built.block(accesses).skip(49);
  }
  built.sized_buffer(buffer, most).sized_buffer(buffer + rows, most);
  const MemoryProfile found = profile(built, "t4");
  EXPECT_NEAR(found.unique_read_bytes, (16 + 2000) * line, 16 * line);
  EXPECT_LE(found.pages, 2 + 64 + 1);  // 128 MiB are 64 pages of 2 MiB
}

/// 60,000 blocks read four lines each of a table at random, and two lines that nobody else reads;
/// recorded: those in windows of so many, of which there are three.
StreamBuilder gather(std::uint64_t window, std::uint64_t table_lines, AccessKind kind) {
  constexpr std::uint64_t blocks = 60'000, own = std::uint64_t{1} << 32;
  StreamBuilder built(blocks);
  std::minstd_rand chance(3);
  for (std::uint64_t block = 0; block < blocks; ++block) {
    std::vector<PlainAccess> accesses;
    for (int k = 0; k < 4; ++k)
      accesses.push_back({buffer + chance() % table_lines * line, kind, 4, 4, 0});
    for (std::uint64_t k = 0; k < 2; ++k)
      accesses.push_back({buffer + own + (2 * block + k) * line, AccessKind::load, 4, 4, 1});
    if (block % (blocks / 3) < window) {
      built.block(accesses);
    } else {
      built.skip(1);
    }
  }
  built.sized_buffer(buffer, table_lines * line).sized_buffer(buffer + own, 2 * blocks * line);
  return built;
}

// What is beside 4 MB of L2: a table of 1, 4 and 16 MB, of which earlier blocks left all, some and
// little. Windows of half a percent say what the whole replay says.
TEST(MemoryProfile, WindowsFindOfATableWhatEarlierBlocksLeft) {
  MemoryOptions whole;
  whole.most_replayed = std::uint64_t{1} << 40;
  for (const std::uint64_t lines : {8192U, 32768U, 131072U}) {
    SCOPED_TRACE(lines);
    const MemoryProfile exact = profile(gather(20'000, lines, AccessKind::load), "t4", whole);
    StreamBuilder few = gather(100, lines, AccessKind::load);
    const MemoryProfile hashed = profile(few, "t4"), found = profile(few.follow_data(), "t4");
    EXPECT_EQ(exact.replayed_share, 1);
    EXPECT_NEAR(found.dram_read_bytes / exact.dram_read_bytes, 1, 0.06);
    EXPECT_NEAR(found.l2_hit_rate, exact.l2_hit_rate, 0.04);
    EXPECT_EQ(hashed.dram_read_bytes, found.dram_read_bytes);  // they look random by themselves
  }
}

// Four blocks a window are too few to look random: only the code says that data decide.
TEST(MemoryProfile, WindowsOfFewBlocksFindItIfDataDecide) {
  MemoryOptions whole;
  whole.most_replayed = std::uint64_t{1} << 40;
  const MemoryProfile exact = profile(gather(20'000, 8192, AccessKind::load), "t4", whole);
  StreamBuilder few = gather(4, 8192, AccessKind::load);
  const MemoryProfile alone = profile(few, "t4"), found = profile(few.follow_data(), "t4");
  EXPECT_NEAR(found.dram_read_bytes / exact.dram_read_bytes, 1, 0.2);
  EXPECT_GT(alone.dram_read_bytes / exact.dram_read_bytes, 1.5);
}

// Tables that every window touches whole, also after the same launch ran before, and windows whose
// first residency warms the caches.
TEST(MemoryProfile, WindowsFindSmallTablesWhole) {
  MemoryOptions whole, resident;
  whole.most_replayed = std::uint64_t{1} << 40;
  for (const std::uint64_t lines : {4U, 64U, 512U, 8192U}) {
    for (const bool warm : {false, true}) {
      SCOPED_TRACE(lines);
      whole.warm = resident.warm = warm;
      resident.most_replayed = whole.most_replayed;
      resident.blocks_per_sm = whole.blocks_per_sm = 8;
      const MemoryProfile exact = profile(gather(20'000, lines, AccessKind::load), "t4", whole);
      for (const std::uint64_t window : {100U, 1000U}) {
        StreamBuilder few = gather(window, lines, AccessKind::load);
        const MemoryProfile found = profile(few.follow_data(), "t4", resident);
        EXPECT_NEAR(found.dram_read_bytes / exact.dram_read_bytes, 1, 0.08) << window;
        EXPECT_GE(found.l2_hit_rate, exact.l2_hit_rate - 0.06) << window;  // their L1 begins empty
        EXPECT_LE(found.l2_hit_rate, 1);
      }
    }
  }
}

// 600 blocks draw 2000 lines each of a table of half of L2 and read 100 of their own: 20 of them,
// on a quarter of the board, come back to what they have drawn in all of L2.
TEST(MemoryProfile, WindowsOfAPartOfTheBoardHaveAllOfL2) {
  constexpr std::uint64_t blocks = 600, table_lines = 16'384, own_lines = 100;
  constexpr std::uint64_t own = buffer + (std::uint64_t{1} << 32);
  const auto drawing = [&](std::uint64_t window) {
    StreamBuilder built(blocks);
    std::minstd_rand chance(5);
    for (std::uint64_t block = 0; block < blocks; ++block) {
      std::vector<PlainAccess> accesses;
      for (int k = 0; k < 2000; ++k)
        accesses.push_back({buffer + chance() % table_lines * line, AccessKind::load, 4, 4, 0});
      for (std::uint64_t k = 0; k < own_lines; ++k)
        accesses.push_back({own + (block * own_lines + k) * line, AccessKind::load, 4, 4, 1});
      if (block % (blocks / 3) < window) {
        built.block(accesses);
      } else {
        built.skip(1);
      }
    }
    return built.sized_buffer(buffer, table_lines * line)
        .sized_buffer(own, blocks * own_lines * line);
  };
  MemoryOptions whole;
  whole.most_replayed = std::uint64_t{1} << 40;
  const MemoryProfile exact = profile(drawing(blocks), "t4", whole);
  const MemoryProfile found = profile(drawing(20), "t4", whole);
  EXPECT_NEAR(found.dram_read_bytes / exact.dram_read_bytes, 1, 0.1);
  EXPECT_NEAR(found.l2_hit_rate, exact.l2_hit_rate, 0.02);
  // Too few blocks to look random: each window begins without the table, and holds it.
  const double begins = (3.0 * table_lines + 15 * own_lines) / (15 * (2000 + own_lines));
  EXPECT_GT(profile(drawing(5), "t4", whole).l2_hit_rate, 1 - begins);
}

// The same with stores: what stays in L2 is written again and again there.
TEST(MemoryProfile, WindowsKnowWhatStoresLeaveInL2) {
  MemoryOptions whole;
  whole.most_replayed = std::uint64_t{1} << 40;
  for (const std::uint64_t lines : {8192U, 32768U}) {
    SCOPED_TRACE(lines);
    const MemoryProfile exact = profile(gather(20'000, lines, AccessKind::store), "t4", whole);
    StreamBuilder few = gather(100, lines, AccessKind::store);
    EXPECT_NEAR(profile(few, "t4").dram_write_bytes / exact.dram_write_bytes, 1, 0.1);
  }
}

// As before, but only the first half of the blocks reads, four lines of its own each: blocks
// without a request are no sign that lines come again. Half of 2000 blocks read 4 lines: 4000
// lines.
TEST(MemoryProfile, BlocksWithoutRequestsAreNoReuse) {
  StreamBuilder built(2000);
  for (std::uint64_t i = 0; i < 40; ++i) {
    std::vector<PlainAccess> accesses;
    for (std::uint64_t k = 0; i < 20 && k < 4; ++k)
      accesses.push_back({buffer + (i * i * 50 + 7 * k) * line, AccessKind::load, 4, 4, 0});
    built.block(accesses).skip(49);
  }
  built.sized_buffer(buffer, std::uint64_t{1} << 27);
  const MemoryProfile found = profile(built, "t4");
  EXPECT_EQ(found.global_load_requests, 4000);
  EXPECT_NEAR(found.unique_read_bytes, 4000 * line, 200 * line);
  EXPECT_NEAR(found.dram_read_bytes, 4000 * line, 200 * line);
}

// The plan's weights: of 100 equal blocks two were recorded.
TEST(MemoryProfile, ASampleStandsForTheGrid) {
  StreamBuilder all(100);
  for (std::uint64_t block = 0; block < 100; ++block) all.block({{buffer + block * line}});
  AccessStreams streams = all.streams();
  const SamplePlan plan = plan_sample({100, 1, 1}, 4);
  const std::vector<std::uint64_t> kept = plan.blocks();
  std::erase_if(streams.blocks, [&](const BlockStream& block) {
    return std::find(kept.begin(), kept.end(), block.block) == kept.end();
  });
  const MemoryProfile found = profile_memory(streams, plan, board("t4"), {});
  EXPECT_EQ(found.global_load_requests, 100);
  EXPECT_EQ(found.global_load_sectors, 400);
  EXPECT_EQ(found.sectors_error, 0);
  EXPECT_EQ(found.unique_read_bytes, 100 * line);
  EXPECT_EQ(found.dram_read_bytes, 100 * line);
}

// Of four rounds over what L1 holds only the first waits, for memory. Over more than that all wait
// for L2.
TEST(MemoryProfile, ARequestWaitsForTheLastOfItsLines) {
  StreamBuilder small(1), large(1), two(1);
  small.block(sweep(256, 4));
  large.block(sweep(2048, 4));
  const InstructionMemory fits = profile(small, "t4").instructions.at(0);
  const InstructionMemory spills = profile(large, "t4").instructions.at(0);
  EXPECT_DOUBLE_EQ(fits.waits_for_l2, 0.25);
  EXPECT_DOUBLE_EQ(fits.waits_for_memory, 0.25);
  EXPECT_DOUBLE_EQ(spills.waits_for_l2, 1);
  EXPECT_DOUBLE_EQ(spills.waits_for_memory, 0.25);
  // Two lines each, the second access has one of them: 3 of 4 are late, 1 - (1/4)^2 of the pairs.
  two.block({{buffer, AccessKind::load, 8, 8}, {buffer + line, AccessKind::load, 8, 8}});
  EXPECT_DOUBLE_EQ(profile(two, "t4").instructions.at(0).waits_for_memory, 1 - 0.25 * 0.25);
}

// Lanes 12 bytes apart: from byte 0 on lines 0 to 2 lie in banks 0, 1 and 2. From byte 400 on lines
// 3 to 6 lie in 3, 0 ^ 1 = 1, 1 ^ 1 = 0 and 2 ^ 1 = 3: two lines meet.
TEST(AccessGeometry, BanksOfTagsDependOnTheLine) {
  StreamBuilder loads(1);
  loads.block({{0, AccessKind::load, 12}});
  const Gpu gpu = board("a100-sxm-80");
  AccessGeometry geometry(loads.streams(), gpu);
  EXPECT_EQ(geometry.cost(0, 0).tag_passes, 1);
  EXPECT_EQ(geometry.cost(0, 400).tag_passes, 2);
  EXPECT_EQ(geometry.cost(0, 400).stage, 2);
  EXPECT_EQ(geometry.cost(0, 400).lines, 4);
  const Gpu plain = board("gtx980");  // no hash: a line is like another
  AccessGeometry earlier(loads.streams(), plain);
  EXPECT_EQ(earlier.cost(0, 400).tag_passes, earlier.cost(0, 16).tag_passes);
}

// As many lines written as read, 1.3 times what L2 holds: (1.3 - 0.9) / (1.65 - 0.9) of the lines
// are gone when they come again; reads alone would all be gone from 1.15 times on.
TEST(MemoryProfile, ReadsAndWritesTogetherEndLessSharply) {
  const Gpu gpu = board("t4");
  const auto lines = static_cast<std::uint64_t>(0.65 * gpu.l2.bytes / line);
  std::vector<PlainAccess> accesses;
  for (int round = 0; round < 2; ++round) {
    for (std::uint64_t i = 0; i < lines; ++i) {
      accesses.push_back({buffer + i * line});
      accesses.push_back({buffer + (lines + i) * line, AccessKind::store, 4, 4, 1});
    }
  }
  StreamBuilder mixed(1);
  mixed.block(accesses);
  const double again = 2 * profile(mixed, "t4").l2_hit_rate;  // the first round hits nothing
  EXPECT_NEAR(again, 1 - 0.4 / 0.75, 0.06);                   // which lines stay is drawn
}

}  // namespace
}  // namespace forewarp::tests
