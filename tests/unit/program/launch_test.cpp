// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "program/launch.h"

#include <gtest/gtest.h>

namespace forewarp::tests {
namespace {

// Of a grid of 5 x 4 x 3 block 33 is 1 plane of 20, 2 rows of 5 and 3 more.
TEST(LaunchConfig, BlocksAreNumberedAlongXFirst) {
  const Extent grid{5, 4, 3};
  EXPECT_EQ(block_index(33, grid), (Extent{3, 2, 1}));
  EXPECT_EQ(block_number({3, 2, 1}, grid), 33U);
  for (std::uint64_t i = 0; i < volume(grid); ++i) {
    EXPECT_EQ(block_number(block_index(i, grid), grid), i);
  }
}

// 65,535 planes of 65,535 rows of 2^31 - 1 blocks: beyond 32 bits, within 64.
TEST(LaunchConfig, NumbersOfTheLargestGrid) {
  const Extent grid{0x7fffffff, 0xffff, 0xffff};
  const std::uint64_t last = volume(grid) - 1;
  EXPECT_EQ(block_number({0x7ffffffe, 0xfffe, 0xfffe}, grid), last);
  EXPECT_EQ(block_index(last, grid), (Extent{0x7ffffffe, 0xfffe, 0xfffe}));
}

}  // namespace
}  // namespace forewarp::tests
