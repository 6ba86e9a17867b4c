// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// What blocks execute, found from their control flow alone.
#include "execution/grid/block_survey.h"

#include <algorithm>
#include <numeric>

#include <gtest/gtest.h>

#include "execution/grid/control_slice.h"
#include "execution/grid/profile_run.h"
#include "execution/grid/work_kinds.h"
#include "execution/lowering/kernel_lowering.h"
#include "input/kernel_choice.h"
#include "kernel_run.h"

namespace forewarp::tests {
namespace {

struct Uneven {
  Uneven(const std::string& kernel, Extent grid, Extent block,
         const std::string& file = "order/uneven_grids.sass", std::uint32_t arch = 86)
      : run("../../validation/" + file, kernel, arch) {
    run.input().grid = grid;
    run.input().block = block;
  }
  /// A buffer of which nothing is known.
  Uneven& unknown(std::uint64_t bytes) {
    run.pass_buffer(std::vector<std::uint8_t>(bytes));
    run.input().buffers.back().content.kind = BufferContent::Kind::unknown;
    return *this;
  }
  [[nodiscard]] std::optional<BlockSurvey> survey(std::uint64_t most = 100'000'000) {
    program = *lower_kernel(run.kernel());
    return survey_blocks(program, run.input(), most);
  }
  [[nodiscard]] double all_executed() {
    ProfileOptions options;
    options.sample.mode = SampleChoice::Mode::all;
    const auto profile = profile_paths(*lower_kernel(run.kernel()), run.input(), options);
    EXPECT_TRUE(profile) << (profile ? "" : profile.error().line());
    return profile ? profile->warp_instructions : 0;
  }

