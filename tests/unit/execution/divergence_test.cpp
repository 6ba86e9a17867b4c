// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Which lanes run when, on short listings written by hand.
#include <bit>

#include <gtest/gtest.h>

#include "execution/grid/grid_runner.h"
#include "execution/lowering/kernel_lowering.h"
#include "input/kernel_choice.h"

namespace forewarp::tests {
namespace {

/// Address and active lanes of every executed instruction of one warp.
struct TraceSink : NoSink {
  std::vector<std::pair<std::uint32_t, LaneMask>> steps;
  [[nodiscard]] TraceSink empty() const { return {}; }
  void merge(const TraceSink& later) {
    steps.insert(steps.end(), later.steps.begin(), later.steps.end());
  }
  void executed(const Warp& warp, std::uint32_t instruction, LaneMask active, LaneMask) {
    steps.emplace_back(warp.block->environment->program->kernel->instructions[instruction].address,
                       active);
  }
};

struct Trace {
  std::vector<std::pair<std::uint32_t, LaneMask>> steps;
  std::string failure;
  std::vector<std::uint32_t> unmet;
};

Trace trace(std::uint32_t sm, const std::string& code, std::uint32_t threads,
            std::uint64_t most_instructions = 10000) {
  const std::string text = "\tcode for sm_" + std::to_string(sm) + "\n\t\tFunction : k\n" + code;
  const auto kernel = read_kernel(InputSource::of_text("test.sass", text));
  if (!kernel) return {{}, kernel.error().line(), {}};
  ExecutionInput input;
  input.block = {threads, 1, 1};
  input.dynamic_shared = 16;
  const auto program = lower_kernel(*kernel);
  TraceSink sink;
  const std::vector<std::uint64_t> blocks{0};
  GridOptions options;
  options.most_instructions = most_instructions;
  const auto outcome = run_grid(*program, input, blocks, options, sink);
  if (!outcome) return {sink.steps, outcome.error().line(), {}};
  return {sink.steps, "", outcome->unmet};
}

/// Lanes at one address, in the order of execution.
std::vector<LaneMask> lanes_at(const Trace& run, std::uint32_t address) {
  std::vector<LaneMask> result;
  for (const auto& [at, lanes] : run.steps) {
    if (at == address) result.push_back(lanes);
  }
  return result;
}

/// Volkov 2016, Tables 2.3 and 2.4: predicates 0,1,1,0 run ELSE with lanes 1001, IF with 0110, then
/// all.
TEST(Divergence, OrderOfTheTextbookExample) {
  const std::string code = R"(
        /*0008*/ S2R R0, SR_TID.X;
        /*0010*/ ISETP.EQ.AND P0, PT, R0, 0x1, PT;
        /*0018*/ ISETP.EQ.OR P0, PT, R0, 0x2, P0;
        /*0020*/ SSY 0x68;
        /*0028*/ @!P0 BRA 0x50;
        /*0030*/ MOV32I R1, 0x1;
        /*0038*/ NOP.S;
        /*0048*/ NOP;
        /*0050*/ MOV32I R1, 0x2;
        /*0058*/ NOP.S;
        /*0060*/ NOP;
        /*0068*/ EXIT;
)";
  const Trace run = trace(35, code, 4);
  ASSERT_EQ(run.failure, "");
  const std::vector<std::pair<std::uint32_t, LaneMask>> expected{
      {0x08, 15}, {0x10, 15}, {0x18, 15}, {0x20, 15}, {0x28, 15},
      {0x50, 9},  {0x58, 9},  {0x30, 6},  {0x38, 6},  {0x68, 15}};
  EXPECT_EQ(run.steps, expected);
}

TEST(Divergence, AUniformConditionRunsOnePath) {
  const std::string code = R"(
        /*0008*/ ISETP.EQ.AND P0, PT, RZ, 0x1, PT;
        /*0010*/ SSY 0x50;
        /*0018*/ @!P0 BRA 0x30;
        /*0020*/ NOP;
        /*0028*/ NOP.S;
        /*0030*/ NOP;
        /*0038*/ NOP.S;
        /*0048*/ NOP;
        /*0050*/ EXIT;
)";
  const Trace run = trace(35, code, 4);
  ASSERT_EQ(run.failure, "");
  EXPECT_TRUE(lanes_at(run, 0x20).empty());
  EXPECT_EQ(lanes_at(run, 0x30), std::vector<LaneMask>{15});
  EXPECT_EQ(lanes_at(run, 0x50), std::vector<LaneMask>{15});
}

