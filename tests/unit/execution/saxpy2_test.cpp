// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// y[i] = x[i] added a times: the kernel of Gajger 2017, compiled for every family.
#include <gtest/gtest.h>

#include "kernel_run.h"

namespace forewarp::tests {
namespace {

class Saxpy2 : public ::testing::TestWithParam<std::uint32_t> {};

KernelRun saxpy2(std::uint32_t sm, int n, int a) {
  KernelRun run("listings/saxpy2.sm_" + std::to_string(sm) + ".sass");
  std::vector<float> x(static_cast<std::size_t>(n)), y(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = 0.1F * static_cast<float>(i % 97) - 3;
    y[i] = 1.7F * static_cast<float>(i % 31) - 20;
  }
  run.pass(n).pass(a).pass_buffer(x).pass_buffer(y);
  return run;
}

TEST_P(Saxpy2, ComputesWhatTheCpuDoes) {
  for (const int a : {0, 1, 2, 128}) {
    KernelRun run = saxpy2(GetParam(), 1000, a);
    const auto failure = run.run({4, 1, 1}, {256, 1, 1});
    ASSERT_FALSE(failure) << *failure;
    const auto x = run.result<float>(0), y = run.result<float>(1);
    ASSERT_EQ(y.size(), 1000U);
    KernelRun fresh = saxpy2(GetParam(), 1000, a);
    std::vector<float> expected(1000);
    std::memcpy(expected.data(), fresh.input().buffers[1].data.data(), 4000);
    for (std::size_t i = 0; i < expected.size(); ++i) {
      float sum = 0;
      for (int k = 0; k < a; ++k) sum += x[i];
      expected[i] += sum;
    }
    EXPECT_EQ(expected, y) << "a = " << a;
    EXPECT_TRUE(run.outcome().findings.empty());
  }
}

/// The loop's body runs once per addition and nothing else changes with a, once there is one.
TEST_P(Saxpy2, CountsAreLinearInTheAdditions) {
  const auto count = [&](int a) {
    KernelRun run = saxpy2(GetParam(), 1024, a);
    EXPECT_FALSE(run.run({4, 1, 1}, {256, 1, 1}));
    return run.counts().total;
  };
  const std::uint64_t warps = 32, one = count(1), two = count(2);
  EXPECT_EQ(count(128), one + 127 * (two - one));
  EXPECT_EQ((two - one) % warps, 0U);
  EXPECT_GE((two - one) / warps, 3U);  // add, count, branch at least
  EXPECT_LT(count(0), one);
}

INSTANTIATE_TEST_SUITE_P(Families, Saxpy2,
                         ::testing::Values(35U, 50U, 52U, 60U, 61U, 70U, 75U, 80U, 86U, 89U, 90U));

}  // namespace
}  // namespace forewarp::tests
