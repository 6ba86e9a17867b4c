// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "hardware/access_rules.h"

#include <cmath>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "hardware/database.h"
#include "test_paths.h"

namespace forewarp::tests {
namespace {

using Addresses = std::vector<std::int64_t>;

Gpu board(const std::string& id) {
  const HardwareDatabase database(FOREWARP_DATA_DIR);
  auto gpu = database.load(id);
  if (!gpu) ADD_FAILURE() << gpu.error().line();
  return gpu ? *gpu : Gpu();
}

/// Lane i of a full warp at first + stride * i, in bytes.
Addresses strided(std::int64_t stride, std::int64_t first = 0) {
  Addresses addresses(32);
  for (std::size_t lane = 0; lane < addresses.size(); ++lane)
    addresses[lane] = first + stride * static_cast<std::int64_t>(lane);
  return addresses;
}

GlobalRequest request(const Gpu& gpu, const Addresses& addresses, std::uint32_t bytes = 4) {
  return global_request(first_lanes(addresses, bytes), gpu);
}

double passes(const Gpu& gpu, const Addresses& addresses, std::uint32_t bytes = 4,
              bool merges = false) {
  return bank_passes(first_lanes(addresses, bytes), merges, gpu);
}

/// The machine of the textbook's examples: four lanes, transactions of four words, four banks.
Gpu toy() {
  Gpu gpu;
  gpu.sector_bytes = gpu.line_bytes = 16;
  gpu.coalescing_lanes = 4;
  gpu.request_bytes = 64;
  gpu.shared_banks = 4;
  gpu.shared_bank_bytes = gpu.bank_word_bytes = 4;
  gpu.bank_lanes = 4;
  return gpu;
}

Addresses words(std::initializer_list<int> list) {
  Addresses addresses;
  for (const int word : list) addresses.push_back(4 * word);
  return addresses;
}

// Lanes side by side share a turn for different words of one sector of eight.
TEST(AtomicTurns, NeighboursShareATurnInASector) {
  const Gpu gpu = board("a100-sxm-80");
  const auto turns = [&](const Addresses& addresses) {
    return sector_turns(first_lanes(addresses, 4), gpu);
  };
  EXPECT_EQ(turns(strided(0)), 32);
  EXPECT_EQ(turns(strided(4)), 4) << "four sectors, each word once";
  EXPECT_EQ(turns(strided(128)), 32) << "32 sectors";
  EXPECT_EQ(turns(words({0, 0, 0, 1, 1, 7, 8, 9, 9})), 4 + 2) << "0 | 0 | 0 1 | 1 7 | 8 9 | 9";
  EXPECT_EQ(turns(words({7, 6, 5, 4})), 1) << "in any order";
  EXPECT_EQ(turns(words({0, 100, 1, 101})), 4) << "not neighbours";
  EXPECT_EQ(turns(words({-1, 0})), 2) << "two sectors";
  EXPECT_EQ(turns({}), 0);
}

// A line of four sectors of eight words. A load takes a slice for every two sectors of a line; a
// store for each sector, twice for a part of one, four times for a whole one alone in its line.
TEST(SliceVisits, LinesPartsAndLoneSectors) {
  Gpu gpu = board("a100-sxm-80");
  gpu.l2.slice_line_sectors = 2;
  gpu.l2.slice_part_visits = 2;
  gpu.l2.slice_part_line_visits = 0;
  gpu.l2.slice_lone_visits = 4;
  const auto visits = [&](const Addresses& addresses, bool store) {
    return slice_visits(first_lanes(addresses, 4), store, gpu);
  };
  EXPECT_EQ(visits(strided(4), false), 4 / 2.0) << "a line";
  EXPECT_EQ(visits(strided(128), false), 32) << "a sector of each of 32 lines";
  EXPECT_EQ(visits(strided(0), false), 1);
  EXPECT_EQ(visits(strided(4), true), 4);
  EXPECT_EQ(visits(strided(128), true), 32 * 2) << "a word of each sector";
  EXPECT_EQ(visits(strided(0), true), 2);
  EXPECT_EQ(visits(words({0, 1, 2, 3, 4, 5, 6, 7}), true), 4) << "alone in its line";
  EXPECT_EQ(visits(words({0, 1, 2, 3, 4, 5, 6, 7, 8}), true), 1 + 2) << "one and a part";
  EXPECT_EQ(slice_visits(first_lanes(strided(4), 1), true, gpu), 4 * 2) << "8 of 32 bytes";
  gpu.l2.slice_part_line_visits = 2.5;
  EXPECT_EQ(visits(strided(128), true), 32 * 2.5) << "a word of each line";
  EXPECT_EQ(slice_visits(first_lanes(strided(4), 1), true, gpu), 4) << "as many as sectors";
  EXPECT_EQ(visits(words({0, 8}), true), 2.5) << "two parts of a line";
  EXPECT_EQ(visits(strided(4), true), 4) << "no parts";
  EXPECT_EQ(visits(words({0, 1, 2, 3, 4, 5, 6, 7}), true), 4) << "alone in its line";
  gpu.l2.slice_part_line_visits = 0;
  gpu.l2.slice_lone_visits = 0;
  EXPECT_EQ(visits(words({0, 1, 2, 3, 4, 5, 6, 7}), true), 1) << "where nobody says";
  gpu.l2.slice_line_sectors = 0;
  EXPECT_EQ(visits(strided(128), true), 0) << "nothing is known";
}

// Shared memory: one lane a bank and turn, the same word or not.
TEST(AtomicTurns, OneLaneABankInSharedMemory) {
  const Gpu gpu = board("a100-sxm-80");
  const auto turns = [&](const Addresses& addresses) {
    return bank_turns(first_lanes(addresses, 4), gpu);
  };
  EXPECT_EQ(turns(strided(0)), 32);
  EXPECT_EQ(turns(strided(4)), 1);
  EXPECT_EQ(turns(strided(8)), 2);
  EXPECT_EQ(turns(words({0, 0, 32, 1})), 3);
}

// Volkov 2016, section 2.5: distinct aligned blocks of four words.
TEST(Coalescing, TransactionsOfTheTextbook) {
  const Gpu gpu = toy();
  EXPECT_EQ(request(gpu, words({0, 1, 2, 3})).transactions, 1);
  EXPECT_EQ(request(gpu, words({4, 5, 6, 7})).transactions, 1);
  EXPECT_EQ(request(gpu, words({1, 2, 3, 4})).transactions, 2);
  EXPECT_EQ(request(gpu, words({0, 2, 4, 6})).transactions, 2);
  EXPECT_EQ(request(gpu, words({0, 3, 6, 9})).transactions, 3);
  EXPECT_EQ(request(gpu, words({2, 4, 13, 11})).transactions, 4);
}

// The first generation joins only what is in order and aligned; else each lane takes a transaction.
TEST(Coalescing, FirstGenerationOfTheTextbookWantsOrder) {
  Gpu gpu = toy();
  gpu.coalescing_segments = gpu.coalescing_in_order = true;
  EXPECT_EQ(request(gpu, words({0, 1, 2, 3})).transactions, 1);
  EXPECT_EQ(request(gpu, words({3, 2, 1, 0})).transactions, 4);
  EXPECT_EQ(request(gpu, words({1, 1, 1, 1})).transactions, 4);
  gpu.coalescing_in_order = false;
  EXPECT_EQ(request(gpu, words({3, 2, 1, 0})).transactions, 1);
  EXPECT_EQ(request(gpu, words({1, 1, 1, 1})).transactions, 1);
}

// The second one also has transactions of two words: (1,2,3,4) is (0..3) and (4,5), six words; with
// two lanes at a time it is (0..3), then (2,3) and (4,5): eight.
TEST(Coalescing, SecondGenerationOfTheTextbookTakesShorterTransactions) {
  Gpu gpu = toy();
  gpu.coalescing_segments = true;
  gpu.sector_bytes = 8;
  const GlobalRequest whole = request(gpu, words({1, 2, 3, 4}));
  EXPECT_EQ(whole.transactions, 2);
  EXPECT_EQ(whole.sectors * gpu.sector_bytes, 4 * 6);
  gpu.coalescing_lanes = 2;
  const GlobalRequest halves = request(gpu, words({1, 2, 3, 4}));
  EXPECT_EQ(halves.transactions, 3);
  EXPECT_EQ(halves.sectors * gpu.sector_bytes, 4 * 8);
}

// Volkov 2016, section 2.6: most different words in one of four banks.
TEST(Banks, DegreesOfTheTextbook) {
  const Gpu gpu = toy();
  EXPECT_EQ(passes(gpu, words({0, 1, 2, 3})), 1);
  EXPECT_EQ(passes(gpu, words({1, 2, 3, 4})), 1);
  EXPECT_EQ(passes(gpu, words({0, 2, 4, 6})), 2);
  EXPECT_EQ(passes(gpu, words({0, 3, 6, 9})), 1);
  EXPECT_EQ(passes(gpu, words({0, 4, 8, 12})), 4);
  EXPECT_EQ(passes(gpu, words({1, 1, 1, 1})), 1);
  EXPECT_EQ(passes(gpu, words({1, 1, 1, 2})), 1);
  EXPECT_EQ(passes(gpu, words({1, 3, 5, 8})), 2);
}

double degree(const Gpu& gpu, const Addresses& addresses, std::uint32_t bytes = 4,
              bool merges = false) {
  return conflict_degree(first_lanes(addresses, bytes), merges, gpu);
}

// Where one pass can serve the whole warp, the degree is the number of passes; else that of the
// group of lanes that takes the most.
TEST(Banks, DegreeIsThatOfOneGroup) {
  EXPECT_EQ(degree(toy(), words({0, 4, 8, 12})), 4);
  EXPECT_EQ(degree(toy(), words({1, 3, 5, 8})), 2);
  const Gpu old = board("gtx280"), recent = board("a100-sxm-80");
  for (std::int64_t stride = 1; stride <= 64; ++stride) {
    EXPECT_EQ(degree(old, strided(4 * stride)), std::gcd(stride, 16)) << stride;
    EXPECT_EQ(degree(recent, strided(4 * stride)), std::gcd(stride, 32)) << stride;
    EXPECT_EQ(degree(recent, strided(8 * stride), 8), std::gcd(stride, 16)) << stride;
    EXPECT_EQ(degree(recent, strided(16 * stride), 16), std::gcd(stride, 8)) << stride;
  }
  EXPECT_EQ(degree(recent, {}), 0);
}

// 8 bytes: lanes 0 to 15 side by side take one pass, lanes 16 to 31 on one bank sixteen.
TEST(Banks, DegreeOfUnequalGroups) {
  const Gpu gpu = board("gtx980");
  Addresses addresses = strided(8);
  for (std::size_t lane = 16; lane < 32; ++lane)
    addresses[lane] = 128 * static_cast<std::int64_t>(lane);
  EXPECT_EQ(degree(gpu, addresses, 8), 16);
  EXPECT_EQ(passes(gpu, addresses, 8), 17);
}

TEST(Banks, DegreeOfMergedLoads) {
  const Gpu gpu = board("v100-pcie-16");
  EXPECT_EQ(degree(gpu, strided(0), 16, true), 1);
  EXPECT_EQ(passes(gpu, strided(0), 16, true), 2);
  EXPECT_EQ(passes(gpu, strided(0), 16, false), 4);
}

struct Moved {
  const char* gpu;
  double transactions, bytes;
};

TEST(Coalescing, UnitStride) {
  for (const Moved& expected :
       {Moved{"8800gtx", 2, 128}, Moved{"gtx280", 2, 128}, Moved{"gtx480", 1, 128},
        Moved{"k40", 4, 128}, Moved{"gtx980", 4, 128}, Moved{"v100-pcie-16", 4, 128},
        Moved{"h100-pcie-80", 4, 128}}) {
    const GlobalRequest moved = request(board(expected.gpu), strided(4));
    EXPECT_EQ(moved.transactions, expected.transactions) << expected.gpu;
    EXPECT_EQ(moved.sectors * 32, expected.bytes) << expected.gpu;
  }
}

// gtx280: lanes 0-15 read bytes 4 to 67, a segment of 128; lanes 16-31 68 to 131: the upper half of
// it and a segment of 32.
TEST(Coalescing, ShiftedByOneWord) {
  for (const Moved& expected :
       {Moved{"8800gtx", 32, 32 * 32}, Moved{"gtx280", 3, 128 + 64 + 32}, Moved{"gtx480", 2, 160},
        Moved{"gtx980", 5, 160}, Moved{"a100-sxm-80", 5, 160}}) {
    const GlobalRequest moved = request(board(expected.gpu), strided(4, 4));
    EXPECT_EQ(moved.transactions, expected.transactions) << expected.gpu;
    EXPECT_EQ(moved.sectors * 32, expected.bytes) << expected.gpu;
  }
}

TEST(Coalescing, EverySecondWord) {
  for (const Moved& expected :
       {Moved{"8800gtx", 32, 32 * 32}, Moved{"gtx280", 2, 2 * 128}, Moved{"gtx480", 2, 256},
        Moved{"gtx1080", 8, 256}, Moved{"rtx4090", 8, 256}}) {
    const GlobalRequest moved = request(board(expected.gpu), strided(8));
    EXPECT_EQ(moved.transactions, expected.transactions) << expected.gpu;
    EXPECT_EQ(moved.sectors * 32, expected.bytes) << expected.gpu;
  }
}

TEST(Coalescing, OneWordForAll) {
  for (const Moved& expected : {Moved{"8800gtx", 32, 32 * 32}, Moved{"gtx280", 2, 64},
                                Moved{"gtx480", 1, 32}, Moved{"t4", 1, 32}}) {
    const GlobalRequest moved = request(board(expected.gpu), strided(0, 4));
    EXPECT_EQ(moved.transactions, expected.transactions) << expected.gpu;
    EXPECT_EQ(moved.sectors * 32, expected.bytes) << expected.gpu;
  }
}

// Halves of the warp for 8 bytes on 2.x and 3.x, quarters for 16: each takes its own line.
TEST(Coalescing, WideAccesses) {
  EXPECT_EQ(request(board("gtx480"), strided(8), 8).transactions, 2);
  EXPECT_EQ(request(board("gtx480"), strided(16), 16).transactions, 4);
  EXPECT_EQ(request(board("8800gtx"), strided(8), 8).transactions, 2);    // 128 bytes a half-warp
  EXPECT_EQ(request(board("8800gtx"), strided(16), 16).transactions, 4);  // two lines a half-warp
  // All lanes on one 16-byte element: one sector where the warp is not split, else one a quarter.
  EXPECT_EQ(request(board("gtx980"), strided(0), 16).sectors, 1);
  EXPECT_EQ(request(board("k40"), strided(0), 16).sectors, 4);
}

TEST(Coalescing, FewLanesOnTheFirstGeneration) {
  const Gpu gpu = board("8800gtx");
  const Addresses some = {4 * 1, 4 * 3, 4 * 16};
  // Lanes 1, 3 and 16 on their own words: in order in both half-warps.
  const std::uint32_t lanes = 1U << 1 | 1U << 3 | 1U << 16;
  EXPECT_EQ(global_request({some, lanes, 4}, gpu).transactions, 2);
  // The same words by lanes 0, 1 and 2: the first half-warp is out of order.
  EXPECT_EQ(global_request({some, 7, 4}, gpu).transactions, 3);
}

class Generation : public testing::TestWithParam<const char*> {};

// From 5.0 on: the sectors that hold any of the lanes' bytes, each once.
TEST_P(Generation, SectorsAreDistinct) {
  const Gpu gpu = board(GetParam());
  for (const std::uint32_t bytes : {4U, 8U, 16U}) {
    for (std::int64_t stride = 1; stride <= 64; ++stride) {
      std::set<std::int64_t> sectors, lines;
      for (const std::int64_t address : strided(stride * bytes, 16)) {
        sectors.insert(address / 32);
        lines.insert(address / 128);
      }
      const GlobalRequest moved = request(gpu, strided(stride * bytes, 16), bytes);
      EXPECT_EQ(moved.sectors, sectors.size()) << bytes << " x " << stride;
      EXPECT_EQ(moved.lines, lines.size()) << bytes << " x " << stride;
    }
  }
}

// 32 banks of one word: gcd(stride, 32) for 4 bytes; half-warps of 16 lanes for 8 bytes, whose
// words are 2 * stride apart: gcd(stride, 16) each; quarters of 8 lanes for 16 bytes.
TEST_P(Generation, ConflictsAreTheCommonDivisor) {
  const Gpu gpu = board(GetParam());
  for (std::int64_t stride = 1; stride <= 64; ++stride) {
    EXPECT_EQ(passes(gpu, strided(4 * stride)), std::gcd(stride, 32)) << stride;
    EXPECT_EQ(passes(gpu, strided(8 * stride), 8), 2 * std::gcd(stride, 16)) << stride;
    EXPECT_EQ(passes(gpu, strided(16 * stride), 16), 4 * std::gcd(stride, 8)) << stride;
  }
  EXPECT_EQ(passes(gpu, strided(0)), 1);
}

INSTANTIATE_TEST_SUITE_P(Boards, Generation,
                         testing::Values("gtx980", "p100-pcie-16", "gtx1080", "v100-pcie-16", "t4",
                                         "a100-sxm-80", "a40", "rtx4090", "h100-pcie-80", "b200",
                                         "rtx5090"));

// 16 banks serve a half-warp: both halves conflict alike.
TEST(Banks, SixteenBanksServeHalfAWarp) {
  for (const char* id : {"8800gtx", "gtx280"}) {
    const Gpu gpu = board(id);
    for (std::int64_t stride = 1; stride <= 64; ++stride)
      EXPECT_EQ(passes(gpu, strided(4 * stride)), 2 * std::gcd(stride, 16)) << stride;
    EXPECT_EQ(passes(gpu, strided(0)), 2);
    EXPECT_EQ(passes(gpu, strided(8), 8), 4);    // two words a lane: twofold in each half
    EXPECT_EQ(passes(gpu, strided(16), 16), 8);  // four words
    EXPECT_EQ(passes(gpu, strided(1), 1), 8);    // four bytes of a word conflict
  }
}

// Only one word a pass goes to several lanes: pairs on eight words take a pass for each but the
// last lane of a pair, which the next pass serves with the next word.
TEST(Banks, OneBroadcastAPassOnTheFirstGeneration) {
  Addresses pairs(32);
  for (std::size_t lane = 0; lane < 32; ++lane)
    pairs[lane] = 4 * static_cast<std::int64_t>(lane / 2);
  // Per half-warp: the first pass serves both lanes of the first pair and one of every other; the
  // second the rest.
  EXPECT_EQ(passes(board("gtx280"), pairs), 4);
  EXPECT_EQ(passes(board("gtx480"), pairs), 1);
}

// 3.x in its 4-byte mode: banks of two words; words i and i + 32 of a 64-word segment do not meet.
TEST(Banks, TwoWordsWideOnKepler) {
  const Gpu gpu = board("k40");
  EXPECT_EQ(passes(gpu, strided(4)), 1);
  EXPECT_EQ(passes(gpu, strided(8)), 1);
  EXPECT_EQ(passes(gpu, strided(8), 8), 1);
  EXPECT_EQ(passes(gpu, strided(16), 16), 2);
  EXPECT_EQ(passes(gpu, strided(128)), 16);  // gcd(32, 32) / 2
  EXPECT_EQ(passes(gpu, {0, 4 * 32}), 1);    // words 0 and 32
  EXPECT_EQ(passes(gpu, {0, 4 * 64}), 2);    // words 0 and 64
}

// Loads from shared memory of a whole warp whose neighbours read alike take half the passes.
TEST(Banks, WideLoadsMergeWhereNeighboursReadAlike) {
  const Gpu gpu = board("v100-pcie-16");
  const auto alike = [](std::int64_t bytes, std::size_t partner) {
    Addresses addresses(32);
    for (std::size_t lane = 0; lane < 32; ++lane)
      addresses[lane] = bytes * static_cast<std::int64_t>(std::min(lane, lane ^ partner));
    return addresses;
  };
  EXPECT_EQ(passes(gpu, strided(8), 8, true), 2);
  EXPECT_EQ(passes(gpu, strided(0), 8, true), 1);
  EXPECT_EQ(passes(gpu, strided(0), 8, false), 2);
  EXPECT_EQ(passes(gpu, strided(0), 16, true), 2);
  for (const std::size_t partner : {1U, 2U}) {
    Addresses half = alike(8, partner);
    for (std::size_t lane = 0; lane < 32; ++lane)  // 16 elements in a row
      half[lane] = 8 * static_cast<std::int64_t>(partner == 1 ? lane / 2 : lane / 4 * 2 + lane % 2);
    EXPECT_EQ(passes(gpu, half, 8, true), 1) << partner;
    EXPECT_EQ(passes(gpu, half, 8, false), 2) << partner;
  }
  EXPECT_EQ(passes(board("gtx980"), strided(0), 8, true), 2);
}

// RRZE gpu-strides: blocks of w lanes in rows of a pitch that is 2 modulo 32 words; measured on
// A100, A40 and H200: 2, 1, 2, 4, 2, 1 passes for w = 1, 2, 4, 8, 16, 32, and for doubles 4, 2, 4,
// 4, 2, 2.
TEST(Banks, MeasuredBlocksOfRows) {
  const Gpu gpu = board("a100-sxm-80");
  const std::pair<std::int64_t, std::pair<int, int>> measured[] = {
      {1, {2, 4}}, {2, {1, 2}}, {4, {2, 4}}, {8, {4, 4}}, {16, {2, 2}}, {32, {1, 2}}};
  for (const auto& [width, expected] : measured) {
    for (const std::int64_t bytes : {4, 8}) {
      Addresses addresses(32);
      for (std::size_t lane = 0; lane < 32; ++lane) {
        const auto t = static_cast<std::int64_t>(lane);
        addresses[lane] = bytes * (t % width + t / width * 66);
      }
      EXPECT_EQ(passes(gpu, addresses, static_cast<std::uint32_t>(bytes)),
                bytes == 4 ? expected.first : expected.second)
          << width;
    }
  }
}

// Four lines a cycle when their tags lie in different banks: bank = line ^ line / 4 ^ .. modulo 4.
TEST(Tags, LinesOfDifferentTagBanksAtOnce) {
  const Gpu gpu = board("a100-sxm-80");
  const auto tags = [&](const Addresses& addresses) {
    return tag_passes(first_lanes(addresses, 4), gpu);
  };
  EXPECT_EQ(tags(strided(4)), 1);
  EXPECT_EQ(tags(strided(16)), 1);   // lines 0 to 3
  EXPECT_EQ(tags(strided(128)), 8);  // 32 lines, 8 in each bank
  EXPECT_EQ(tags({0, 128 * 5}), 2);  // 5 = 1 ^ 1: bank 0 as well
  EXPECT_EQ(tags({0, 128 * 4}), 1);  // bank 1
  EXPECT_EQ(tag_passes(first_lanes(strided(128), 4), board("gtx480")), 1);   // not known
  EXPECT_EQ(tag_passes(first_lanes(strided(128), 4), board("gtx980")), 32);  // one a cycle
}

// 32 different addresses take the interface 32 times: 32 cycles from 3.x on, 64 where it has half
// a warp's lanes.
TEST(Constants, ARequestForEachAddressBefore70) {
  for (const auto& [id, cycles] :
       {std::pair{"gtx980", 1}, {"gtx1080ti", 1}, {"p100-pcie-16", 1}, {"k40", 1}, {"gtx480", 2}}) {
    const Gpu gpu = board(id);
    const ClassTiming& timing = gpu.classes.at("load_constant");
    EXPECT_EQ(timing.cycles, cycles) << id;
    EXPECT_EQ(timing.cycles, gpu.lsu_cycles) << id;
    EXPECT_NE(timing.pipe, "lsu") << id << ": the interface takes the instruction once besides";
  }
}

// The slowest of the way back, the banks and the tags. 32 lanes of 4 bytes come back in 1 cycle at
// 128 B/cycle and in 2 at 64; stride 8 puts eight lanes on each bank; stride 33 none on another's,
// but 33 lines over 4 tag banks, 9 on one of them.
TEST(DataStage, TakesItsSlowestPart) {
  const auto cycles = [](const std::string& id, std::int64_t stride, std::uint32_t bytes = 4) {
    return data_stage_cycles(first_lanes(strided(stride * bytes), bytes), board(id));
  };
  EXPECT_EQ(cycles("a100-sxm-40", 1), 1);
  EXPECT_EQ(cycles("a40", 1), 2);
  EXPECT_EQ(cycles("a40", 2), 2);
  for (const std::string id : {"a100-sxm-40", "a40", "h200-sxm"}) {
    EXPECT_EQ(cycles(id, 4), 4) << id;
    EXPECT_EQ(cycles(id, 8), 8) << id;
    EXPECT_EQ(cycles(id, 32), 32) << id;
    EXPECT_EQ(cycles(id, 33), tag_passes(first_lanes(strided(132), 4), board(id))) << id;
    EXPECT_GE(cycles(id, 33), 8) << id;
    EXPECT_EQ(cycles(id, 8, 8), 16) << id << ": two halves of a warp, 8 passes each";
  }
  EXPECT_EQ(cycles("rtx2080ti", 1), 2);
  EXPECT_EQ(cycles("rtx2080ti", 2), 4) << "2 cycles a pass, as in shared memory";
  EXPECT_EQ(cycles("gtx980", 32), 32) << "a line a cycle; no banks of shared memory";
  EXPECT_EQ(data_stage_cycles({}, board("a40")), 0);
}

// Wide loads of 8.6 and 8.9 come back at nearly twice the rate of 32-bit ones, those of 7.5 do not:
// 8.2 cycles were counted there. Less than a register never comes.
TEST(DataStage, ComesBackByTheWidthOfTheAccess) {
  const auto cycles = [](const std::string& id, std::uint32_t bytes) {
    return return_cycles(32, bytes, board(id));
  };
  EXPECT_DOUBLE_EQ(cycles("a40", 1), 2);
  EXPECT_DOUBLE_EQ(cycles("a40", 8), 256 / 124.7);
  EXPECT_DOUBLE_EQ(cycles("a40", 16), 512 / 115.0);
  EXPECT_DOUBLE_EQ(cycles("l40", 8), 256 / 115.0);
  EXPECT_DOUBLE_EQ(cycles("rtx2080ti", 16), 8);
  EXPECT_DOUBLE_EQ(cycles("a100-sxm-40", 16), 4);
  EXPECT_DOUBLE_EQ(cycles("gtx1080ti", 4), 128 / 46.5);
  Gpu gpu;
  gpu.l1.return_bytes = 64;
  gpu.l1.return_bytes_64 = 128;
  EXPECT_DOUBLE_EQ(return_cycles(32, 16, gpu), 4) << "as 64 bits where nothing else is known";
  EXPECT_DOUBLE_EQ(return_cycles(32, 16, Gpu()), 0);
}

TEST(Atomics, LanesOnOneAddress) {
  EXPECT_EQ(same_address_lanes(first_lanes(strided(4), 4)), 1);
  EXPECT_EQ(same_address_lanes(first_lanes(strided(0), 4)), 32);
  const Addresses mixed = {8, 0, 8, 4, 0, 8};
  EXPECT_EQ(same_address_lanes(first_lanes(mixed, 4)), 3);
}

}  // namespace
}  // namespace forewarp::tests
