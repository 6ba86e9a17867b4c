// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "request/thread_grid.h"

#include <gtest/gtest.h>

namespace forewarp::tests {
namespace {

TEST(ThreadGrid, CoversTheThreads) {
  EXPECT_EQ(*grid_for_threads(400000000, {256, 1, 1}), (Extent{1562500, 1, 1}));
  EXPECT_EQ(*grid_for_threads(257, {256, 1, 1}), (Extent{2, 1, 1}));
  EXPECT_EQ(*grid_for_threads(256, {32, 4, 2}), (Extent{1, 1, 1}));
  EXPECT_EQ(*grid_for_threads(1, {1024, 1, 1}), (Extent{1, 1, 1}));
  EXPECT_EQ(*grid_for_threads(4294967295, {1, 1, 1}), (Extent{4294967295, 1, 1}));
}

TEST(ThreadGrid, RefusesWithTheReason) {
  EXPECT_EQ(grid_for_threads(0, {256, 1, 1}).error().line(),
            "--threads: 0 threads are no work; expected 1 or more");
  EXPECT_EQ(grid_for_threads(1, {0, 1, 1}).error().line(),
            "--threads: the block is not given; expected --block, or a sweep over block");
  EXPECT_EQ(grid_for_threads(4294967296, {1, 1, 1}).error().line(),
            "--threads: 4294967296 threads make 4294967296 blocks of 1; expected at most "
            "4294967295 blocks; give --grid with a y or z extent");
  EXPECT_FALSE(grid_for_threads(0xffffffffffffffff, {2, 1, 1}));
}

TEST(ThreadGrid, FollowsTheBlockOnlyWhenAsked) {
  Case request;
  request.launch.grid = {7, 1, 1};
  request.launch.block = {100, 1, 1};
  PredictOptions options;
  ASSERT_TRUE(complete_grid(request, options));
  EXPECT_EQ(request.launch.grid[0], 7U);
  options.threads = 1000;
  ASSERT_TRUE(complete_grid(request, options));
  EXPECT_EQ(request.launch.grid[0], 10U);
  options.threads = 0;
  EXPECT_FALSE(complete_grid(request, options));
}

}  // namespace
}  // namespace forewarp::tests
