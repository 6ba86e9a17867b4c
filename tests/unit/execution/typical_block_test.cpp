// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "execution/grid/typical_block.h"

#include <vector>

#include <gtest/gtest.h>

namespace forewarp::tests {
namespace {

std::vector<WarpTrace> block(const std::vector<std::uint64_t>& instructions) {
  std::vector<WarpTrace> warps;
  for (const std::uint64_t count : instructions) warps.emplace_back().instructions = count;
  return warps;
}

/// 64 blocks of 4 warps: all of 100 instructions, but one of the first and one of the last block.
PathProfile edges() {
  PathProfile paths;
  paths.blocks = 64;
  paths.warp_instructions = 62 * 400 + 2 * 310;
  return paths;
}

TEST(TypicalBlock, AtTheEdgeDoesNotStandForTheGrid) {
  EXPECT_FALSE(stands_for(block({10, 100, 100, 100}), edges()));
  EXPECT_TRUE(stands_for(block({100, 100, 100, 100}), edges()));  // 400 against 397.2
}

TEST(TypicalBlock, IsTheOneNearerToTheMean) {
  const auto edge = block({10, 100, 100, 100}), whole = block({100, 100, 100, 100});
  EXPECT_TRUE(more_typical(edge, {}, edges()));
  EXPECT_TRUE(more_typical(whole, edge, edges()));
  EXPECT_FALSE(more_typical(edge, whole, edges()));
  EXPECT_FALSE(more_typical(edge, edge, edges()));
}

// A block of other warps is another kind, however near its sum is.
TEST(TypicalBlock, KeepsTheLengthOfItsWarps) {
  EXPECT_FALSE(more_typical(block({133, 133, 66, 66}), block({10, 100, 100, 100}), edges()));
  EXPECT_TRUE(more_typical(block({101, 100, 100, 100}), block({10, 100, 100, 100}), edges()));
}

}  // namespace
}  // namespace forewarp::tests
