// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Which lanes of an access lead to the shared memory of another block of the cluster.
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "execution/access/access_run.h"
#include "execution/lowering/kernel_lowering.h"
#include "kernel_builder.h"

namespace forewarp::tests {
namespace {

// Lane i loads from block i % 4 of a cluster of four: 24 lanes of each warp leave their block, the
// first of them or not.
TEST(ClusterLanes, AreCountedOneByOne) {
  const Kernel kernel = testing::kernel_from(
      90, {"S2R R0, SR_TID.X", "LOP3.LUT R1, R0, 0x3, RZ, 0xc0, !PT",
           "IMAD.SHL.U32 R1, R1, 0x1000000, RZ", "LEA R1, R0, R1, 0x2", "LDS R2, [R1]", "EXIT"});
  const auto program = lower_kernel(kernel);
  ASSERT_TRUE(program);
  ExecutionInput input;
  input.grid = input.cluster = {4, 1, 1};
  input.block = {32, 1, 1};
  input.static_shared = 128;
  ProfileOptions options;
  options.sample = {SampleChoice::Mode::all, 0};
  const auto executed = execute_profile(*program, input, options, {});
  ASSERT_TRUE(executed) << executed.error().line();
  std::vector<unsigned> lanes;
  for (const AccessShape& shape : executed->accesses.shapes) lanes.push_back(shape.elsewhere);
  EXPECT_EQ(lanes, std::vector<unsigned>{24});
}

}  // namespace
}  // namespace forewarp::tests
