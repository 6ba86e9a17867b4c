// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Addresses that follow from data which nobody knows: lanes that read the same value stay as far
// apart as the kernel says, so that rows, columns and single places move the sectors that they move
// with any data.
#include "differential.h"

namespace forewarp::tests {
namespace {

constexpr int rows = 4096, warps = 8;

class UnknownNames : public Differential {
 protected:
  /// Sectors that one load of the table moves for each warp: all loads' less the index's own.
  double table_sectors(KernelRun& run, double of_indices) {
    EXPECT_TRUE(runs(run, {2, 1, 1}, {32 * warps / 2, 1, 1}));
    EXPECT_FALSE(run.outcome().scattered.empty());
    return static_cast<double>(run.counts().load_sectors) / warps - of_indices;
  }

  /// One of the kernels that read a table by numbers of type `Index`, none of them known.
  template <class Index>
  KernelRun gather(const std::string& name, std::size_t indices) {
    KernelRun run = kernel("gathers", name);
    run.pass_buffer(std::vector<float>(32 * warps))
        .pass_buffer(std::vector<float>(std::size_t{rows} * 32))
        .pass_buffer(std::vector<Index>(indices));
    forget(run, 2);
    return run;
  }

  static void forget(KernelRun& run, std::size_t buffer) {
    run.input().buffers[buffer].content.kind = BufferContent::Kind::unknown;
  }
};

// A row of 32 floats at a multiple of 128 bytes: 128 / 32 = 4 sectors; its number is one sector.
TEST_P(UnknownNames, AWarpReadsOneRow) {
  KernelRun run = gather<int>("one_row", warps);
  EXPECT_EQ(table_sectors(run, 1), 4);
}

TEST_P(UnknownNames, ARowsWidthMayBeAnArgumentAndItsNumberLong) {
  KernelRun run = gather<long long>("wide_row", warps);
  run.pass(32);
  EXPECT_EQ(table_sectors(run, 1), 4);
}

// Four rows of 8 floats: 4 * 32 / 32 = 4 sectors, 3 if two of four numbers lead to the same.
TEST_P(UnknownNames, EightLanesReadARowEach) {
  KernelRun run = gather<int>("short_rows", 4 * warps);
  const double sectors = table_sectors(run, 1);
  EXPECT_LE(sectors, 4);
  EXPECT_GE(sectors, 3.5);
}

// number * lane: lane 0 stays where it is, each other one goes somewhere else.
TEST_P(UnknownNames, AFactorOfTheLaneTakesPart) {
  KernelRun run = gather<int>("one_column", warps);
  EXPECT_GE(table_sectors(run, 1), 28);
}

TEST_P(UnknownNames, EachLaneHasItsOwnPlace) {
  KernelRun run = gather<int>("each_its_own", 32 * warps);
  EXPECT_GE(table_sectors(run, 4), 30);  // 32 numbers: 4 sectors
}

// A place that an atomic gave to one lane and a shuffle to all: 128 bytes from any multiple of 4,
// 4 sectors or 5.
TEST_P(UnknownNames, ATakenPlaceIsSharedByShuffle) {
  KernelRun run = kernel("gathers", "taken_place");
  run.pass_buffer(std::vector<float>(1 << 16)).pass_buffer(std::vector<float>(32 * warps));
  run.pass_buffer(std::vector<unsigned>(1));
  forget(run, 2);
  ASSERT_TRUE(runs(run, {2, 1, 1}, {32 * warps / 2, 1, 1}));
  EXPECT_FALSE(run.outcome().scattered.empty());
  EXPECT_LE(run.counts().store_sectors, 5U * warps);
  EXPECT_GE(run.counts().store_sectors, 4U * warps);
}

// 256 of 16,384 sectors, whatever the width of a row is: at most a few of them twice.
TEST_P(UnknownNames, ARowAndAColumnLeadEverywhere) {
  KernelRun run = gather<int>("row_and_column", 32 * warps);
  run.pass_buffer(std::vector<int>(32 * warps)).pass(1024);
  forget(run, 3);
  ASSERT_TRUE(runs(run, {2, 1, 1}, {32 * warps / 2, 1, 1}));
  EXPECT_GE(run.counts().loaded.size(), 32U * warps + 64 - 16);  // and 2 * 32 of the numbers
}

TEST_P(UnknownNames, AThreadsOwnNumbersDiffer) {
  KernelRun run = gather<int>("kept_number", 8 * 32 * warps);
  run.pass(8 * 3 + 1);
  ASSERT_TRUE(runs(run, {2, 1, 1}, {32 * warps / 2, 1, 1}));
  EXPECT_GE(run.counts().loaded.size(), 32U * warps - 16 + 256);  // 32 bytes of numbers a thread
}

// The first node is one sector for each warp; further down lanes part.
TEST_P(UnknownNames, LanesPartByUnknownComparisons) {
  KernelRun run = kernel("gathers", "search_tree");
  run.pass_buffer(std::vector<float>(32 * warps)).pass_buffer(std::vector<float>(1 << 16));
  run.pass_buffer(std::vector<float>(32 * warps)).pass(4);
  forget(run, 1), forget(run, 2);
  ASSERT_TRUE(runs(run, {2, 1, 1}, {32 * warps / 2, 1, 1}));
  EXPECT_GE(run.counts().load_sectors, (1 + 4 + 3 * 16) * std::uint64_t{warps});
}

TEST_P(UnknownNames, TheUpperWordOfAProductLeadsEverywhere) {
  KernelRun run = gather<unsigned>("upper_word", 32 * warps);
  EXPECT_GE(table_sectors(run, 4), 30);
}

// Two tiles of 256 numbers: 512 places, and 64 sectors of numbers.
TEST_P(UnknownNames, WordsOfSharedMemoryAreWrittenAgain) {
  KernelRun run = gather<int>("in_tiles", 2 * 32 * warps);
  run.pass(2);
  ASSERT_TRUE(runs(run, {2, 1, 1}, {32 * warps / 2, 1, 1}));
  EXPECT_GE(run.counts().loaded.size(), 2 * 32U * warps + 64 - 32);
}

INSTANTIATE_TEST_SUITE_P(Families, UnknownNames, ::testing::ValuesIn(fixture_architectures()),
                         architecture_name);

}  // namespace
}  // namespace forewarp::tests
