// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Grids of which few blocks do most of the work: which blocks these are, and what a sample says.
#include <algorithm>

#include <gtest/gtest.h>

#include "analysis/kernel_analysis.h"
#include "execution/access/access_run.h"
#include "execution/grid/block_decisions.h"
#include "execution/grid/profile_run.h"
#include "execution/lowering/kernel_lowering.h"
#include "kernel_run.h"

namespace forewarp::tests {
namespace {

struct Rare {
  Rare(const std::string& kernel, Extent grid, Extent block)
      : run("../../validation/kernels/rare_blocks.sass", kernel), analysis(run.kernel()) {
    run.input().grid = grid;
    run.input().block = block;
    threads = volume(grid) * volume(block);
  }
  /// Both buffers: no content, as nothing of a value decides.
  Rare& buffers() {
    run.pass_buffer(std::vector<float>(threads)).pass_buffer(std::vector<float>(threads));
    return *this;
  }
  [[nodiscard]] BlockKinds kinds() { return decided_kinds(analysis, run.input(), 16); }
  [[nodiscard]] PathProfile paths(SampleChoice::Mode mode, std::uint64_t budget) {
    const auto program = lower_kernel(run.kernel());
    ProfileOptions options;
    options.analysis = &analysis;
    options.sample.mode = mode;
    options.budget = budget;
    options.grid.most_instructions = most;
    auto profile = profile_paths(*program, run.input(), options);
    EXPECT_TRUE(profile) << (profile ? "" : profile.error().line());
    return profile ? *profile : PathProfile{};
  }