  KernelRun run;
  Program program;
};

void expect_all_counted(Uneven& made) {
  const auto survey = made.survey();
  ASSERT_TRUE(survey);
  EXPECT_EQ(survey->unlooked, 0);
  EXPECT_DOUBLE_EQ(survey->total(), made.all_executed());
}

TEST(BlockSurvey, CountsWhatBlocksExecute) {
  Uneven triangle("triangle_rows", {60, 1, 1}, {64, 1, 1});
  triangle.unknown(4 * 60 * 60).unknown(240).run.pass(60U);
  expect_all_counted(triangle);
  Uneven causal("causal_scores", {6, 3, 1}, {256, 1, 1});
  causal.unknown(4 * 3 * 6 * 1024).unknown(4 * 3 * 6 * 1024).unknown(4 * 18 * 256).run.pass(6U);
  expect_all_counted(causal);
  Uneven escape("escape_steps", {4, 8, 1}, {32, 8, 1});
  escape.unknown(4 * 128 * 64).run.pass(-2.0F).pass(-1.0F).pass(0.03F).pass(300U);
  expect_all_counted(escape);
}

// 100,000 passes of four instructions: counted without being executed.
TEST(BlockSurvey, LeapsOverPassesThatOnlyCount) {
  Uneven made("harmonic", {100, 1, 1}, {96, 1, 1});
  made.unknown(4 * 9600).unknown(4 * 9600).run.pass(100'000U);
  const auto leapt = made.survey(100'000);  // all of them would be 10^6
  ASSERT_TRUE(leapt);
  EXPECT_EQ(leapt->unlooked, 0);
  EXPECT_DOUBLE_EQ(leapt->total(), made.all_executed());
}

// Which of 5,000 blocks is long stands in a table.
TEST(BlockSurvey, FindsABlockThatATableFlags) {
  Uneven made("flagged", {5000, 1, 1}, {32, 1, 1});
  std::vector<std::uint32_t> table(5000, 0);
  table[3217] = 7;
  made.run.pass_buffer(table);
  made.unknown(4 * 5000 * 32).run.pass(7U).pass(100000U);
  const auto survey = made.survey();
  ASSERT_TRUE(survey);
  std::vector<double> work;
  const BlockKinds kinds = kinds_by_work(*survey, work);
  ASSERT_EQ(kinds.kinds.size(), 2U);
  EXPECT_EQ(kinds.kinds[0].blocks, 4999U);
  ASSERT_EQ(kinds.kinds[1].blocks, 1U);
  EXPECT_EQ(kinds.kinds[1].places.front().block, 3217U);
  EXPECT_GT(work[1], 100 * work[0]);
}

// The same with work for a third of the grid, of which 32 blocks run at once, and none of it
// flagged: 1/8 of that is spent on blocks that look alike. A longer one seen among the first has
// all of it spent.
TEST(BlockSurvey, EndsEarlyWhereDataChooseAndMostCannotBeLookedAt) {
  const auto seen_of = [](std::vector<std::uint32_t> table) {
    Uneven made("flagged", {50'000, 1, 1}, {32, 1, 1});
    made.run.pass_buffer(table);
    made.unknown(4 * 50'000 * 32).run.pass(7U).pass(10U);
    const auto survey = made.survey(10'000);
    EXPECT_TRUE(survey && !survey->by_index);
    return survey ? survey->places.size() : 0;
  };
  std::vector<std::uint32_t> table(50'000, 0);
  const std::size_t alike = seen_of(table);
  for (std::size_t i = 0; i < table.size(); i += 4) table[i] = 7;
  EXPECT_GT(alike, 72U);
  EXPECT_GT(seen_of(table), 3 * alike);
}

// No block is chosen: nothing but the index decides, and 1/32 of the work shows alike ones.
TEST(BlockSurvey, EndsEarlyWhereOnlyTheIndexDecides) {
  KernelRun run("../../validation/kernels/rare_blocks.sass", "one_block");
  run.input().grid = {1'000'000, 1, 1};
  run.input().block = {64, 1, 1};
  run.pass(std::uint64_t{0}).pass(std::uint64_t{0}).pass(-1).pass(1000);
  const auto survey = survey_blocks(*lower_kernel(run.kernel()), run.input(), 1'000'000);
  ASSERT_TRUE(survey);
  EXPECT_TRUE(survey->by_index);
  EXPECT_GT(survey->places.size(), 72U);
  EXPECT_LT(survey->places.size(), 1'000'000U / 16);  // 32 run at once: 21 steps each warp
  EXPECT_DOUBLE_EQ(survey->total(), 1e6 * survey->work.front());
}

// Blocks whose number has 12 bits set do more: no sum of the index says which, so that all are
// looked at. Of 5,000 it is one.
TEST(BlockSurvey, BitsOfTheIndexAreNoReasonToEndEarly) {
  const std::string code =
      "\tcode for sm_80\n\t\tFunction : k\n"
      "        /*0000*/ S2R R0, SR_CTAID.X ;\n"
      "        /*0010*/ POPC R1, R0 ;\n"
      "        /*0020*/ ISETP.GE.U32.AND P0, PT, R1, 0xc, PT ;\n"
      "        /*0030*/ MOV R2, 0x1 ;\n"
      "        /*0040*/ @P0 MOV R2, 0x10000 ;\n"
      "        /*0050*/ IADD3 R2, R2, -0x1, RZ ;\n"
      "        /*0060*/ ISETP.NE.U32.AND P1, PT, R2, RZ, PT ;\n"
      "        /*0070*/ @P1 BRA 0x50 ;\n"
      "        /*0080*/ EXIT ;\n";
  const auto kernel = read_kernel(InputSource::of_text("test.sass", code));
  ASSERT_TRUE(kernel);
  ExecutionInput input;
  input.grid = {5000, 1, 1};
  input.block = {32, 1, 1};
  const auto survey = survey_blocks(*lower_kernel(*kernel), input, 1'000'000);
  ASSERT_TRUE(survey);
  EXPECT_FALSE(survey->by_index);
  EXPECT_EQ(survey->unlooked, 0);
  EXPECT_GT(*std::max_element(survey->work.begin(), survey->work.end()),
            1000 * survey->work.front());
}

// A sample of 5,000 blocks has the one that does more than all others together.
TEST(BlockSurvey, SamplesHaveTheBlockThatATableFlags) {
  Uneven made("flagged", {5000, 1, 1}, {32, 1, 1});
  std::vector<std::uint32_t> table(5000, 0);
  table[3217] = 7;
  made.run.pass_buffer(table);
  made.unknown(4 * 5000 * 32).run.pass(7U).pass(1'000'000U);
  ProfileOptions options;
  options.budget = 1'000'000;
  options.grid.most_instructions = 16'000'000;
  const auto profile = profile_paths(*lower_kernel(made.run.kernel()), made.run.input(), options);
  ASSERT_TRUE(profile) << profile.error().line();
  EXPECT_LT(profile->executed_blocks, 300U);
  EXPECT_NEAR(profile->warp_instructions / made.all_executed(), 1, 0.01);
}

// Work for a quarter of what blocks execute: a part of them, spread over the grid.
TEST(BlockSurvey, LooksAtAnEvenPartIfAllAreTooMany) {
  Uneven made("escape_steps", {64, 64, 1}, {32, 1, 1});
  made.unknown(4 * 4096 * 32).run.pass(-2.0F).pass(-1.0F).pass(0.03F).pass(50U);
  const auto all = made.survey();
  ASSERT_TRUE(all);
  const auto part = made.survey(static_cast<std::uint64_t>(all->total() / 4));
  ASSERT_TRUE(part);
  EXPECT_GT(part->unlooked, 0.3);
  EXPECT_LT(part->unlooked, 0.8);
  std::uint64_t blocks = 0;
  for (const BlockPlace& place : part->places) blocks += place.size;
  EXPECT_EQ(blocks, 4096U);
  EXPECT_NEAR(part->total() / all->total(), 1, 0.1);
}

// .. and for two thirds: the rest, which may hold the longest block, is looked at as well.
TEST(BlockSurvey, DoublesTheWorkIfThenNoBlockIsLeft) {
  Uneven made("escape_steps", {64, 64, 1}, {32, 1, 1});
  made.unknown(4 * 4096 * 32).run.pass(-2.0F).pass(-1.0F).pass(0.03F).pass(50U);
  const auto all = made.survey();
  ASSERT_TRUE(all);
  const auto rest = made.survey(static_cast<std::uint64_t>(2 * all->total() / 3));
  ASSERT_TRUE(rest);
  EXPECT_EQ(rest->unlooked, 0);
}

// Work falls as the inverse of the block's number: block 0 does a ninth of all, and is looked at
// first, for itself alone.
TEST(BlockSurvey, LooksAtTheEndsFirst) {
  Uneven made("harmonic", {4000, 1, 1}, {64, 1, 1});
  made.unknown(4 * 4000 * 64).unknown(4 * 4000 * 64).run.pass(100'000U);
  const auto survey = made.survey(20'000);
  ASSERT_TRUE(survey);
  EXPECT_GT(survey->unlooked, 0.1);
  EXPECT_EQ(survey->places.front().block, 0U);
  EXPECT_EQ(survey->places.front().size, 1U);
  EXPECT_EQ(survey->places.back().block, 3999U);
  EXPECT_GT(survey->work.front(), 2 * 4 * 100'000.0);
  EXPECT_GT(survey->places.size(), 150U);
}

// Two warps of the longest block make 4 x 100,008 instructions and some: it is a kind of its own.
TEST(BlockSurvey, TheLongestBlockIsApart) {
  Uneven made("harmonic", {4000, 1, 1}, {64, 1, 1});
  made.unknown(4 * 4000 * 64).unknown(4 * 4000 * 64).run.pass(100'000U);
  const auto survey = made.survey();
  ASSERT_TRUE(survey);
  EXPECT_EQ(survey->error(), 0);
  std::vector<double> work;
  const BlockKinds kinds = kinds_by_work(*survey, work);
  ASSERT_EQ(kinds.kinds.back().places.size(), 1U);
  EXPECT_EQ(kinds.kinds.back().places.front().block, 0U);
  EXPECT_NEAR(work.back(), 8 * 100'008.0, 200);
  EXPECT_EQ(kinds.all(), 4000U);
}

// 8 x 100,008 instructions are more than 0.8 of what may be executed in all.
TEST(BlockSurvey, WhatIsTooLongToBeExecutedIsCountedAllTheSame) {
  Uneven made("harmonic", {4000, 1, 1}, {64, 1, 1});
  made.unknown(4 * 4000 * 64).unknown(4 * 4000 * 64).run.pass(100'000U);
  ProfileOptions options;
  options.budget = 100'000;
  options.grid.most_instructions = 950'000;
  const auto plan = choose_plan(*lower_kernel(made.run.kernel()), made.run.input(), options);
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->apart.blocks, 1U);
  EXPECT_EQ(plan->apart.block, 0U);
  EXPECT_EQ(plan->apart.last, 0U);
  EXPECT_EQ(plan->apart.mean_share, 1);
}

// 8e9 / (block + 1) warp instructions are more than 3.2 M for the first 2500 blocks: too long, but
// counted. There are more than a kind has places, and the first is the longest all the same. Of n
// they have (1 + 1/2 + .. + 1/n) / n of its passes on average.
TEST(BlockSurvey, TheLongestOfManyThatAreTooLongIsKnown) {
  Uneven made("harmonic", {4000, 1, 1}, {64, 1, 1});
  made.unknown(4 * 4000 * 64).unknown(4 * 4000 * 64).run.pass(1'000'000'000U);
  ProfileOptions options;
  options.budget = 400'000;
  options.grid.most_instructions = 4'000'000;
  const auto plan = choose_plan(*lower_kernel(made.run.kernel()), made.run.input(), options);
  ASSERT_TRUE(plan);
  EXPECT_NEAR(static_cast<double>(plan->apart.blocks), 2500, 10);
  EXPECT_EQ(plan->apart.block, 0U);
  double sum = 0;
  for (std::uint64_t block = 0; block < plan->apart.blocks; ++block)
    sum += 1 / static_cast<double>(block + 1);
  EXPECT_NEAR(plan->apart.mean_share, sum / static_cast<double>(plan->apart.blocks), 1e-4);
}

TEST(BlocksApart, TheLongestStandsForThem) {
  const auto apart = blocks_apart({{3, 10, 100, 25}, {7, 15, 400, 100}, {9, 5, 300, 90}});
  EXPECT_EQ(apart.blocks, 30U);
  EXPECT_EQ(apart.block, 7U);
  EXPECT_EQ(apart.last, 9U);
  EXPECT_DOUBLE_EQ(apart.mean_share, (10 * 100 + 15 * 400 + 5 * 300) / 30.0 / 400);
}

// Those that were too long to be counted are longer than all that were.
TEST(BlocksApart, OneThatNobodyCountedStandsBeforeAll) {
  const auto apart = blocks_apart({{3, 1, 0, 0}, {7, 1, 400, 100}, {9, 1, 300, 90}});
  EXPECT_EQ(apart.block, 3U);
  EXPECT_EQ(apart.last, 9U);
  EXPECT_EQ(apart.mean_share, 1);
  EXPECT_EQ(apart.uncounted, (std::vector<std::uint64_t>{3}));
  const auto two = blocks_apart({{0, 1, 9, 9}, {3, 1, 0, 0}, {7, 1, 0, 0}});
  EXPECT_EQ(two.uncounted, (std::vector<std::uint64_t>{3, 7}));
  EXPECT_EQ(blocks_apart({{0, 5, 9, 9}, {3, 2, 0, 0}, {7, 4, 0, 0}}).of_uncounted, 6U);
}

// Single blocks, whole, or as far as the steps go. One by one, eight of many.
TEST(BlockSurvey, CountsSingleBlocks) {
  Uneven made("harmonic", {4000, 1, 1}, {64, 1, 1});
  made.unknown(4 * 4000 * 64).unknown(4 * 4000 * 64).run.pass(100'000U);
  const auto survey = made.survey();
  ASSERT_TRUE(survey);
  std::uint64_t spent = 0;
  const std::vector<std::uint64_t> blocks{0, 3, 3999};
  const auto counted = count_blocks(made.program, made.run.input(), blocks, 100'000'000, spent);
  EXPECT_GT(spent, 0U);
  ASSERT_EQ(counted.size(), 3U);
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    EXPECT_EQ(counted[i].block, blocks[i]);
    EXPECT_TRUE(counted[i].work.ended);
    EXPECT_EQ(counted[i].work.all, survey->work[blocks[i]]);
    EXPECT_EQ(counted[i].work.longest, survey->longest[blocks[i]]);
  }
  made = Uneven("escape_steps", {64, 64, 1}, {32, 1, 1});
  made.unknown(4 * 4096 * 32).run.pass(0.0F).pass(0.0F).pass(1e-6F).pass(1'000'000U);
  const Program escapes = *lower_kernel(made.run.kernel());
  const std::vector<std::uint64_t> one{2080}, many(16, 2080);
  std::uint64_t steps = 0;
  const auto begun = count_blocks(escapes, made.run.input(), one, 50'000, steps);
  ASSERT_EQ(begun.size(), 1U);
  EXPECT_NEAR(static_cast<double>(steps), 50'000, 100);
  EXPECT_FALSE(begun.front().work.ended);
  EXPECT_GE(begun.front().work.all, 50'000);
  steps = 0;
  EXPECT_EQ(count_blocks(escapes, made.run.input(), many, 50'000, steps).size(), 8U);
  EXPECT_LE(steps, 27'000U);  // half is kept for the longest
  EXPECT_TRUE(count_blocks(escapes, made.run.input(), one, 0, steps).empty());
}

// A warp of 32 blocks at once: as many steps as the longest of them takes.
TEST(BlockSurvey, CountsBlocksAtOnceWhereNothingOfAThreadDecides) {
  Uneven made("walks", {3000, 1, 1}, {256, 1, 1}, "kernels/rare_blocks.sass", 80);
  made.unknown(4 * 3000 * 256).run.pass(2900U).pass(16'383U);
  made.program = *lower_kernel(made.run.kernel());
  std::vector<std::uint64_t> blocks(100);
  std::iota(blocks.begin(), blocks.end(), std::uint64_t{2900});
  std::uint64_t spent = 0;
  const auto counted = count_blocks(made.program, made.run.input(), blocks, 100'000'000, spent);
  ASSERT_EQ(counted.size(), 32U);
  double longest = 0;
  for (const CountedBlock& one : counted) {
    EXPECT_TRUE(one.work.ended);
    std::uint64_t own = 0;
    const auto alone =
        count_blocks(made.program, made.run.input(), {&one.block, 1}, 100'000'000, own);
    ASSERT_EQ(alone.size(), 1U);
    EXPECT_EQ(one.work.longest, alone.front().work.longest);
    longest = std::max(longest, static_cast<double>(own));
  }
  EXPECT_LE(static_cast<double>(spent), 2 * longest);
  // Those that end within the steps are counted, and the others as far as they came.
  std::uint64_t few = 0;
  const auto cut = count_blocks(made.program, made.run.input(), blocks, spent / 4, few);
  ASSERT_EQ(cut.size(), 32U);
  EXPECT_TRUE(std::ranges::any_of(cut, [](const auto& one) { return one.work.ended; }));
  EXPECT_TRUE(std::ranges::any_of(cut, [](const auto& one) { return !one.work.ended; }));
}

// 16,384 instructions of budget and a block of up to 70,000: some blocks are looked at all the
// same.
TEST(BlockSurvey, WhatTheWorkSufficesForIsKept) {
  Uneven made("causal_scores", {32, 16, 1}, {256, 1, 1});
  made.unknown(4 << 19U).unknown(4 << 19U).unknown(4 << 17U).run.pass(32U);
  const auto all = made.survey();
  const auto part = made.survey(300'000);
  ASSERT_TRUE(all && part);
  EXPECT_EQ(all->unlooked, 0);
  EXPECT_GT(part->unlooked, 0.3);
  EXPECT_NEAR(part->total() / all->total(), 1, 0.15);
  EXPECT_LT(std::abs(part->total() / all->total() - 1), 2 * part->error());
}

// The slice of a product has neither its products nor its stores.
TEST(BlockSurvey, SkipsWhatDecidesNothing) {
  Uneven made("triangular_product", {4, 4, 1}, {16, 16, 1});
  const Program program = *lower_kernel(made.run.kernel());
  const Program slice = control_slice(program);
  ASSERT_EQ(slice.ops.size(), program.ops.size());
  const auto count = [](const Program& of, Operation operation) {
    return std::count_if(of.ops.begin(), of.ops.end(),
                         [&](const MicroOp& op) { return op.operation == operation; });
  };
  EXPECT_GT(count(program, Operation::float_multiply_add), 10);
  EXPECT_EQ(count(slice, Operation::float_multiply_add), 0);
  EXPECT_EQ(count(slice, Operation::store), 0);
  EXPECT_EQ(count(slice, Operation::barrier), count(program, Operation::barrier));
  EXPECT_EQ(count(slice, Operation::branch), count(program, Operation::branch));
}

}  // namespace
}  // namespace forewarp::tests
