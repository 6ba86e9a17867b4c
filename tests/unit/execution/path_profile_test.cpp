// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "execution/grid/path_profile.h"

#include <algorithm>

#include "differential.h"
#include "execution/grid/profile_run.h"
#include "execution/lowering/kernel_lowering.h"

namespace forewarp::tests {
namespace {

/// A kernel of tests/fixtures/listings ready for profile_paths.
struct Case {
  Case(const std::string& name, std::uint32_t sm)
      : run("listings/" + name + ".sm_" + std::to_string(sm) + ".sass") {}
  Expected<PathProfile> profile(Extent grid, Extent block, const ProfileOptions& options = {}) {
    run.input().grid = grid;
    run.input().block = block;
    program.emplace(*lower_kernel(run.kernel()));
    return profile_paths(*program, run.input(), options);
  }
  KernelRun run;
  std::optional<Program> program;
};

class PathProfiles : public ::testing::TestWithParam<std::uint32_t> {};

TEST_P(PathProfiles, CountsPassesOfLoops) {
  Case saxpy("saxpy2", GetParam());
  saxpy.run.pass(1024)
      .pass(37)
      .pass_buffer(std::vector<float>(1024))
      .pass_buffer(std::vector<float>(1024));
  const auto profile = saxpy.profile({4, 1, 1}, {256, 1, 1});
  ASSERT_TRUE(profile) << profile.error().line();
  ASSERT_EQ(profile->loops.size(), 1U);
  EXPECT_EQ(profile->loops[0].histogram, (std::map<std::uint64_t, double>{{37, 32.0}}));
  EXPECT_DOUBLE_EQ(profile->loops[0].mean(), 37);
  EXPECT_DOUBLE_EQ(profile->branch_efficiency(), 1);
  ASSERT_EQ(profile->groups.size(), 1U);  // all 32 warps alike
  EXPECT_DOUBLE_EQ(profile->groups[0].warps, 32);
  EXPECT_DOUBLE_EQ(profile->warp_instructions,
                   32.0 * static_cast<double>(profile->groups[0].instructions));
  EXPECT_TRUE(profile->complete());
}

TEST_P(PathProfiles, TheLastWarpDiffers) {
  Case saxpy("saxpy2", GetParam());
  saxpy.run.pass(1000)
      .pass(1)
      .pass_buffer(std::vector<float>(1000))
      .pass_buffer(std::vector<float>(1000));
  const auto profile = saxpy.profile({4, 1, 1}, {256, 1, 1});
  ASSERT_TRUE(profile) << profile.error().line();
  ASSERT_EQ(profile->groups.size(), 2U);  // 1000 = 31 * 32 + 8
  EXPECT_DOUBLE_EQ(profile->groups[0].warps, 31);
  EXPECT_DOUBLE_EQ(profile->groups[1].warps, 1);
  EXPECT_EQ(profile->groups[1].block, 3U);
  EXPECT_EQ(profile->groups[1].warp, 7U);
  EXPECT_LT(profile->branch_efficiency(), 1);
}

TEST_P(PathProfiles, ThreadsChangeNothing) {
  const auto profile_with = [&](std::uint32_t threads) {
    Case saxpy("saxpy2", GetParam());
    saxpy.run.pass(5000)
        .pass(9)
        .pass_buffer(std::vector<float>(5000))
        .pass_buffer(std::vector<float>(5000));
    ProfileOptions options;
    options.grid.threads = threads;
    return *saxpy.profile({40, 1, 1}, {128, 1, 1}, options);
  };
  const PathProfile one = profile_with(1), three = profile_with(3);
  EXPECT_EQ(one.warp_instructions, three.warp_instructions);
  ASSERT_EQ(one.groups.size(), three.groups.size());
  for (std::size_t i = 0; i < one.groups.size(); ++i) {
    EXPECT_EQ(one.groups[i].signature, three.groups[i].signature);
    EXPECT_EQ(one.groups[i].block, three.groups[i].block);
  }
  for (std::size_t i = 0; i < one.instructions.size(); ++i) {
    EXPECT_EQ(one.instructions[i].lanes, three.instructions[i].lanes);
  }
}

INSTANTIATE_TEST_SUITE_P(Families, PathProfiles, ::testing::Values(35U, 52U, 70U, 80U, 90U),
                         architecture_name);

/// Trips that only the data decide: each warp passes as often as its slowest lane.
class Trips : public Differential {};

TEST_P(Trips, CollatzPassesAsOftenAsTheSlowestLane) {
  Numbers numbers(71);
  const auto start = numbers.integers(256, 1, 5000);
  std::map<std::uint64_t, double> expected;
  for (std::size_t warp = 0; warp < 8; ++warp) {
    std::uint64_t most = 0;
    for (std::size_t lane = 0; lane < 32; ++lane) {
      std::uint64_t steps = 0;
      for (int x = start[32 * warp + lane]; x != 1; ++steps) x = x % 2 == 0 ? x / 2 : 3 * x + 1;
      most = std::max(most, steps);
    }
    expected[most] += 1;
  }
  KernelRun run = kernel("integers", "collatz");
  run.pass_buffer(start).pass_buffer(std::vector<int>(256)).pass(256);
  run.input().grid = {2, 1, 1};
  run.input().block = {128, 1, 1};
  const auto program = lower_kernel(run.kernel());
  const auto profile = profile_paths(*program, run.input());
  ASSERT_TRUE(profile) << profile.error().line();
  ASSERT_EQ(profile->loops.size(), 1U);
  EXPECT_EQ(profile->loops[0].histogram, expected);
}

/// A histogram over skewed data and a sample of a grid with unequal blocks stay within their error.
TEST_P(Trips, UnequalBlocksAreSampledWithinTheirError) {
  KernelRun run = kernel("integers", "collatz");
  std::vector<int> start(64 * 4096);
  for (std::size_t i = 0; i < start.size(); ++i) start[i] = 1 + static_cast<int>(i / 64);
  run.pass_buffer(start)
      .pass_buffer(std::vector<int>(start.size()))
      .pass(static_cast<int>(start.size()));
  run.input().grid = {4096, 1, 1};
  run.input().block = {64, 1, 1};
  const auto program = lower_kernel(run.kernel());
  ProfileOptions some, all;
  some.sample = {SampleChoice::Mode::count, 256};
  all.sample.mode = SampleChoice::Mode::all;
  const auto sampled = profile_paths(*program, run.input(), some),
             whole = profile_paths(*program, run.input(), all);
  ASSERT_TRUE(sampled) << sampled.error().line();
  ASSERT_TRUE(whole) << whole.error().line();
  EXPECT_EQ(whole->relative_error, 0);
  EXPECT_GT(sampled->relative_error, 0);
  EXPECT_LT(sampled->executed_blocks, 300U);
  EXPECT_NEAR(sampled->warp_instructions, whole->warp_instructions,
              1.5 * sampled->relative_error * whole->warp_instructions);
}

INSTANTIATE_TEST_SUITE_P(Families, Trips, ::testing::ValuesIn(fixture_architectures()),
                         architecture_name);

/// y[i] = a * x[i] + y[i] for 1 Mi elements at 256 threads, 32,768 warps: with `if (i < n)` 15
/// instructions each on sm_70, predicated-off ones counted.
TEST(Counts, OneMebiElements) {
  Case saxpy("saxpy", 70);
  constexpr int n = 1 << 20;
  saxpy.run.pass(n)
      .pass(2.0F)
      .pass_buffer(std::vector<float>(n))
      .pass_buffer(std::vector<float>(n));
  ProfileOptions whole;
  whole.sample.mode = SampleChoice::Mode::all;
  const auto profile = saxpy.profile({n / 256, 1, 1}, {256, 1, 1}, whole);
  ASSERT_TRUE(profile) << profile.error().line();
  EXPECT_DOUBLE_EQ(profile->warp_instructions, 491520);
  const auto sampled = saxpy.profile({n / 256, 1, 1}, {256, 1, 1});
  ASSERT_TRUE(sampled) << sampled.error().line();
  EXPECT_DOUBLE_EQ(sampled->warp_instructions, 491520);
}

}  // namespace
}  // namespace forewarp::tests