  KernelRun run;
  KernelAnalysis analysis;
  std::uint64_t threads = 0;
  std::uint64_t most = GridOptions{}.most_instructions;
};

/// The smaller of two kinds.
BlockKind rare_of(const BlockKinds& kinds) {
  EXPECT_EQ(kinds.kinds.size(), 2U);
  return kinds.kinds.empty() ? BlockKind{} : kinds.kinds.back();
}

/// Of 100,000 blocks only `block` has work, where the kernel is told `chosen`.
void expect_one_block(const std::string& kernel, int chosen, std::uint64_t block) {
  Rare made(kernel, {100000, 1, 1}, {256, 1, 1});
  made.run.pass(std::uint64_t{0}).pass(std::uint64_t{0}).pass(chosen).pass(1000);
  const BlockKinds kinds = made.kinds();
  EXPECT_EQ(kinds.all(), 100000U);
  const BlockKind rare = rare_of(kinds);
  ASSERT_EQ(rare.blocks, 1U);
  EXPECT_EQ(rare.places.front().block, block);
}

TEST(RareBlocks, OneOfManyByItsIndex) {
  expect_one_block("one_block", 77771, 77771);
}

// Thread 1,234,567 is in block 1234567 / 256 = 4822: some of its threads have work.
TEST(RareBlocks, OneOfManyByAThread) {
  expect_one_block("one_thread", 1234567, 4822);
}

// i - first < count as unsigned numbers: below `first` the difference wraps around.
TEST(RareBlocks, DifferencesThatWrapAround) {
  Rare made("few_threads", {100000, 1, 1}, {256, 1, 1});
  made.run.pass(std::uint64_t{0}).pass(std::uint64_t{0}).pass(1234567U).pass(3U).pass(1000);
  std::uint64_t blocks = 0;
  for (const BlockKind& kind : made.kinds().kinds) {
    if (kind.places.front().block == 4822) blocks = kind.blocks;
  }
  EXPECT_EQ(blocks, 1U);
}

// Warp 38,577 is the second of block 38577 / 8 = 4822.
TEST(RareBlocks, OneOfManyByAWarp) {
  expect_one_block("one_warp", 38577, 4822);
}

// What chooses a loop's passes, and words of a wide comparison: found however large the grid.
TEST(RareBlocks, OneOfManyByAChoice) {
  for (const char* kernel : {"chosen_passes", "wide_index"}) {
    Rare made(kernel, {1'000'000, 1, 1}, {256, 1, 1});
    made.run.pass(std::uint64_t{0}).pass(std::uint64_t{0}).pass(654321).pass(1000);
    const BlockKinds kinds = made.kinds();
    std::uint64_t blocks = 0;
    for (const BlockKind& kind : kinds.kinds) {
      if (kind.places.front().block == 654321) blocks = kind.blocks;
    }
    EXPECT_EQ(blocks, 1U) << kernel;
    EXPECT_EQ(kinds.unlooked, 0) << kernel;
  }
}

// Numbers below 100,000 that leave 13 over 97: floor((99999 - 13) / 97) + 1 = 1031.
TEST(RareBlocks, ByTheRemainder) {
  Rare made("remainder", {100000, 1, 1}, {256, 1, 1});
  made.run.pass(std::uint64_t{0}).pass(std::uint64_t{0}).pass(1000);
  const BlockKind rare = rare_of(made.kinds());
  EXPECT_EQ(rare.blocks, 1031U);
  for (const BlockPlace& place : rare.places) EXPECT_EQ(place.block % 97, 13U);
}

// x in [5, 8), y in (2, 6): 3 x 3 of 40 x 30 blocks have all four comparisons.
TEST(RareBlocks, ByBothCoordinates) {
  Rare made("corner", {40, 30, 1}, {16, 16, 1});
  made.run.pass(std::uint64_t{0}).pass(std::uint64_t{0}).pass(1000);
  std::uint64_t inside = 0;
  for (const BlockKind& kind : made.kinds().kinds) {
    const std::uint64_t x = kind.places.front().block % 40, y = kind.places.front().block / 40;
    if (x >= 5 && x < 8 && y > 2 && y < 6) inside += kind.blocks;
  }
  EXPECT_EQ(inside, 9U);
}

// The first block is a part of its own in every sample.
TEST(RareBlocks, EndsOfTheGridAreNoKind) {
  Rare made("one_block", {100000, 1, 1}, {256, 1, 1});
  made.run.pass(std::uint64_t{0}).pass(std::uint64_t{0}).pass(0).pass(1000);
  EXPECT_TRUE(made.kinds().kinds.empty());
}

// Linear comparisons are asked of parts of a grid: one of 2^30 blocks is found like one of 10^5.
TEST(RareBlocks, OneOfABillion) {
  Rare made("one_block", {1U << 30U, 1, 1}, {256, 1, 1});
  made.run.pass(std::uint64_t{0}).pass(std::uint64_t{0}).pass(123'456'789).pass(1000);
  const BlockKinds kinds = made.kinds();
  EXPECT_EQ(kinds.all(), 1U << 30U);
  const BlockKind rare = rare_of(kinds);
  ASSERT_EQ(rare.blocks, 1U);
  EXPECT_EQ(rare.places.front().block, 123'456'789U);
  EXPECT_GT(kinds.kinds.front().places.size(), 200U);
}

// Beyond as many blocks as are looked at, each stands for its part.
TEST(RareBlocks, KindsOfVeryManyBlocksAddUp) {
  Rare made("remainder", {50'000'000, 1, 1}, {256, 1, 1});
  made.run.pass(std::uint64_t{0}).pass(std::uint64_t{0}).pass(1000);
  const BlockKinds kinds = made.kinds();
  EXPECT_EQ(kinds.all(), 50'000'000U);
  const BlockKind rare = rare_of(kinds);
  EXPECT_GT(rare.error, 0.01);
  EXPECT_NEAR(static_cast<double>(rare.blocks), 50e6 / 97, 1.5 * rare.error * 50e6 / 97);
}

TEST(RareBlocks, ASampleCountsThemLikeTheWholeGrid) {
  for (const char* kernel : {"one_block", "remainder"}) {
    Rare made(kernel, {3000, 1, 1}, {64, 1, 1});
    made.buffers();
    if (kernel == std::string("one_block")) made.run.pass(1235);
    made.run.pass(4000);
    const PathProfile whole = made.paths(SampleChoice::Mode::all, 1);
    made.most = 100'000;  // less than all of them
    const PathProfile sample = made.paths(SampleChoice::Mode::automatic, 20'000);
    EXPECT_LT(sample.executed_blocks, 100U) << kernel;
    EXPECT_DOUBLE_EQ(sample.warp_instructions, whole.warp_instructions) << kernel;
  }
}

// Blocks that are too long to be executed stay apart, however cheap the others are.
TEST(RareBlocks, ALargerSampleLeavesTheLongOnesApart) {
  BlockKinds kinds;
  kinds.kinds.resize(1);
  for (std::uint64_t i = 0; i < 200; ++i) kinds.kinds[0].places.push_back({i, 10});
  kinds.kinds[0].blocks = 2000;
  SamplePlan plan = plan_kinds(kinds, {100}, 4);
  plan.apart = {1, 2000, 2000, 1, {}};
  PathProfile profile;
  profile.blocks = 2001;
  profile.executed_blocks = 4;
  profile.executed_instructions = 400;
  profile.warp_instructions = 200'000;
  profile.relative_error = 0.5;
  ExecutionInput input;
  input.grid = {2001, 1, 1};
  const auto larger = larger_plan(plan, profile, input, {});
  ASSERT_TRUE(larger);
  EXPECT_EQ(larger->apart.blocks, 1U);
  EXPECT_EQ(larger->size(), 2000U);
}

// Collatz: 837799 takes 524 steps, 1 none. A third of the blocks begins at the former; the one in
// the middle, which is tried first, at the latter. All of them together exceed the budget.
struct Collatz {
  Collatz(std::uint32_t blocks, std::uint64_t most)
      : run("listings/data_loop.sm_70.sass"), analysis(run.kernel()), all(blocks) {
    run.input().grid = {blocks, 1, 1};
    run.input().block = {threads, 1, 1};
    std::vector<std::uint32_t> start(blocks * threads, 1);
    std::fill_n(start.begin(), blocks / 3 * threads, 837799U);
    run.pass_buffer(start).pass_buffer(std::vector<std::uint32_t>(blocks * threads));
    run.pass(static_cast<int>(blocks * threads));
    options.analysis = &analysis;
    options.sample.mode = SampleChoice::Mode::all;
    whole = execute().warp_instructions;
    EXPECT_GT(whole, static_cast<double>(most));
    options.sample.mode = SampleChoice::Mode::automatic;
    options.budget = 20'000;
    options.grid.most_instructions = most;
  }
  PathProfile execute() {
    const auto program = lower_kernel(run.kernel());
    auto executed = execute_profile(*program, run.input(), options);
    if (!executed) ADD_FAILURE() << executed.error().line();
    return executed ? std::move(executed->paths) : PathProfile{};
  }

  static constexpr std::uint32_t threads = 256;
  KernelRun run;
  KernelAnalysis analysis;
  std::uint32_t all;
  ProfileOptions options;
  double whole = 0;
};

TEST(RareBlocks, ASurveyFindsThoseThatWorkWhereTheMiddleOneDoesNot) {
  Collatz made(192, 1'600'000);
  const PathProfile some = made.execute();
  EXPECT_LT(some.executed_blocks, made.all / 2);
  EXPECT_NEAR(some.warp_instructions / made.whole, 1, 0.05);
  EXPECT_LT(some.relative_error, 0.5);
}

// What is left suffices for no survey, but for a few blocks.
TEST(RareBlocks, AFewFarApartRatherThanOneThatDoesNotWork) {
  Collatz made(48, 400'000);
  const PathProfile some = made.execute();
  EXPECT_TRUE(some.uneven);
  EXPECT_EQ(some.executed_blocks, 8U);
  EXPECT_NEAR(some.warp_instructions / made.whole, 1, 0.35);
  EXPECT_GE(some.relative_error, 1);
}

}  // namespace
}  // namespace forewarp::tests