TEST(Divergence, LanesMeetAtTheConvergenceBarrier) {
  const std::string code = R"(
        /*0000*/ S2R R0, SR_TID.X ;
        /*0010*/ ISETP.GE.AND P0, PT, R0, 0x3, PT ;
        /*0020*/ BSSY B0, 0x60 ;
        /*0030*/ @P0 BRA 0x50 ;
        /*0040*/ NOP ;
        /*0050*/ BSYNC B0 ;
        /*0060*/ EXIT ;
)";
  const Trace run = trace(80, code, 8);
  ASSERT_EQ(run.failure, "");
  EXPECT_EQ(lanes_at(run, 0x40), std::vector<LaneMask>{0x07});
  EXPECT_EQ(lanes_at(run, 0x60), std::vector<LaneMask>{0xff});
}

/// Lanes that leave a loop at different times leave its barrier with BREAK and meet behind it.
TEST(Divergence, LanesThatBreakOutAreNotWaitedFor) {
  const std::string code = R"(
        /*0000*/ S2R R0, SR_TID.X ;
        /*0010*/ BSSY B0, 0x90 ;
        /*0020*/ ISETP.EQ.AND P0, PT, R0, RZ, PT ;
        /*0030*/ @P0 BREAK B0 ;
        /*0040*/ @P0 BRA 0x90 ;
        /*0050*/ IADD3 R0, R0, -0x1, RZ ;
        /*0060*/ ISETP.GT.AND P1, PT, R0, 0x1, PT ;
        /*0070*/ @P1 BRA 0x20 ;
        /*0080*/ BSYNC B0 ;
        /*0090*/ EXIT ;
)";
  const Trace run = trace(70, code, 4);
  ASSERT_EQ(run.failure, "");
  LaneMask ended = 0;
  for (const LaneMask lanes : lanes_at(run, 0x90)) ended |= lanes;
  EXPECT_EQ(ended, 15U);
  EXPECT_EQ(lanes_at(run, 0x80).size(), 2U);  // lanes 1, 2 after one pass, lane 3 after two
}

/// BRA.CONV goes where lanes that are together need not wait; BRA.DIV where they are not.
TEST(Divergence, BranchesAskWhetherAllLanesAreHere) {
  const std::string code = R"(
        /*0000*/ S2R R0, SR_TID.X ;
        /*0010*/ BRA.DIV ~URZ, 0xa0 ;
        /*0020*/ BRA.CONV 0x40 ;
        /*0030*/ NOP ;
        /*0040*/ ISETP.GE.AND P0, PT, R0, 0x2, PT ;
        /*0050*/ @P0 BRA 0x70 ;
        /*0060*/ NOP ;
        /*0070*/ BRA.CONV ~URZ, 0x90 ;
        /*0080*/ NOP ;
        /*0090*/ EXIT ;
        /*00a0*/ EXIT ;
)";
  const Trace run = trace(80, code, 6);
  ASSERT_EQ(run.failure, "");
  EXPECT_TRUE(lanes_at(run, 0x30).empty());
  EXPECT_TRUE(lanes_at(run, 0xa0).empty());
  // The upper lanes come first, while the lower ones wait; these are alone when those have ended.
  EXPECT_EQ(lanes_at(run, 0x80), std::vector<LaneMask>{0x3c});
  EXPECT_EQ(lanes_at(run, 0x90), (std::vector<LaneMask>{0x3c, 0x03}));
}

/// Lanes meet at two different WARPSYNC; both go on, each at its own place.
TEST(Divergence, AMeetingMayHaveTwoPlaces) {
  const std::string code = R"(
        /*0000*/ S2R R0, SR_TID.X ;
        /*0010*/ ISETP.GE.AND P0, PT, R0, 0x2, PT ;
        /*0020*/ @P0 BRA 0x50 ;
        /*0030*/ WARPSYNC 0xf ;
        /*0040*/ EXIT ;
        /*0050*/ WARPSYNC 0xf ;
        /*0060*/ EXIT ;
)";
  const Trace run = trace(80, code, 6);
  ASSERT_EQ(run.failure, "");
  EXPECT_EQ(lanes_at(run, 0x40), std::vector<LaneMask>{0x03});
  EXPECT_EQ(lanes_at(run, 0x60), std::vector<LaneMask>{0x3c});
}

/// Lanes that wait for others to leave a collective run it together, once.
TEST(Divergence, CollectivesRunOnce) {
  const std::string code = R"(
        /*0000*/ S2R R0, SR_TID.X ;
        /*0010*/ ISETP.GE.AND P0, PT, R0, 0x2, PT ;
        /*0020*/ @P0 BRA 0x40 ;
        /*0030*/ NOP ;
        /*0040*/ WARPSYNC.COLLECTIVE.ALL 0x70 ;
        /*0050*/ NOP ;
        /*0060*/ ENDCOLLECTIVE ;
        /*0070*/ EXIT ;
)";
  const Trace run = trace(90, code, 32);
  ASSERT_EQ(run.failure, "");
  EXPECT_EQ(lanes_at(run, 0x50), std::vector<LaneMask>{all_lanes});
}

