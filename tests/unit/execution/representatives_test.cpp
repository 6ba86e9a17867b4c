// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "execution/representatives.h"

#include <numeric>

#include "differential.h"
#include "execution/profile_run.h"

namespace forewarp {
namespace {

IntervalVector vector_of(double instructions, double intervals) {
  IntervalVector vector;
  vector.value[IntervalVector::instructions] = instructions;
  vector.value[IntervalVector::intervals] = intervals;
  return vector;
}

TEST(ClusterIntervals, SeparatesWhatDiffers) {
  const std::vector<IntervalVector> vectors{vector_of(100, 5), vector_of(101, 5),
                                            vector_of(400, 30), vector_of(103, 5),
                                            vector_of(405, 30)};
  const std::vector<double> warps{10, 10, 5, 1, 6};
  const Clusters two = cluster_intervals(vectors, warps, 2);
  ASSERT_EQ(two.nearest.size(), 2U);
  EXPECT_EQ(two.of[0], two.of[1]);
  EXPECT_EQ(two.of[0], two.of[3]);
  EXPECT_EQ(two.of[2], two.of[4]);
  EXPECT_NE(two.of[0], two.of[2]);
  // Means: (100 * 10 + 101 * 10 + 103) / 21 = 100.6 and (400 * 5 + 405 * 6) / 11 = 402.7.
  EXPECT_EQ(two.nearest[two.of[0]], 1U);
  EXPECT_EQ(two.nearest[two.of[2]], 4U);
}

TEST(ClusterIntervals, OneClusterStandsForTheMean) {
  const std::vector<IntervalVector> vectors{vector_of(10, 1), vector_of(20, 1), vector_of(30, 1)};
  const Clusters one = cluster_intervals(vectors, std::vector<double>{1, 1, 1}, 1);
  EXPECT_EQ(one.nearest, std::vector<std::uint32_t>{1});
  EXPECT_EQ(one.of, (std::vector<std::uint32_t>{0, 0, 0}));
}

TEST(ClusterIntervals, EqualVectorsNeedNoMoreThanOneCluster) {
  const std::vector<IntervalVector> vectors(4, vector_of(7, 2));
  const Clusters many = cluster_intervals(vectors, std::vector<double>(4, 1.0), 3);
  EXPECT_EQ(many.nearest.size(), 1U);
}

class Representatives : public Differential {
 protected:
  struct Run {
    PathProfile profile;
    std::vector<Representative> chosen;
    std::vector<IntervalVector> vectors;
  };
  static Run choose(KernelRun& run, std::uint32_t threads = 1) {
    const auto program = lower_kernel(run.kernel());
    ProfileOptions options;
    options.grid.threads = threads;
    options.sample.mode = SampleChoice::Mode::all;
    auto profile = profile_paths(*program, run.input(), options);
    EXPECT_TRUE(profile);
    auto chosen = choose_representatives(*program, run.input(), *profile, options.grid);
    EXPECT_TRUE(chosen);
    Run result{std::move(*profile), std::move(*chosen), {}};
    for (const Representative& one : result.chosen)
      result.vectors.push_back(interval_vector(*program, one.trace));
    return result;
  }
  static double warps(const Run& run) {
    return std::accumulate(run.chosen.begin(), run.chosen.end(), 0.0,
                           [](double sum, const Representative& one) { return sum + one.warps; });
  }
};

/// c = a b of 48 x 48 in tiles of 16: 3 passes of 2 loads each, 2 barriers in each.
TEST_P(Representatives, OnePathHasOne) {
  KernelRun run = kernel("parallel", "multiply_tiled");
  for (int i = 0; i < 3; ++i) run.pass_buffer(std::vector<float>(48 * 48));
  run.pass(48);
  run.input().grid = {3, 3, 1};
  run.input().block = {16, 16, 1};
  const Run one = choose(run);
  ASSERT_EQ(one.chosen.size(), 1U);
  EXPECT_DOUBLE_EQ(one.chosen[0].warps, 72);
  EXPECT_EQ(one.chosen[0].trace.instructions, one.profile.groups[0].instructions);
  const auto& value = one.vectors[0].value;
  EXPECT_DOUBLE_EQ(value[IntervalVector::instructions],
                   static_cast<double>(one.chosen[0].trace.instructions));
  EXPECT_DOUBLE_EQ(value[IntervalVector::memory], 3 * 2 + 1);
  EXPECT_DOUBLE_EQ(value[IntervalVector::barriers], 3 * 2);
  // Each pass waits for its loads and at its barriers: the first load's value is stored first, and
  // the second's may come with it.
  EXPECT_GE(value[IntervalVector::intervals], 3 * 3);
  EXPECT_LE(value[IntervalVector::intervals], 3 * 4);
}

/// Warps of very different lengths: few stand for all, and their instructions come close.
TEST_P(Representatives, FewStandForManyPaths) {
  Numbers numbers(95);
  std::vector<int> start = numbers.integers(64 * 64, 1, 100000);
  for (std::size_t i = 0; i < start.size() / 2; ++i) start[i] = 1 + static_cast<int>(i % 3);
  const auto with_threads = [&](std::uint32_t threads) {
    KernelRun run = kernel("integers", "collatz");
    run.pass_buffer(start).pass_buffer(std::vector<int>(start.size())).pass(64 * 64);
    run.input().grid = {64, 1, 1};
    run.input().block = {64, 1, 1};
    return choose(run, threads);
  };
  const Run one = with_threads(1), two = with_threads(2);
  EXPECT_GT(one.profile.groups.size(), 40U);
  EXPECT_GT(one.chosen.size(), 1U);
  EXPECT_LE(one.chosen.size(), RepresentativeOptions().most);
  EXPECT_NEAR(warps(one), 128, 1e-9);
  double instructions = 0;
  for (const Representative& r : one.chosen)
    instructions += r.warps * static_cast<double>(r.trace.instructions);
  EXPECT_NEAR(instructions, one.profile.warp_instructions, 0.05 * one.profile.warp_instructions);
  ASSERT_EQ(one.chosen.size(), two.chosen.size());
  for (std::size_t i = 0; i < one.chosen.size(); ++i) {
    EXPECT_EQ(one.chosen[i].trace.place, two.chosen[i].trace.place);
    EXPECT_EQ(one.chosen[i].warps, two.chosen[i].warps);
  }
}

INSTANTIATE_TEST_SUITE_P(Families, Representatives, testing::Values(35U, 52U, 70U, 80U, 90U),
                         architecture_name);

}  // namespace
}  // namespace forewarp
