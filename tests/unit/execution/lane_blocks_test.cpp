// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Blocks whose threads all do the same, a warp of blocks at once.
#include "execution/grid/lane_blocks.h"

#include <array>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "execution/grid/block_survey.h"
#include "execution/grid/control_slice.h"
#include "execution/grid/grid_runner.h"
#include "execution/lowering/kernel_lowering.h"
#include "input/kernel_choice.h"
#include "listed_code.h"

namespace forewarp::tests {
namespace {

Kernel kernel_of_text(const std::string& listing) {
  auto kernel = read_kernel(InputSource::of_text("test.sass", listing));
  EXPECT_TRUE(kernel) << (kernel ? "" : kernel.error().line());
  return kernel ? *kernel : Kernel();
}

Kernel kernel_of(const std::vector<std::string>& instructions) {
  return kernel_of_text(listing_of(instructions));
}

/// Blocks 5, 12, 19 .. make 3,000 passes, the others as many as their row: the quotient by 7 is a
/// product's upper half.
std::vector<std::string> every_seventh(const std::string& more = "NOP") {
  return {"S2R R0, SR_CTAID.X",
          "S2UR UR4, SR_CTAID.Y",
          "IMAD.HI.U32 R1, R0, 0x24924925, RZ",
          "IMAD R1, R1, -0x7, R0",
          "ISETP.EQ.AND P0, PT, R1, 0x5, PT",
          "UIADD3 UR4, UR4, 0x2, URZ",
          "MOV R2, UR4",
          "@P0 MOV R2, 0xbb8",
          more,
          "IADD3 R2, R2, -0x1, RZ",
          "ISETP.NE.AND P1, PT, R2, RZ, PT",
          "@P1 BRA 0x90",
          "BAR.SYNC 0x0",
          "EXIT"};
}

ExecutionInput launch_of(const Extent& grid) {
  ExecutionInput input;
  input.grid = grid;
  input.block = {80, 1, 1};
  return input;
}

/// Warp instructions of each block, as they are executed.
struct Executed : NoSink {
  std::map<std::uint64_t, std::uint64_t> blocks;
  [[nodiscard]] Executed empty() const { return {}; }
  void merge(const Executed& later) { blocks.insert(later.blocks.begin(), later.blocks.end()); }
  void block_ended(const Block& block) { blocks[block.linear] = block.executed; }
};

void expect_as_executed(const Kernel& kernel, const ExecutionInput& input) {
  const Program program = *lower_kernel(kernel);
  std::vector<std::uint64_t> all(input.blocks());
  for (std::uint64_t block = 0; block < all.size(); ++block) all[block] = block;
  Executed executed;
  ASSERT_TRUE(run_grid(program, input, all, {}, executed));
  const auto survey = survey_blocks(program, input, 10'000'000);
  ASSERT_TRUE(survey);
  ASSERT_EQ(survey->places.size(), all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    ASSERT_EQ(survey->work[i], static_cast<double>(executed.blocks[i])) << i;
    ASSERT_EQ(survey->longest[i] * 3, survey->work[i]) << i;  // 80 threads: three warps
  }
}

TEST(LaneBlocks, CountEachBlockAsItIsExecuted) {
  const Kernel kernel = kernel_of(every_seventh());
  ASSERT_TRUE(lane_blocks(control_slice(*lower_kernel(kernel))));
  expect_as_executed(kernel, launch_of({45, 3, 1}));
}

// What is compared passes the bound in one step, or would come back to it from below zero.
TEST(LaneBlocks, LoopsAreLeaptOverToTheirEnd) {
  const std::vector<std::array<std::string, 2>> loops = {
      {"IADD3 R2, R2, -0x1, RZ", "ISETP.NE.AND P1, PT, R2, RZ, PT"},
      {"IADD3 R2, R2, -0x2, RZ", "ISETP.GT.U32.AND P1, PT, R2, 0x3, PT"},
      {"IADD3 R2, R2, -0x2, RZ", "ISETP.GT.AND P1, PT, R2, -0x3, PT"},
      {"IADD3 R2, R2, 0x3, RZ", "ISETP.LT.AND P1, PT, R2, 0x10000, PT"},
      {"IADD3 R2, R2, 0x3, RZ", "ISETP.NE.AND P1, PT, R2, 0x10194, PT"},
      {"IADD3 R2, R2, 0x3, RZ", "ISETP.GE.AND P1, PT, 0x10000, R2, PT"}};
  for (const auto& [step, compare] : loops) {
    for (const std::string even : {"NOP", "LOP3.LUT R2, R2, 0xfffffffe, RZ, 0xc0, !PT"}) {
      std::vector<std::string> code = every_seventh(even);
      code[5] = "UIADD3 UR4, UR4, 0x168, URZ";
      code[9] = step;
      code[10] = compare;
      SCOPED_TRACE(step + " " + compare + " " + even);
      expect_as_executed(kernel_of(code), launch_of({26, 1, 1}));
    }
  }
}

// 32 blocks take as many steps as the one of them that takes most.
TEST(LaneBlocks, TakeTheStepsOfOne) {
  const Kernel kernel = kernel_of(every_seventh());
  const Program program = *lower_kernel(kernel);
  const auto survey = survey_blocks(program, launch_of({20'000, 1, 1}), 60'000);
  ASSERT_TRUE(survey);
  EXPECT_EQ(survey->unlooked, 0);
}

TEST(LaneBlocks, ThreadsThatDecideAreRun) {
  for (const std::string decides :
       {"@!P0 S2R R2, SR_TID.X", "@!P0 S2R R2, SR_LANEID", "VOTE.ALL R2, PT, P0",
        "SHFL.IDX PT, R2, R2, RZ, 0x1f", "LDS R2, [RZ]", "LDL R2, [RZ]", "S2R R2, SR_VIRTID"}) {
    const Kernel kernel = kernel_of(every_seventh(decides));
    EXPECT_FALSE(lane_blocks(control_slice(*lower_kernel(kernel)))) << decides;
  }
  // The uniform part of an address is read once for all lanes.
  std::vector<std::string> from_table = every_seventh("ULDC UR5, c[0x3][UR4]");
  from_table.insert(from_table.begin() + 9, "MOV R2, UR5");
  from_table[12] = "@P1 BRA 0xa0";
  const Kernel table = kernel_of(from_table);
  EXPECT_FALSE(lane_blocks(control_slice(*lower_kernel(table))));
  // They do not where nothing is decided by it.
  const Kernel kernel = kernel_of(every_seventh("S2R R9, SR_TID.X"));
  EXPECT_TRUE(lane_blocks(control_slice(*lower_kernel(kernel))));
}

// A uniform register is each block's own; so is what is moved there from a lane.
TEST(LaneBlocks, UniformRegistersAreOfABlock) {
  std::vector<std::string> code = every_seventh("R2UR UR5, R2");
  code.insert(code.begin() + 9, "IADD3 R2, RZ, UR5, RZ");
  code[12] = "@P1 BRA 0xa0";
  expect_as_executed(kernel_of(code), launch_of({50, 2, 1}));
  // Those that jump run first, and write what the others have yet to read.
  std::vector<std::string> apart = every_seventh("@!P0 BRA 0xc0");
  apart.insert(apart.begin() + 9,
               {"MOV R2, UR4", "BRA 0xe0", "NOP", "UMOV UR4, 0x50", "MOV R2, UR4"});
  apart[16] = "@P1 BRA 0xe0";
  expect_as_executed(kernel_of(apart), launch_of({50, 2, 1}));
}

// Of an unknown condition, half of the lanes go each way: lanes of a block, not half of the blocks.
TEST(LaneBlocks, UnknownConditionsHalveBlocks) {
  std::vector<std::string> code = every_seventh("LDG.E R3, [R4.64]");
  code.insert(code.begin(), "MOV R5, c[0x0][0x164]");
  code.insert(code.begin(), "MOV R4, c[0x0][0x160]");
  code.insert(code.begin() + 11, "ISETP.EQ.AND P2, PT, R3, 0x2a, PT");
  code.insert(code.begin() + 12, "@P2 BRA 0xf0");
  code.insert(code.begin() + 13, "IADD3 R2, R2, 0x10, RZ");
  code.insert(code.begin() + 14, "NOP");
  code[17] = "@P1 BRA 0xf0";
  ExecutionInput input = launch_of({40, 1, 1});
  ExecutionBuffer buffer;
  buffer.address = 0x7f0000000000;
  buffer.bytes = 64;
  input.buffers.push_back(buffer);
  const Kernel kernel = kernel_of(code);
  ASSERT_TRUE(lane_blocks(control_slice(*lower_kernel(kernel))));
  for (unsigned byte = 0; byte < 8; ++byte)
    input.parameters.push_back(static_cast<std::uint8_t>(buffer.address >> (8 * byte)));
  expect_as_executed(kernel, input);
}

// Compared with 16 and with 17: the loop ends between both. A predicate that is carried from pass
// to pass stays as it is while passes are tried.
TEST(LaneBlocks, LeapsHoldForEveryComparison) {
  std::vector<std::string> hole = every_seventh();
  hole[7] = "@P0 MOV R2, 0x5";
  hole[9] = "IADD3 R2, R2, 0x1, RZ";
  hole[10] = "ISETP.LT.AND P1, PT, R2, 0x10, PT";
  hole.insert(hole.begin() + 11, "ISETP.GT.OR P1, PT, R2, 0x11, P1");
  expect_as_executed(kernel_of(hole), launch_of({40, 3, 1}));
  std::vector<std::string> carried = every_seventh("ISETP.EQ.AND P1, PT, RZ, RZ, PT");
  carried[9] = "IADD3 R2, R2, 0x3, RZ";
  for (const char* last : {"0x10000", "0x10", "0x4"}) {
    carried[10] = std::string("ISETP.LT.AND P1, PT, R2, ") + last + ", P1";
    expect_as_executed(kernel_of(carried), launch_of({40, 3, 1}));
  }
}

// Branches that ask for the other lanes, while those of other blocks wait: all of a block's are
// there.
TEST(LaneBlocks, BranchesThatAskForOtherLanesFindThem) {
  for (const std::string branch :
       {"BRA.CONV ~URZ, 0xc0", "BRA.DIV ~URZ, 0xc0", "WARPSYNC 0xffffffff"}) {
    SCOPED_TRACE(branch);
    std::vector<std::string> code = every_seventh("@!P0 BRA 0xa0");
    code.insert(code.begin() + 9, {"IADD3 R2, R2, 0x10, RZ", branch, "IADD3 R2, R2, 0x28, RZ"});
    code[14] = "@P1 BRA 0xc0";
    expect_as_executed(kernel_of(code), launch_of({40, 3, 1}));
  }
  std::vector<std::string> any = every_seventh("@P0 BRA.U.ANY 0xa0");
  any.insert(any.begin() + 9, "IADD3 R2, R2, 0x28, RZ");
  any[12] = "@P1 BRA 0xa0";
  const Kernel kernel = kernel_of(any);
  ASSERT_TRUE(lane_blocks(control_slice(*lower_kernel(kernel))));
  expect_as_executed(kernel, launch_of({40, 3, 1}));
}

// Blocks that take other ways meet again, at a barrier of their lanes or by the stack before it.
TEST(LaneBlocks, TakeTheirWaysAndMeet) {
  std::vector<std::string> code = every_seventh("BSSY B0, 0xc0");
  code.insert(code.begin() + 9, "@P0 BRA 0xb0");
  code.insert(code.begin() + 10, "IADD3 R2, R2, 0x28, RZ");
  code.insert(code.begin() + 11, "BSYNC B0");
  code[14] = "@P1 BRA 0xc0";
  expect_as_executed(kernel_of(code), launch_of({45, 3, 1}));
  const Kernel stack = kernel_of_text(R"(
	code for sm_35
		Function : k
        /*0008*/ S2R R0, SR_CTAID.X;
        /*0010*/ LOP.AND R1, R0, 0x3;
        /*0018*/ ISETP.EQ.AND P0, PT, R1, 0x1, PT;
        /*0020*/ ISETP.EQ.AND P1, PT, R1, 0x2, PT;
        /*0028*/ @P1 EXIT;
        /*0030*/ SSY 0x68;
        /*0038*/ @!P0 BRA 0x50;
        /*0048*/ NOP.S;
        /*0050*/ IADD R0, R0, -0x3;
        /*0058*/ ISETP.GT.AND P2, PT, R0, RZ, PT;
        /*0060*/ @P2 BRA 0x50;
        /*0064*/ NOP.S;
        /*0068*/ EXIT;
)");
  ASSERT_TRUE(lane_blocks(control_slice(*lower_kernel(stack))));
  expect_as_executed(stack, launch_of({70, 1, 1}));
}

// Trips stand in a table.
TEST(LaneBlocks, LoadWhatIsTheirs) {
  std::vector<std::string> code = every_seventh("LDG.E R2, [R4.64]");
  code[3] = "IMAD.WIDE R4, R0, R6, c[0x0][0x160]";
  code[2] = "MOV R6, 0x4";
  ExecutionInput input = launch_of({70, 1, 1});
  ExecutionBuffer buffer;
  buffer.address = 0x7f0000000000;
  buffer.bytes = 4 * 70;
  buffer.content.kind = BufferContent::Kind::file;
  for (unsigned block = 0; block < 70; ++block) {
    buffer.data.push_back(static_cast<std::uint8_t>(1 + block * block % 40));
    buffer.data.insert(buffer.data.end(), 3, 0);
  }
  for (unsigned byte = 0; byte < 8; ++byte)
    input.parameters.push_back(static_cast<std::uint8_t>(buffer.address >> (8 * byte)));
  input.buffers.push_back(std::move(buffer));
  const Kernel kernel = kernel_of(code);
  ASSERT_TRUE(lane_blocks(control_slice(*lower_kernel(kernel))));
  expect_as_executed(kernel, input);
}

// Powers of 5, which are not leapt over, after a loop that blocks leave one after the other: a
// batch takes more than one block may, but none of its blocks does.
TEST(LaneBlocks, BlocksAreLongByTheirOwnWorkAlone) {
  const Kernel kernel = kernel_of({"S2R R0, SR_CTAID.X",                  //
                                   "MOV R2, R0",                          //
                                   "MOV R3, 0x1",                         //
                                   "MOV R7, RZ",                          //
                                   "IADD3 R2, R2, -0x1, RZ",              // 0x40
                                   "ISETP.GT.AND P1, PT, R2, RZ, PT",     //
                                   "@P1 BRA 0x40",                        //
                                   "IMAD R3, R3, 0x5, RZ",                // 0x70
                                   "ISETP.NE.AND P2, PT, R3, 0x7a2, PT",  //
                                   "IADD3 R7, R7, 0x1, RZ",               //
                                   "ISETP.LE.AND P3, PT, R7, 0x200, P2",  //
                                   "@P3 BRA 0x70",                        //
                                   "EXIT"});
  const auto survey = survey_blocks(*lower_kernel(kernel), launch_of({64, 1, 1}), 200'000);
  ASSERT_TRUE(survey);
  EXPECT_GT(survey->work.front(), 3 * 5 * 0x200);  // three warps
  for (const double work : survey->work) EXPECT_LT(work, 10'000);
}

}  // namespace
}  // namespace forewarp::tests