/// Which space a generic address lies in: a small one lies in none of the windows.
TEST(Divergence, QueriesOfTheSpaceDecideBranches) {
  const std::string code = R"(
        /*0000*/ QSPC.E.S P0, RZ, [R2] ;
        /*0010*/ @P0 BRA 0x30 ;
        /*0020*/ NOP ;
        /*0030*/ QSPC.E.G P0, RZ, [R2] ;
        /*0040*/ @P0 BRA 0x60 ;
        /*0050*/ NOP ;
        /*0060*/ EXIT ;
)";
  const Trace run = trace(70, code, 32);
  ASSERT_EQ(run.failure, "");
  EXPECT_EQ(lanes_at(run, 0x20).size(), 1U);
  EXPECT_TRUE(lanes_at(run, 0x50).empty());
}

/// Two lanes wait for all of the warp, whose others wait for these two: CUDA leaves it undefined,
/// and boards go on.
TEST(Divergence, LanesThatWaitForEachOtherGoOn) {
  const std::string code = R"(
        /*0000*/ S2R R0, SR_TID.X ;
        /*0010*/ ISETP.GT.AND P0, PT, R0, 0x1, PT ;
        /*0020*/ BSSY B0, `(.L_x_0) ;
        /*0030*/ @P0 BRA `(.L_x_1) ;
        /*0040*/ WARPSYNC 0xffffffff ;
        /*0050*/ NOP ;
.L_x_1:
        /*0060*/ BSYNC B0 ;
.L_x_0:
        /*0070*/ NOP ;
        /*0080*/ EXIT ;
)";
  const Trace run = trace(80, code, 32);
  ASSERT_EQ(run.failure, "");
  EXPECT_EQ(lanes_at(run, 0x50), std::vector<LaneMask>{3});
  EXPECT_EQ(lanes_at(run, 0x70), std::vector<LaneMask>{all_lanes});
  EXPECT_EQ(run.unmet, std::vector<std::uint32_t>{4});
}

TEST(Divergence, GuardedExitEndsLanes) {
  const std::string code = R"(
        /*0008*/ S2R R0, SR_TID.X ;
        /*0010*/ ISETP.GE.AND P0, PT, R0, 0x2, PT ;
        /*0018*/ @P0 EXIT ;
        /*0028*/ NOP ;
        /*0030*/ EXIT ;
)";
  const Trace run = trace(52, code, 5);
  ASSERT_EQ(run.failure, "");
  EXPECT_EQ(lanes_at(run, 0x28), std::vector<LaneMask>{3});
}

TEST(Divergence, EndlessLoopsEndWithAMessage) {
  const Trace run = trace(
      80, "        /*0000*/ NOP ;\n        /*0010*/ BRA 0x0 ;\n        /*0020*/ EXIT ;\n", 32);
  EXPECT_NE(run.failure.find("the limit on executed instructions is reached"), std::string::npos)
      << run.failure;
}

TEST(Divergence, UnknownInstructionsStopWithTheirText) {
  const Trace run = trace(80, "        /*0000*/ FROB R1, R2 ;\n        /*0010*/ EXIT ;\n", 32);
  EXPECT_NE(run.failure.find("'FROB R1, R2' cannot be executed"), std::string::npos) << run.failure;
}

TEST(Divergence, LeavingTheCodeIsAFault) {
  const Trace run = trace(80, "        /*0000*/ NOP ;\n        /*0010*/ NOP ;\n", 32);
  EXPECT_NE(run.failure.find("control leaves the kernel's code"), std::string::npos) << run.failure;
}

// Lanes 0 to 15 and 16 to 31 come to one BSSY one after the other; odd and even lanes then meet,
// for each half by itself, though a YIELD makes both halves wait at one place.
TEST(Divergence, LanesWaitForThoseOfTheirOwnMeeting) {
  const std::string code = R"(
        /*0000*/ S2R R0, SR_TID.X ;
        /*0010*/ ISETP.LT.AND P0, PT, R0, 0x10, PT ;
        /*0020*/ LOP3.LUT P1, RZ, R0, 0x1, RZ, 0xc0, !PT ;
        /*0030*/ @P0 BRA 0x50 ;
        /*0040*/ NOP ;
        /*0050*/ BSSY B3, 0xa0 ;
        /*0060*/ @P1 BRA 0x90 ;
        /*0070*/ YIELD ;
        /*0080*/ NOP ;
        /*0090*/ BSYNC B3 ;
        /*00a0*/ EXIT ;
)";
  const Trace run = trace(70, code, 32);
  EXPECT_EQ(run.failure, "");
  LaneMask ended = 0;
  for (const LaneMask lanes : lanes_at(run, 0xa0)) ended |= lanes;
  EXPECT_EQ(ended, 0xffffffffU);
}

