// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "execution/storage/execution_input.h"

#include <gtest/gtest.h>

namespace forewarp::tests {
namespace {

// 96 threads fill three warps of 32; 97 begin a fourth.
TEST(ExecutionInput, TheLastWarpMayBeFilledInPart) {
  ExecutionInput input;
  input.block = {8, 4, 3};
  EXPECT_EQ(input.warps_per_block(), 3U);
  input.block = {97, 1, 1};
  EXPECT_EQ(input.warps_per_block(), 4U);
  input.block = {1, 1, 1};
  EXPECT_EQ(input.warps_per_block(), 1U);
}

}  // namespace
}  // namespace forewarp::tests
