// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Launches of a running program: what is executed of them when their time ends.
#include "execution/grid/in_place_run.h"

#include <gtest/gtest.h>

#include "execution/lowering/kernel_lowering.h"
#include "input/kernel_choice.h"

namespace forewarp::tests {
namespace {

Expected<GridRun> blocks_of(const std::string& code, std::uint32_t blocks,
                            const std::function<bool()>& goes_on,
                            std::uint64_t most = GridOptions{}.most_instructions) {
  const auto kernel = read_kernel(InputSource::of_text(
      "test.sass", "\tcode for sm_80\n\t\tFunction : k\n        /*0000*/ " + code + " ;\n"));
  EXPECT_TRUE(kernel);
  ExecutionInput input;
  input.grid = {blocks, 1, 1};
  input.block = {32, 1, 1};
  const auto program = lower_kernel(*kernel);
  GridOptions options;
  options.most_instructions = most;
  return run_in_place(*program, input, options, goes_on);
}

TEST(InPlaceRun, ExecutesAllBlocksWithoutAnEndOfTime) {
  const auto run = blocks_of("EXIT", 5, {});
  ASSERT_TRUE(run);
  EXPECT_EQ(run->instructions, 5U);
  EXPECT_FALSE(run->cut);
}

TEST(InPlaceRun, BeginsNoBlockAfterTheEndOfTime) {
  unsigned asked = 0;
  const auto run = blocks_of("EXIT", 5, [&] { return ++asked <= 3; });
  ASSERT_TRUE(run);
  EXPECT_EQ(run->instructions, 3U);
  ASSERT_TRUE(run->cut);
  EXPECT_EQ(run->cut->line(), "block 3: not executed in time");
  EXPECT_TRUE(run->late);
}

// An endless block is asked again after every 2^22 instructions: before it, and twice within.
TEST(InPlaceRun, LeavesABlockAtTheEndOfTime) {
  unsigned asked = 0;
  const auto run = blocks_of("BRA 0x0", 1, [&] { return ++asked <= 2; });
  ASSERT_TRUE(run);
  EXPECT_EQ(run->instructions, 2U << 22);
  ASSERT_TRUE(run->cut);
  EXPECT_EQ(run->cut->line(), "block 0: not executed in time");
  EXPECT_TRUE(run->late);
}

TEST(InPlaceRun, IsNotLateWhereACountEndsIt) {
  const auto run = blocks_of(
      "BRA 0x0", 1, [] { return true; }, 100);
  ASSERT_TRUE(run);
  EXPECT_EQ(run->instructions, 100U);
  EXPECT_TRUE(run->cut);
  EXPECT_FALSE(run->late);
}

}  // namespace
}  // namespace forewarp::tests