/// All but lane 0 do `pass` at 0x60 again and again, until that lane has written the shared word;
/// it would meet them first.
std::string lanes_that_poll(const std::string& pass) {
  return R"(
        /*0000*/ S2R R0, SR_TID.X ;
        /*0010*/ MOV R3, 0x1 ;
        /*0020*/ ISETP.EQ.AND P0, PT, R0, RZ, PT ;
        /*0030*/ BSSY B0, 0xa0 ;
        /*0040*/ @P0 BRA 0xa0 ;
        /*0050*/ YIELD ;
        /*0060*/ )" +
         pass + R"( ;
        /*0070*/ LDS R2, [RZ] ;
        /*0080*/ ISETP.EQ.AND P1, PT, R2, RZ, PT ;
        /*0090*/ @P1 BRA 0x50 ;
        /*00a0*/ BSYNC B0 ;
        /*00b0*/ STS [RZ], R3 ;
        /*00c0*/ EXIT ;
)";
}

TEST(Divergence, LanesGoOnThatOthersPollFor) {
  for (const std::string pause : {"YIELD", "NANOSLEEP 0x20"}) {
    std::string code = lanes_that_poll("NOP");
    code.replace(code.find("YIELD"), 5, pause);
    const Trace run = trace(70, code, 32);
    EXPECT_EQ(run.failure, "") << pause;
    const auto stores = lanes_at(run, 0xb0);
    ASSERT_EQ(stores.size(), 2U) << pause;  // those that are left meet without it
    EXPECT_EQ(stores[0], 1U);
    EXPECT_EQ(stores[1], ~1U);
  }
}

// Each of 8 lanes takes a lock in shared memory twice, and meets the others behind each time. Those
// that have had it once and those that have not poll side by side.
TEST(Divergence, LanesTakeALockSeveralTimes) {
  const std::string code = R"(
        /*0000*/ MOV R3, 0x1 ;
        /*0010*/ MOV R5, RZ ;
        /*0020*/ BSSY B0, 0x80 ;
        /*0030*/ YIELD ;
        /*0040*/ ATOMS.CAS R2, [RZ], RZ, R3 ;
        /*0050*/ ISETP.NE.AND P0, PT, R2, RZ, PT ;
        /*0060*/ @P0 BRA 0x30 ;
        /*0070*/ BSYNC B0 ;
        /*0080*/ IADD3 R5, R5, 0x1, RZ ;
        /*0090*/ STS [RZ], RZ ;
        /*00a0*/ ISETP.LT.AND P1, PT, R5, 0x2, PT ;
        /*00b0*/ @P1 BRA 0x20 ;
        /*00c0*/ EXIT ;
)";
  const Trace run = trace(70, code, 8, 400000);
  EXPECT_EQ(run.failure, "");
  std::size_t taken = 0;
  for (const LaneMask lanes : lanes_at(run, 0x90))
    taken += static_cast<std::size_t>(std::popcount(lanes));
  EXPECT_EQ(taken, 16U);
}

// A loop that counts has its own end: nobody goes on before.
TEST(Divergence, LanesWaitForOthersThatCount) {
  const Trace run = trace(70, lanes_that_poll("IADD3 R4, R4, 0x1, RZ"), 32);
  EXPECT_NE(run.failure.find("the limit on executed instructions"), std::string::npos)
      << run.failure;
  EXPECT_TRUE(lanes_at(run, 0xb0).empty());
}

// Lanes 0 to 3 are those of both conditions: they leave, the others meet without them.
TEST(Divergence, LeavingAMeetingMayHaveASecondCondition) {
  const std::string code = R"(
        /*0000*/ S2R R0, SR_TID.X ;
        /*0010*/ BSSY B0, 0x70 ;
        /*0020*/ ISETP.GE.AND P0, PT, R0, 0x8, PT ;
        /*0030*/ ISETP.GE.AND P1, PT, R0, 0x4, PT ;
        /*0040*/ @!P0 BREAK !P1, B0 ;
        /*0050*/ @!P0 BRA !P1, 0x70 ;
        /*0060*/ BSYNC B0 ;
        /*0070*/ EXIT ;
)";
  const Trace run = trace(80, code, 32);
  EXPECT_EQ(run.failure, "");
  EXPECT_EQ(lanes_at(run, 0x70), (std::vector<LaneMask>{0xfU, 0xfffffff0U}));
}

}  // namespace
}  // namespace forewarp::tests
