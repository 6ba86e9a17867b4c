// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Launches of a running program: what is executed of them when their time ends.
#include "execution/grid/in_place_run.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "execution/grid/waiting_blocks.h"
#include "execution/lowering/kernel_lowering.h"
#include "input/kernel_choice.h"
#include "listed_code.h"

namespace forewarp::tests {
namespace {

/// A launch of one-dimensional blocks whose only argument is a buffer of these words.
ExecutionInput launch_on(std::vector<std::uint32_t>& words, std::uint32_t blocks,
                         std::uint32_t threads) {
  ExecutionInput input;
  input.grid = {blocks, 1, 1};
  input.block = {threads, 1, 1};
  input.static_shared = 16;
  ExecutionBuffer buffer;
  buffer.address = 0x7f0000000000U;
  buffer.bytes = 4 * words.size();
  buffer.place = reinterpret_cast<std::uint8_t*>(words.data());
  buffer.name = "0";
  input.buffers.push_back(buffer);
  input.parameters = {0, 0, 0, 0, 0, 0x7f, 0, 0};
  return input;
}

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
  const auto kernel = read_kernel(InputSource::of_text("test.sass", listing_of(code)));
  ASSERT_TRUE(kernel);
  std::vector<std::uint32_t> values(64);
  const ExecutionInput input = launch_on(values, 1, 64);
  const auto program = lower_kernel(*kernel);
  ASSERT_TRUE(run_in_place(*program, input, GridOptions{}, {}));
  EXPECT_EQ(values[0], 1U);
  EXPECT_EQ(values[63], 1U);
}

// Block 0 polls a word and counts the poll only where it found something, behind a branch; block 1
// writes the word. Alone, block 0 would go on for ever.
TEST(InPlaceRun, LetsOtherBlocksRunWhileOneCountsWhatItFinds) {
  const auto kernel = read_kernel(InputSource::of_text(
      "test.sass",
      listing_of({"S2R R0, SR_CTAID.X", "MOV R2, c[0x0][0x160]", "MOV R3, c[0x0][0x164]",
                  "ISETP.NE.AND P0, PT, R0, RZ, PT", "@P0 BRA 0xe0", "MOV R5, RZ",
                  "LDG.E.STRONG.SYS R4, [R2.64]", "ISETP.EQ.AND P1, PT, R4, RZ, PT", "@P1 BRA 0xb0",
                  "STG.E [R2.64+0x4], R4", "IADD3 R5, R5, 0x1, RZ",
                  "ISETP.GE.AND P2, PT, R5, 0x1, PT", "@!P2 BRA 0x60", "EXIT", "MOV R6, 0x7",
                  "STG.E.STRONG.SYS [R2.64], R6", "EXIT"})));
  ASSERT_TRUE(kernel);
  const auto program = lower_kernel(*kernel);
  ASSERT_TRUE(program->moving);
  EXPECT_EQ(program->moving->source, MovingWork::Source::poll);
  EXPECT_EQ(program->moving->decision, 12U);
  EXPECT_EQ(program->waiting_loops, std::vector<std::uint32_t>{0x60});
  std::vector<std::uint32_t> values(2);
  GridOptions options;
  options.most_instructions = 1 << 16;
  const auto run = run_in_place(*program, launch_on(values, 2, 32), options, {});
  ASSERT_TRUE(run);
  EXPECT_FALSE(run->cut);
  EXPECT_EQ(values[1], 7U);
}

// What one thread polls goes to all of its block through a barrier that asks or counts.
TEST(InPlaceRun, APollThatABarrierHandsOnWaits) {
  for (const std::string asks : {"AND", "OR", "POPC"}) {
    SCOPED_TRACE(asks);
    const auto kernel = read_kernel(InputSource::of_text(
        "test.sass",
        listing_of({"S2R R0, SR_CTAID.X", "MOV R2, c[0x0][0x160]", "MOV R3, c[0x0][0x164]",
                    "ISETP.NE.AND P0, PT, R0, RZ, PT", "@P0 BRA 0xb0",
                    "LDG.E.STRONG.SYS R4, [R2.64]", "ISETP.NE.AND P1, PT, R4, RZ, PT",
                    "BAR.RED." + asks + " 0x0, P1", "B2R.RESULT R5, P1", "@!P1 BRA 0x50", "EXIT",
                    "MOV R6, 0x7", "STG.E.STRONG.SYS [R2.64], R6", "EXIT"})));
    ASSERT_TRUE(kernel);
    const auto program = lower_kernel(*kernel);
    ASSERT_TRUE(program->moving);
    EXPECT_EQ(program->moving->source, MovingWork::Source::poll);
    EXPECT_EQ(program->waiting_loops, std::vector<std::uint32_t>{0x50});
    std::vector<std::uint32_t> values(1);
    GridOptions options;
    options.most_instructions = 1 << 16;
    const auto run = run_in_place(*program, launch_on(values, 2, 64), options, {});
    ASSERT_TRUE(run);
    EXPECT_FALSE(run->cut);
  }
}

void expect_no_wait(const std::vector<std::string>& code) {
  const auto kernel = read_kernel(InputSource::of_text("test.sass", listing_of(code)));
  ASSERT_TRUE(kernel);
  const auto program = lower_kernel(*kernel);
  EXPECT_FALSE(program->moving);
  EXPECT_TRUE(program->waiting_loops.empty());
}

// A barrier that asks for what no other block writes moves nothing.
TEST(InPlaceRun, ABarrierThatAsksForOwnValuesWaitsForNobody) {
  expect_no_wait({"S2R R0, SR_TID.X", "MOV R5, RZ", "IADD3 R5, R5, 0x1, RZ",
                  "ISETP.GT.AND P1, PT, R0, R5, PT", "BAR.RED.OR 0x0, P1", "B2R.RESULT RZ, P1",
                  "@P1 BRA 0x20", "EXIT"});
}

// What was polled once decides whether a loop runs, and the loop ends by itself.
TEST(InPlaceRun, ALoopThatAPollOnlyAllowsWaitsForNobody) {
  expect_no_wait({"MOV R2, c[0x0][0x160]", "MOV R3, c[0x0][0x164]", "LDG.E.STRONG.SYS R4, [R2.64]",
                  "ISETP.EQ.AND P1, PT, R4, RZ, PT", "@P1 BRA 0x90", "MOV R5, RZ",
                  "IADD3 R5, R5, 0x1, RZ", "ISETP.GE.AND P2, PT, R5, 0x4, PT", "@!P2 BRA 0x60",
                  "EXIT"});
}

// The counter grows in every pass that stays in the loop, whatever is polled; a break may end it.
TEST(InPlaceRun, ALoopThatCountsBesideAPollWaitsForNobody) {
  expect_no_wait({"MOV R2, c[0x0][0x160]", "MOV R3, c[0x0][0x164]", "MOV R5, RZ",
                  "LDG.E.STRONG.SYS R4, [R2.64]", "ISETP.EQ.AND P1, PT, R4, RZ, PT", "@P1 BRA 0xa0",
                  "LDG.E R6, [R2.64+0x4]", "IADD3 R7, R7, R6, RZ",
                  "ISETP.GT.AND P3, PT, R7, R8, PT", "@P3 BRA 0xd0", "IADD3 R5, R5, 0x1, RZ",
                  "ISETP.GE.AND P2, PT, R5, 0x4, PT", "@!P2 BRA 0x30", "EXIT"});
}

Block holding(std::size_t words) {
  Block block;
  block.cells.resize(words);
  return block;
}

TEST(WaitingBlocks, AreFullByTheirBytesUntilSomeEnd) {
  WaitingBlocks waiting;
  waiting.add(holding(100));
  waiting.add(holding(50));
  EXPECT_FALSE(waiting.full(600));  // 150 words of 4 bytes
  EXPECT_TRUE(waiting.full(599));
  const auto always = [] { return true; };
  EXPECT_TRUE(waiting.round([](Block& block) { return block.cells.size() == 50; }, always));
  EXPECT_FALSE(waiting.full(200));
  EXPECT_TRUE(waiting.full(199));
  unsigned turns = 0;
  const auto ends = [&](Block&) { return ++turns == 0; };
  waiting.add(holding(1));
  EXPECT_FALSE(waiting.round(ends, [] { return false; }));
  EXPECT_EQ(turns, 1U);  // the second block had none
  unsigned left = 0;
  waiting.each([&](Block&) { ++left; });
  EXPECT_EQ(left, 1U);
}

TEST(WaitingBlocks, AreFullByTheirWarps) {
  WaitingBlocks waiting;
  Block block;
  block.warps.resize(3);
  waiting.add(std::move(block));
  EXPECT_FALSE(waiting.full(WaitingBlocks::most_bytes, 3));
  EXPECT_TRUE(waiting.full(WaitingBlocks::most_bytes, 2));
  EXPECT_TRUE(waiting.round([](Block&) { return false; }, [] { return true; }));
  EXPECT_FALSE(waiting.full(WaitingBlocks::most_bytes, 0));
}

}  // namespace
}  // namespace forewarp::tests
