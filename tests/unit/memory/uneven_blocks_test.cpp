// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Kernels whose blocks differ, or whose addresses do not follow from the block's index: what few
// blocks say of the requests against an execution of all of them.
#include <gtest/gtest.h>

#include "execution/access/access_run.h"
#include "execution/grid/block_kinds.h"
#include "execution/lowering/kernel_lowering.h"
#include "hardware/database.h"
#include "kernel_run.h"
#include "memory/memory_looks.h"
#include "test_paths.h"

namespace forewarp::tests {
namespace {

constexpr double within = 0.05;

struct Uneven {
  Uneven(const std::string& kernel, Extent grid, Extent block)
      : run("../../validation/kernels/uneven_blocks.sass", kernel) {
    run.input().grid = grid;
    run.input().block = block;
  }
  /// Traffic on a T4; `budget` 0: of all blocks, executed to their end.
  MemoryProfile traffic(std::uint64_t budget) {
    const HardwareDatabase database(FOREWARP_DATA_DIR);
    const auto gpu = database.load("t4");
    auto program = lower_kernel(run.kernel());
    ProfileOptions options;
    options.budget = std::max<std::uint64_t>(1, budget);
    if (budget == 0) options.sample.mode = SampleChoice::Mode::all;
    if (budget > 0) options.grid.most_instructions = 2 * budget;  // not enough for all
    const auto profile = execute_profile(*program, run.input(), options);
    if (!profile || !gpu) {
      ADD_FAILURE() << (profile ? gpu.error() : profile.error()).line();
      return {};
    }
    executed = profile->paths.executed_blocks;
    instructions = profile->paths.warp_instructions;
    MemoryOptions replay;
    replay.blocks_per_sm = 4;
    if (budget == 0) replay.most_replayed = std::uint64_t{1} << 40;
    return profile_memory(profile->accesses, profile->plan, *gpu, replay);
  }
  /// The same from some blocks as from all.
  void agrees(std::uint64_t budget) {
    const MemoryProfile exact = traffic(0);
    const double all = instructions;
    const std::uint64_t blocks = executed;
    const MemoryProfile some = traffic(budget);
    EXPECT_LT(executed, blocks / 2);
    EXPECT_NEAR(instructions / all, 1, within);
    EXPECT_NEAR(some.global_load_sectors / exact.global_load_sectors, 1, within);
    EXPECT_NEAR(some.global_store_sectors / exact.global_store_sectors, 1, within);
  }

  KernelRun run;
  std::uint64_t executed = 0;
  double instructions = 0;
};

constexpr std::uint32_t useful = 12 * 16, columns = 24, rows = 24;

Uneven shifted_bytes() {
  constexpr int channels = 200, used = 12 * 256, length = used + 49 * 15;
  std::vector<int> shifts;
  for (int c = 0; c < channels; ++c) shifts.push_back(c * 7 % 50);
  Uneven made("shifted_bytes", {columns, rows, 1}, {256, 1, 1});
  made.run.pass_buffer(std::vector<std::uint8_t>(channels * length));
  made.run.pass_buffer(std::vector<float>(16 * used)).pass_buffer(shifts);
  made.run.pass(channels).pass(length).pass(used).pass(16);
  return made;
}

// 12 x 16 of 24 x 24 blocks have something to do.
TEST(UnevenBlocks, SurplusBlocksAreAKind) {
  Uneven made = shifted_bytes();
  const auto program = lower_kernel(made.run.kernel());
  const BlockKinds kinds = find_block_kinds(*program, made.run.input(), 1024);
  ASSERT_TRUE(kinds.differ());
  ASSERT_EQ(kinds.kinds.size(), 2U);
  EXPECT_EQ(kinds.kinds[0].blocks, useful);
  ASSERT_EQ(kinds.kinds[0].places.size(), useful);
  for (const BlockPlace& place : kinds.kinds[0].places)
    EXPECT_TRUE(place.block % columns < 12 && place.block / columns < 16) << place.block;
}

// A place stands for its neighbours, an end of the grid for itself.
TEST(UnevenBlocks, PlacesStandForTheWholeGrid) {
  for (const Extent& grid : {Extent{100000, 1, 1}, Extent{300, 200, 1}, Extent{90, 80, 70}}) {
    const BlockLattice lattice = block_lattice(grid, 1000);
    std::size_t places = 1;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      std::uint64_t sum = 0;
      for (const std::uint64_t size : lattice.sizes[axis]) sum += size;
      places *= lattice.places[axis].size();
      EXPECT_EQ(sum, grid[axis]);
      EXPECT_EQ(lattice.places[axis].front(), 0U);
      EXPECT_EQ(lattice.places[axis].back(), grid[axis] - 1);
    }
    EXPECT_LE(places, 1000U);
  }
}

TEST(UnevenBlocks, ShiftedBytes) {
  shifted_bytes().agrees(300'000);
}

TEST(UnevenBlocks, RemaindersOfTheBlocksNumber) {
  constexpr int size = 512, inner = 128, across = 32;
  Uneven made("modulo_product", {across * across, 1, 1}, {16, 16, 1});
  made.run.pass_buffer(std::vector<float>(size * inner));
  made.run.pass_buffer(std::vector<float>(inner * size));
  made.run.pass_buffer(std::vector<float>(size * size)).pass(size).pass(inner).pass(across);
  made.agrees(400'000);
}

TEST(UnevenBlocks, Triangles) {
  constexpr int length = 1024;
  Uneven made("triangle_rows", {length, 1, 1}, {256, 1, 1});
  made.run.pass_buffer(std::vector<float>(length * length));
  made.run.pass_buffer(std::vector<float>(length * 256)).pass(length);
  made.agrees(100'000);
}

}  // namespace
}  // namespace forewarp::tests
