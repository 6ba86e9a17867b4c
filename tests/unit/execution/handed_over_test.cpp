// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// What lanes and warps of sm_90 hand to each other: elected lanes, squares of a matrix, registers.
#include <gtest/gtest.h>

#include "kernel_run.h"

namespace forewarp::tests {
namespace {

const std::string moves = "../../validation/kernels/hopper_moves.sass";

// The first lane that takes part is elected; all of them learn which one it is.
TEST(HandedOver, TheFirstLaneIsElected) {
  KernelRun run(moves, "elect_lanes");
  run.pass_buffer(std::vector<std::uint32_t>(64));
  const auto failure = run.run({1, 1, 1}, {32, 1, 1});
  ASSERT_FALSE(failure) << *failure;
  const auto out = run.result<std::uint32_t>(0);
  ASSERT_EQ(out.size(), 64U);
  for (std::size_t lane = 0; lane < 32; ++lane) {
    EXPECT_EQ(out[lane], lane == 0 ? 100U : 0U) << lane;
    const std::uint32_t second = lane / 8 == 1 ? (lane == 8 ? 108U : 8U) : 1000U;
    EXPECT_EQ(out[32 + lane], second) << lane;
  }
}

// Lane 4 r + c holds the columns 2 c and 2 c + 1 of row r; across, the rows 2 c and 2 c + 1 of
// column r. Element (square, row, column) is 64 square + 8 row + column.
TEST(HandedOver, SquaresGoToSharedMemoryAndBack) {
  const auto pair = [](std::size_t low, std::size_t high) {
    return static_cast<std::uint32_t>(low | high << 16);
  };
  std::vector<std::uint32_t> in(128);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = pair(2 * i, 2 * i + 1);
  KernelRun run(moves, "store_squares");
  run.pass_buffer(in).pass_buffer(std::vector<std::uint32_t>(384));
  const auto failure = run.run({1, 1, 1}, {32, 1, 1});
  ASSERT_FALSE(failure) << *failure;
  const auto out = run.result<std::uint32_t>(1);
  ASSERT_EQ(out.size(), 384U);
  for (std::size_t i = 0; i < 128; ++i) {
    const std::size_t square = 64 * (i / 32), row = i % 32 / 4, column = 2 * (i % 4);
    EXPECT_EQ(out[i], in[i]) << i;
    EXPECT_EQ(out[128 + i], pair(square + 8 * column + row, square + 8 * (column + 1) + row)) << i;
    EXPECT_EQ(out[256 + i], in[i]) << "as it lies there, " << i;
  }
}

// Four warps keep 40 registers of each lane, four others ask for 200. Launched with 120 all fits:
// 4 (120 - 40) = 4 (200 - 120).
TEST(HandedOver, WarpGroupsKeepTheirValues) {
  std::vector<std::uint32_t> in(256);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<std::uint32_t>(i + 1);
  KernelRun run(moves, "hand_registers_over");
  run.registers(120).pass_buffer(in).pass_buffer(std::vector<std::uint32_t>(in.size()));
  const auto failure = run.run({1, 1, 1}, {256, 1, 1});
  ASSERT_FALSE(failure) << *failure;
  const auto out = run.result<std::uint32_t>(1);
  ASSERT_EQ(out.size(), in.size());
  for (std::size_t i = 0; i < in.size(); ++i) EXPECT_EQ(out[i], (i < 128 ? 2 : 3) * in[i]) << i;
}

// With 112 the four give away 4 (112 - 40) = 288, and three take 3 (200 - 112) = 264 of them.
TEST(HandedOver, RegistersThatNobodyGivesAwayAreWaitedForForEver) {
  KernelRun run(moves, "hand_registers_over");
  run.registers(112)
      .pass_buffer(std::vector<std::uint32_t>(256))
      .pass_buffer(std::vector<std::uint32_t>(256));
  const auto failure = run.run({1, 1, 1}, {256, 1, 1});
  ASSERT_TRUE(failure);
  EXPECT_NE(failure->find("asks for 200 registers a thread and has 112; of those that warps of its "
                          "block gave away 24 are left; nobody else moves"),
            std::string::npos)
      << *failure;
  EXPECT_NE(failure->find("expected warps of its block that give as many away"), std::string::npos)
      << *failure;
  run.input().registers = 120;  // of the launch
  EXPECT_FALSE(run.run({1, 1, 1}, {256, 1, 1}));
}

}  // namespace
}  // namespace forewarp::tests
