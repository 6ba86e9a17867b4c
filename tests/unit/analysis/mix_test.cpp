// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/mix.h"

#include <gtest/gtest.h>

#include "kernel_builder.h"

namespace forewarp::tests {
namespace {

// Gajger 2017, section 5.2.3: 23 core instructions once and 4 per pass, three memory accesses, the
// dual-issue pairs A and B once and C in the loop.
TEST(Mix, OfSaxpy2InTheThesis) {
  const Kernel kernel = testing::fixture("gajger2017-saxpy2-sm52.sass");
  const ControlFlow flow(kernel);
  const std::vector<Mix> mixes = block_mixes(kernel, flow);
  ASSERT_EQ(mixes.size(), 6U);
  const Mix& loop = mixes[3];
  EXPECT_EQ(loop.instructions, 4U);
  EXPECT_EQ(loop.of(InstructionClass::fp32), 1U);
  EXPECT_EQ(loop.of(InstructionClass::integer), 1U);
  EXPECT_EQ(loop.of(InstructionClass::integer_compare), 1U);
  EXPECT_EQ(loop.of(InstructionClass::branch), 1U);
  EXPECT_EQ(loop.dual_pairs, 1U);
  EXPECT_EQ(loop.guarded, 1U);
  Mix once;
  for (std::size_t b = 0; b < mixes.size(); ++b) {
    if (b != 3) once += mixes[b];
  }
  EXPECT_EQ(once.instructions, 26U);
  EXPECT_EQ(once.of(InstructionClass::load_global) + once.of(InstructionClass::store_global), 3U);
  EXPECT_EQ(once.dual_pairs, 2U);
  EXPECT_EQ(once.guarded, 2U);
}

}  // namespace
}  // namespace forewarp::tests
