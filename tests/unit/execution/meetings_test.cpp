// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Barriers in shared memory, asynchronous copies, matrix units, and calls that leave the kernel.
#include "differential.h"

namespace forewarp::tests {
namespace {

class Phases : public Differential {};

TEST_P(Phases, ArrivalsCompleteThem) {
  constexpr std::size_t threads = 96, blocks = 2;
  constexpr int rounds = 7;
  Numbers numbers(91);
  const auto in = numbers.integers(threads * blocks, -50, 50);
  std::vector<int> expected(in);
  for (std::size_t block = 0; block < blocks; ++block) {
    for (int k = 0; k < rounds; ++k) {
      std::vector<int> next(threads);
      for (std::size_t t = 0; t < threads; ++t)
        next[(t + 33) % threads] = expected[block * threads + t] + static_cast<int>(t);
      std::copy(next.begin(), next.end(),
                expected.begin() + static_cast<std::ptrdiff_t>(block * threads));
    }
  }
  KernelRun run = kernel("phases", "rotate_phases");
  run.pass_buffer(in).pass_buffer(std::vector<int>(in.size())).pass(rounds);
  if (runs(run, {blocks, 1, 1}, {threads, 1, 1})) expect_equal(expected, run.result<int>(1));
}

/// c = a b of 32 x 32: every warp runs two passes; on sm_70 c is stored but not known.
TEST_P(Phases, MatrixUnitsCount) {
  constexpr std::size_t n = 32;
  KernelRun run = kernel("phases", "multiply_units");
  run.pass_buffer(std::vector<std::uint16_t>(n * n)).pass_buffer(std::vector<std::uint16_t>(n * n));
  run.pass_buffer(std::vector<float>(n * n)).pass(int{n});
  if (!runs(run, {2, 2, 1}, {32, 1, 1})) return;
  EXPECT_EQ(run.result<float>(2).empty(), GetParam() == 70);
  std::uint64_t products = 0, listed = 0;
  for (std::size_t i = 0; i < run.counts().warps.size(); ++i) {
    if (run.kernel().text_of(run.kernel().instructions[i]).find("HMMA") == std::string_view::npos)
      continue;
    ++listed;
    products += run.counts().warps[i];
  }
  EXPECT_GT(listed, 0U);
  // One 16 x 16 x 16 product is 16 instructions of 8x8x4 steps on sm_70, 4 of 16x8x8 on sm_75,
  // 2 of 16x8x16 from sm_80 on; 4 warps, 2 products each.
  const std::uint64_t each = GetParam() == 70 ? 16 : (GetParam() == 75 ? 4 : 2);
  EXPECT_EQ(products, 4 * 2 * each);
}

TEST_P(Phases, AsynchronousCopiesBringValues) {
  if (GetParam() < 80) GTEST_SKIP() << "not on this architecture (the instruction came with sm_80)";
  constexpr std::size_t tiles = 5, blocks = 2;
  Numbers numbers(92);
  const auto in = numbers.integers(4 * 64 * tiles * blocks, -1000, 1000);
  std::vector<int> expected(4 * 64 * blocks);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const std::size_t block = i / 256, t = i / 4 % 64, part = i % 4;
    for (std::size_t tile = 0; tile < tiles; ++tile)
      expected[i] += in[4 * ((block * tiles + tile) * 64 + 63 - t) + part];
  }
  KernelRun run = kernel("phases", "copy_stages");
  run.pass_buffer(in).pass_buffer(std::vector<int>(expected.size())).pass(int{tiles});
  if (runs(run, {blocks, 1, 1}, {64, 1, 1})) expect_equal(expected, run.result<int>(1), 4);
}

TEST_P(Phases, MatricesAreLoadedByRows) {
  if (GetParam() < 80) GTEST_SKIP() << "not on this architecture (listed from sm_80 on)";
  std::vector<std::uint16_t> in(64);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<std::uint16_t>(100 + i);
  std::vector<std::uint32_t> expected;
  for (std::uint32_t t = 0; t < 32; ++t) {
    const std::uint32_t row = t / 4, column = t % 4 * 2;
    expected.push_back((100 + 8 * row + column + 1) << 16 | (100 + 8 * row + column));
    expected.push_back((100 + 8 * (column + 1) + row) << 16 | (100 + 8 * column + row));
  }
  KernelRun run = kernel("phases", "turn_matrix");
  run.pass_buffer(in).pass_buffer(std::vector<std::uint32_t>(64));
  if (runs(run, {1, 1, 1}, {32, 1, 1})) expect_equal(expected, run.result<std::uint32_t>(1), 2);
}

INSTANTIATE_TEST_SUITE_P(Families, Phases, ::testing::Values(70U, 75U, 80U, 86U, 90U),
                         architecture_name);

class Outside : public Differential {};

TEST_P(Outside, CallsReturnAtOnceAndAreListed) {
  Numbers numbers(93);
  const auto in = numbers.integers(100, 0, 1000);
  std::vector<int> expected;
  for (const int x : in) expected.push_back(3 * x);
  KernelRun run = kernel("outside", "report_some");
  run.pass_buffer(in).pass_buffer(std::vector<int>(100)).pass(100);
  if (!runs(run, {2, 1, 1}, {64, 1, 1})) return;
  expect_equal(expected, run.result<int>(1));
  ASSERT_EQ(run.outcome().assumed.size(), 1U);
  const Instruction& call = run.kernel().instructions[run.outcome().assumed[0]];
  EXPECT_EQ(call.instruction_class, InstructionClass::call);
}

TEST_P(Outside, AssertionsThatHoldCallNothing) {
  KernelRun run = kernel("outside", "check_all");
  run.pass_buffer(std::vector<int>(32, 4)).pass_buffer(std::vector<int>(32)).pass(32);
  if (!runs(run, {1, 1, 1}, {32, 1, 1})) return;
  expect_equal(std::vector<int>(32, 5), run.result<int>(1));
  EXPECT_TRUE(run.outcome().assumed.empty());
}

INSTANTIATE_TEST_SUITE_P(Families, Outside, ::testing::ValuesIn(fixture_architectures()),
                         architecture_name);

}  // namespace
}  // namespace forewarp::tests
