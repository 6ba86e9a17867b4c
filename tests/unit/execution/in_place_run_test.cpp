// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Launches of a running program: what is executed of them when their time ends.
#include "execution/grid/in_place_run.h"

#include <array>
#include <cstdio>
#include <string>
#include <vector>

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

// Both warps read shared memory behind the barrier before the first one overwrites it, 17
// instructions later: on a board they go on together.
TEST(InPlaceRun, WarpsGoOnTogetherBehindABarrier) {
  std::vector<std::string> code = {"S2R R0, SR_TID.X", "MOV R4, 0x1", "STS [RZ], R4",
                                   "BAR.SYNC 0x0", "LDS R9, [RZ]"};
  code.insert(code.end(), 16, "NOP");
  for (const char* line :
       {"MOV R5, 0x2", "STS [RZ], R5", "MOV R2, c[0x0][0x160]", "MOV R3, c[0x0][0x164]",
        "IMAD.WIDE R2, R0, 0x4, R2", "STG.E [R2.64], R9", "EXIT"})
    code.emplace_back(line);
  std::string text = "\tcode for sm_80\n\t\tFunction : k\n";
  for (std::size_t i = 0; i < code.size(); ++i) {
    std::array<char, 32> at{};
    std::snprintf(at.data(), at.size(), "        /*%04zx*/ ", 16 * i);
    text += at.data() + code[i] + " ;\n";
  }
  const auto kernel = read_kernel(InputSource::of_text("test.sass", text));
  ASSERT_TRUE(kernel);
  std::vector<std::uint32_t> values(64);
  ExecutionInput input;
  input.grid = {1, 1, 1};
  input.block = {64, 1, 1};
  input.static_shared = 16;
  ExecutionBuffer buffer;
  buffer.address = 0x7f0000000000U;
  buffer.bytes = 4 * values.size();
  buffer.place = reinterpret_cast<std::uint8_t*>(values.data());
  buffer.name = "0";
  input.buffers.push_back(buffer);
  input.parameters = {0, 0, 0, 0, 0, 0x7f, 0, 0};
  const auto program = lower_kernel(*kernel);
  ASSERT_TRUE(run_in_place(*program, input, GridOptions{}, {}));
  EXPECT_EQ(values[0], 1U);
  EXPECT_EQ(values[63], 1U);
}

}  // namespace
}  // namespace forewarp::tests
