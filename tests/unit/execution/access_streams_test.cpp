// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <gtest/gtest.h>

#include "differential.h"
#include "execution/access/access_run.h"
#include "execution/access/block_synthesis.h"
#include "execution/access/hottest_word.h"
#include "execution/lowering/kernel_lowering.h"
#include "execution/order/order_points.h"

namespace forewarp::tests {
namespace {

/// A kernel of tests/fixtures/listings with zeroed buffers.
struct Case {
  Case(const std::string& name, Extent grid, Extent block)
      : run("listings/" + name + ".sm_70.sass") {
    run.input().grid = grid;
    run.input().block = block;
  }
  Case(const std::string& listing, const std::string& kernel, std::uint32_t sm, Extent grid,
       Extent block)
      : run(listing, kernel, sm) {
    run.input().grid = grid;
    run.input().block = block;
  }
  Case& floats(std::size_t count) {
    run.pass_buffer(std::vector<float>(count));
    return *this;
  }
  template <class T>
  Case& pass(T value) {
    run.pass(value);
    return *this;
  }
  ExecutedProfile execute(SampleChoice sample = {}, const AccessLimits& limits = {},
                          std::uint32_t threads = 1) {
    program.emplace(*lower_kernel(run.kernel()));
    ProfileOptions options;
    options.sample = sample;
    options.grid.threads = threads;
    auto executed = execute_profile(*program, run.input(), options, limits);
    if (!executed) ADD_FAILURE() << executed.error().line();
    return executed ? std::move(*executed) : ExecutedProfile{};
  }
  KernelRun run;
  std::optional<Program> program;
};

struct NoSinkOfAll : NoSink {
  [[nodiscard]] NoSinkOfAll empty() const { return {}; }
  void merge(const NoSinkOfAll&) {}
};

constexpr SampleChoice everything{SampleChoice::Mode::all, 0};

Case vector_add(std::uint32_t blocks) {
  Case result("vadd", {blocks, 1, 1}, {128, 1, 1});
  for (int i = 0; i < 3; ++i) result.floats(std::size_t{blocks} * 128);
  return result;
}

Case stencil(std::uint32_t size) {
  Case result("stencil", {size / 32, size / 8, 1}, {32, 8, 1});
  for (int i = 0; i < 2; ++i) result.floats(std::size_t{size} * size);
  result.pass(static_cast<int>(size)).pass(static_cast<int>(size)).pass(1.0F).pass(1.0F);
  return result;
}

Case matrix_product(std::uint32_t size) {
  Case result("matmul_tiled", {size / 16, size / 16, 1}, {16, 16, 1});
  for (int i = 0; i < 3; ++i) result.floats(std::size_t{size} * size);
  result.pass(static_cast<int>(size));
  return result;
}

// c[i] = a[i] + b[i]: each of the four warps of a block loads twice and stores once, 128 bytes in a
// row, a block 512 bytes behind the one before.
TEST(AccessStreams, KeepsOrderShapesAndAddresses) {
  Case add = vector_add(8);
  const AccessStreams streams = add.execute(everything).accesses;
  ASSERT_EQ(streams.blocks.size(), 8U);
  ASSERT_EQ(streams.paths.size(), 1U);  // all warps alike
  EXPECT_EQ(streams.shapes.size(), 3U);
  ASSERT_EQ(streams.paths[0].size(), 3U);
  for (const AccessShape& shape : streams.shapes) {
    EXPECT_TRUE(shape.affine);
    EXPECT_EQ(shape.stride, 4);
    EXPECT_EQ(shape.lanes, all_lanes);
    EXPECT_EQ(shape.bytes, 4);
  }
  EXPECT_EQ(streams.shapes[streams.paths[0][2]].kind, AccessKind::store);
  const BlockStream& third = streams.blocks[2];
  const WarpStream& second = streams.warps_of(third)[1];
  for (std::size_t i = 0; i < 2; ++i) {
    const std::uint64_t buffer = add.run.input().buffers[i].address;
    const std::uint64_t other = add.run.input().buffers[1 - i].address;
    const std::uint64_t base = streams.bases[second.first_base + i];
    EXPECT_TRUE(base == buffer + 2 * 512 + 128 || base == other + 2 * 512 + 128);
  }
  EXPECT_EQ(streams.bases[second.first_base + 2],
            add.run.input().buffers[2].address + 2 * 512 + 128);
}

TEST(AccessStreams, CountsSharedAccessesByShapeAndPlace) {
  Case product = matrix_product(32);
  const AccessStreams streams = product.execute(everything).accesses;
  ASSERT_EQ(streams.tallies.size(), 1U);
  std::uint64_t loads = 0, stores = 0;
  for (const AccessTally& entry : streams.tallies[0]) {
    const AccessShape& shape = streams.shapes[entry.shape];
    EXPECT_EQ(shape.space, MemorySpace::shared);
    (shape.kind == AccessKind::store ? stores : loads) += entry.times;
  }
  // 8 warps, 2 tiles: two stores each; 16 columns of one tile and of the other, some 16 bytes wide.
  EXPECT_EQ(stores, 8U * 2 * 2);
  EXPECT_GE(loads, 8U * 2 * 20);
}

TEST(AccessStreams, AreTheSameForAnyNumberOfThreads) {
  const AccessStreams one = stencil(256).execute(everything, {}, 1).accesses,
                      three = stencil(256).execute(everything, {}, 3).accesses;
  EXPECT_EQ(one.bases, three.bases);
  EXPECT_EQ(one.paths, three.paths);
  ASSERT_EQ(one.blocks.size(), three.blocks.size());
  EXPECT_EQ(one.shapes.size(), three.shapes.size());
}

std::uint32_t scattered(std::uint32_t i) {  // as in validation/order/scattered.cu
  i ^= i >> 16;
  i *= 0x7feb352dU;
  i ^= i >> 15;
  i *= 0x846ca68bU;
  return i ^ i >> 16;
}

// No two warps have the same offsets.
TEST(AccessStreams, KeepsEveryScatteredAccess) {
  constexpr std::uint32_t blocks = 1024, mask = (1U << 20) - 1, warps = blocks * 8;
  const auto execute = [](std::uint32_t threads) {
    Case scatter("../../validation/order/scattered.sass", "scatter_words", 90, {blocks, 1, 1},
                 {256, 1, 1});
    scatter.floats(mask + 1).pass(mask);
    return scatter.execute(everything, {}, threads).accesses;
  };
  const AccessStreams one = execute(1), three = execute(3);
  ASSERT_EQ(one.blocks.size(), blocks);
  const auto apart = std::count_if(one.shapes.begin(), one.shapes.end(),
                                   [](const AccessShape& shape) { return !shape.affine; });
  EXPECT_EQ(apart, warps);
  EXPECT_EQ(one.bases, three.bases);
  EXPECT_EQ(one.paths, three.paths);
  for (const std::uint32_t block : {0U, 700U, 1023U}) {
    const WarpStream& warp = one.warps_of(one.blocks[block])[3];
    ASSERT_EQ(one.paths[warp.path].size(), 1U);
    std::array<std::int64_t, lane_count> offsets{};
    ASSERT_EQ(one.lane_offsets(one.shapes[one.paths[warp.path][0]], offsets), lane_count);
    const std::uint32_t thread = block * 256 + 3 * 32;
    for (std::uint32_t i = 0; i < lane_count; ++i) {
      const auto from = std::int64_t{scattered(thread) & mask};
      EXPECT_EQ(offsets[i], 4 * (std::int64_t{scattered(thread + i) & mask} - from));
    }
  }
}

// Sums at places whose content is not known make no pages; of zeros they make one for each page.
TEST(AccessStreams, SumsOfUnknownWordsNeedNoMemory) {
  for (const auto kind : {BufferContent::Kind::unknown, BufferContent::Kind::zeros}) {
    constexpr std::uint32_t words = 1U << 16;
    Case sums("../../validation/order/scattered.sass", "reduce_words", 90, {64, 1, 1}, {256, 1, 1});
    sums.floats(words).pass(words - 1);
    ExecutionBuffer& buffer = sums.run.input().buffers[0];
    buffer.content.kind = kind;
    buffer.data.clear();
    const auto program = lower_kernel(sums.run.kernel());
    ASSERT_TRUE(program);
    GridOptions options;
    options.most_memory = 4 * sizeof(MemoryPage);
    const std::vector<std::uint64_t> blocks{0, 1, 2, 3};
    NoSinkOfAll none;
    const auto run = run_grid(*program, sums.run.input(), blocks, options, none);
    ASSERT_TRUE(run);
    EXPECT_EQ(run->forgets, kind == BufferContent::Kind::zeros);
  }
}

TEST(AccessStreams, DropsBlocksEvenlyWhereTheMemoryIsUsedUp) {
  AccessLimits limits;
  limits.most_bytes = 64 << 10;
  const AccessStreams streams = vector_add(4096).execute(everything, limits).accesses;
  EXPECT_EQ(streams.blocks.size() + streams.skipped_blocks, 4096U);
  EXPECT_GT(streams.blocks.size(), 100U);
  EXPECT_LT(streams.blocks.size(), 2048U);
  // Half of those that are left lie in the first half of the grid, give or take a tenth.
  const auto before = std::count_if(streams.blocks.begin(), streams.blocks.end(),
                                    [](const BlockStream& block) { return block.block < 2048; });
  EXPECT_NEAR(static_cast<double>(before), 0.5 * static_cast<double>(streams.blocks.size()),
              0.1 * static_cast<double>(streams.blocks.size()));
}

// Eight rows of 1021 in the first block, one of 1 for each warp of the others: the first takes as
// much as ten others, and all take a third of the limit.
TEST(AccessStreams, ALongBlockInFrontDropsNobody) {
  Case rows("../../validation/order/uneven_grids.sass", "sparse_rows", 86, {256, 1, 1},
            {256, 1, 1});
  std::vector<std::uint32_t> drawn(2048, 0), columns(4096, 0);
  std::fill_n(drawn.begin(), 8, 1023U);
  rows.run.pass_buffer(drawn);
  rows.floats(4096).run.pass_buffer(columns);
  rows.floats(4096).floats(2048).pass(std::uint32_t{1}).pass(std::uint32_t{4096});
  AccessLimits limits;
  limits.most_bytes = 512 << 10;
  const AccessStreams streams = rows.execute(everything, limits).accesses;
  EXPECT_EQ(streams.skipped_blocks, 0U);
  EXPECT_EQ(streams.blocks.size(), 256U);
}

constexpr auto in_order = "../../validation/order/blocks_in_order.sass";

// 20,480 threads free a lock each, of one or of 16 by a hash.
TEST(HottestWord, IsTheLockThatMostThreadsTake) {
  for (const std::uint32_t buckets : {1U, 16U}) {
    Case locks(in_order, "bucket_locks", 86, {80, 1, 1}, {256, 1, 1});
    locks.floats(256).floats(256).pass(buckets);
    const ExecutedProfile profile = locks.execute(everything);
    const std::vector<bool> writes = shared_writes(*locks.program);
    EXPECT_EQ(std::count(writes.begin(), writes.end(), true), 1) << "the exchange that frees it";
    const double share = hottest_word(profile.accesses, writes);
    EXPECT_NEAR(share * buckets, 1, 0.1) << buckets;
    const std::vector<bool> none(locks.program->ops.size());
    EXPECT_EQ(hottest_word(profile.accesses, none), 0);
  }
}

// A barrier of 135,168 threads: all blocks are resident, so each does as much as of 16 blocks.
TEST(NominalRun, HoldsAsManyBlocksAsABoard) {
  const auto instructions = [](std::uint32_t blocks) {
    Case barrier(in_order, "counter_barrier", 86, {blocks, 1, 1}, {1024, 1, 1});
    barrier.floats(1).pass(std::uint32_t{3});
    return barrier.execute(everything).paths.warp_instructions / blocks;
  };
  EXPECT_NEAR(instructions(132) / instructions(16), 1, 0.02);
}

TEST(AccessStreams, CutsBlocksThatAreTooLong) {
  AccessLimits limits;
  limits.most_block_bytes = 8 * 12 * 4;  // four accesses of each of the eight warps
  const AccessStreams streams = matrix_product(128).execute(everything, limits).accesses;
  ASSERT_FALSE(streams.blocks.empty());
  for (const WarpStream& warp : streams.warps_of(streams.blocks[0]))
    EXPECT_EQ(streams.paths[warp.path].size(), 4U);
  EXPECT_LT(streams.blocks[0].recorded_share, 1);
}

/// Every access of every block follows from a sample.
void expect_foreseen(Case& kernel, std::uint64_t count) {
  const AccessStreams sampled = kernel.execute({SampleChoice::Mode::count, count}).accesses,
                      all = kernel.execute(everything).accesses;
  ASSERT_LT(sampled.blocks.size(), all.blocks.size() / 2);
  const BlockSynthesis synthesis(sampled);
  ASSERT_TRUE(synthesis.complete());
  std::vector<std::uint64_t> bases;
  for (const BlockStream& block : all.blocks) {
    const auto warps = all.warps_of(block);
    for (std::uint32_t warp = 0; warp < warps.size(); ++warp) {
      synthesis.bases(block.block, warp, bases);
      ASSERT_EQ(bases.size(), all.paths[warps[warp].path].size()) << block.block;
      for (std::size_t i = 0; i < bases.size(); ++i)
        ASSERT_EQ(bases[i], all.bases[warps[warp].first_base + i]) << block.block;
    }
  }
}

TEST(BlockSynthesis, ForeseesAVectorSum) {
  Case kernel = vector_add(256);
  expect_foreseen(kernel, 16);
}

TEST(BlockSynthesis, ForeseesAStencilWithItsEdges) {
  Case kernel = stencil(512);
  expect_foreseen(kernel, 64);
}

TEST(BlockSynthesis, ForeseesAMatrixProduct) {
  Case kernel = matrix_product(256);
  expect_foreseen(kernel, 16);
}

/// `grid` blocks that find their tile by division, `columns` tiles in a row.
Case tiles(const std::string& kernel, Extent grid, int columns) {
  constexpr int depth = 3, threads = 32;
  Case result("listings/tiles_of_one_index.sm_70.sass", kernel, 70, grid, {threads, 1, 1});
  const std::size_t tiles = volume(grid);
  for (int i = 0; i < 2; ++i) result.floats(tiles * depth * threads);
  result.floats(tiles * threads);
  return std::move(result.pass(columns).pass(depth));
}

// 20 rows of 12 tiles: the row is index / 12, the column index % 12.
TEST(BlockSynthesis, ForeseesTilesOfOneIndex) {
  Case rows = tiles("tiles_in_rows", {240, 1, 1}, 12);
  expect_foreseen(rows, 16);
  EXPECT_EQ(rows.execute({SampleChoice::Mode::count, 16}).accesses.grid, (Extent{12, 20, 1}));
  for (const Extent grid : {Extent{240, 3, 1}, Extent{240, 1, 3}}) {
    Case of_batch = tiles("tiles_in_rows", grid, 12);
    expect_foreseen(of_batch, 24);
    EXPECT_EQ(of_batch.execute({SampleChoice::Mode::count, 24}).accesses.grid, (Extent{12, 20, 3}));
  }
  const Extent four_ways{240, 3, 2};
  EXPECT_EQ(
      tiles("tiles_in_rows", four_ways, 12).execute({SampleChoice::Mode::count, 24}).accesses.grid,
      four_ways);
}

// Five groups of four rows each, in which neighbours lie below each other: 4 x 12 x 5.
TEST(BlockSynthesis, ForeseesTilesInGroups) {
  Case groups = tiles("tiles_in_groups", {240, 1, 1}, 12);
  groups.pass(4);
  const AccessStreams sampled = groups.execute({SampleChoice::Mode::count, 24}).accesses;
  EXPECT_EQ(sampled.grid, (Extent{4, 12, 5}));
  EXPECT_TRUE(BlockSynthesis(sampled).complete());
}

// (index + row) % columns is affine in no shape of the grid, whose own is kept.
TEST(BlockSynthesis, DoesNotForeseeTilesOnADiagonal) {
  const AccessStreams sampled = tiles("tiles_on_a_diagonal", {240, 1, 1}, 12)
                                    .execute({SampleChoice::Mode::count, 24})
                                    .accesses;
  EXPECT_EQ(sampled.grid, (Extent{240, 1, 1}));
  EXPECT_FALSE(sampled.window_blocks.empty());
}

// Addresses x[column[k]] follow from data: nothing is foreseen, windows of blocks are executed.
TEST(BlockSynthesis, SaysWhereAddressesFollowFromData) {
  constexpr int rows = 64 * 256;
  Case kernel("sparse_rows", {256, 1, 1}, {64, 1, 1});
  std::vector<int> begin(rows + 1), column(rows * 2);
  for (int i = 0; i <= rows; ++i) begin[static_cast<std::size_t>(i)] = 2 * i;
  Numbers numbers(3);
  column = numbers.integers(column.size(), 0, rows - 1);
  kernel.run.pass_buffer(begin).pass_buffer(column);
  kernel.floats(column.size()).floats(rows).floats(rows).pass(rows);
  kernel.program.emplace(*lower_kernel(kernel.run.kernel()));
  ProfileOptions options;
  options.sample = {SampleChoice::Mode::count, 16};
  options.budget = 64 * 2 * 40;  // warp instructions: a quarter of the grid's blocks or so
  const auto executed = execute_profile(*kernel.program, kernel.run.input(), options);
  ASSERT_TRUE(executed) << executed.error().line();
  const AccessStreams& streams = executed->accesses;
  EXPECT_FALSE(BlockSynthesis(streams).complete());
  ASSERT_GE(streams.window_blocks.size(), 20U);
  EXPECT_LT(streams.window_blocks.size(), 200U);
  for (const std::uint64_t block : streams.window_blocks) EXPECT_NE(streams.find(block), nullptr);
}

TEST(WindowBlocks, BeginMiddleAndEnd) {
  EXPECT_EQ(window_blocks({100, 1, 1}, 6), (std::vector<std::uint64_t>{0, 1, 49, 50, 98, 99}));
  EXPECT_EQ(window_blocks({2, 2, 1}, 10), (std::vector<std::uint64_t>{0, 1, 2, 3}));
}

}  // namespace
}  // namespace forewarp::tests
