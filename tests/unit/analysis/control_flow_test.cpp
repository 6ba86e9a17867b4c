// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/control_flow.h"

#include <gtest/gtest.h>

#include "analysis/dominators.h"
#include "analysis/loops.h"
#include "kernel_builder.h"

namespace forewarp::tests {
namespace {

using testing::fixture;
using testing::kernel_from;

std::vector<BlockId> next_of(const ControlFlow& flow, BlockId block) {
  std::vector<BlockId> next;
  for (const ControlEdge& e : flow.successors(block)) next.push_back(e.to);
  return next;
}

using Ids = std::vector<BlockId>;

TEST(ControlFlow, CutsSaxpy2IntoSixBlocks) {
  const Kernel kernel = fixture("gajger2017-saxpy2-sm52.sass");
  const ControlFlow flow(kernel);
  ASSERT_EQ(flow.blocks().size(), 6U);
  EXPECT_EQ(flow.instruction_count(), 30U);  // without the self-branch and the NOPs behind it
  EXPECT_TRUE(flow.blocks()[0].exits);
  EXPECT_EQ(next_of(flow, 0), Ids({1}));
  EXPECT_EQ(next_of(flow, 1), Ids({5, 2}));  // 0x100 is a control word's place
  EXPECT_EQ(next_of(flow, 2), Ids({3}));
  EXPECT_EQ(next_of(flow, 3), Ids({3, 4}));
  EXPECT_EQ(next_of(flow, 4), Ids({5}));
  EXPECT_TRUE(next_of(flow, 5).empty());
  EXPECT_TRUE(flow.successors(0)[0].conditional);
  EXPECT_FALSE(flow.successors(0)[0].when_taken);  // goes on when the EXIT has no effect
  // A guarded EXIT, a branch forward and the loop's.
  for (const BlockId block : {0U, 1U, 3U}) EXPECT_TRUE(flow.is_conditional(block)) << block;
  for (const BlockId block : {2U, 4U, 5U}) EXPECT_FALSE(flow.is_conditional(block)) << block;
  EXPECT_EQ(flow.block_of(31), no_block);
  EXPECT_TRUE(flow.notes().empty());
}

TEST(ControlFlow, IsEmptyForAKernelWithoutInstructions) {
  const ControlFlow flow{Kernel{}};
  EXPECT_TRUE(flow.blocks().empty());
  EXPECT_TRUE(flow.order().empty());
}

TEST(ControlFlow, SyncGoesToTheTargetOfTheOpenSsy) {
  const Kernel kernel = kernel_from(52, {
                                            "SSY 0x48",      // 0x08
                                            "@P0 BRA 0x30",  // 0x10
                                            "MOV R0, RZ",    // 0x18
                                            "SYNC",          // 0x28
                                            "MOV R0, R1",    // 0x30
                                            "SYNC",          // 0x38
                                            "EXIT",          // 0x48
                                        });
  const ControlFlow flow(kernel);
  ASSERT_EQ(flow.blocks().size(), 4U);
  EXPECT_EQ(next_of(flow, 1), Ids({3}));
  EXPECT_EQ(next_of(flow, 2), Ids({3}));
  EXPECT_EQ(flow.successors(1)[0].kind, EdgeKind::reconverge);
}

TEST(ControlFlow, AGuardedSyncMayAlsoGoOn) {
  const Kernel kernel = kernel_from(52, {"SSY 0x28", "@P0 SYNC", "MOV R0, RZ", "EXIT"});
  const ControlFlow flow(kernel);
  ASSERT_EQ(flow.blocks().size(), 3U);
  EXPECT_EQ(next_of(flow, 0), Ids({2, 1}));
}

// Lanes whose guard fails go on: of a join and of an indirect branch alike.
TEST(ControlFlow, WhatAGuardLeavesBehindIsConditional) {
  for (const char* text : {"@P0 SYNC", "@P0 BRX R2 -0x10"}) {
    const Kernel kernel = kernel_from(52, {"SSY 0x28", text, "MOV R0, RZ", "EXIT"});
    const ControlFlow flow(kernel);
    bool on = false;
    for (const auto& edge : flow.successors(flow.block_of(1))) {
      if (edge.kind != EdgeKind::fallthrough) continue;
      on = true;
      EXPECT_TRUE(edge.conditional) << text;
      EXPECT_FALSE(edge.when_taken) << text;
    }
    EXPECT_TRUE(on) << text;
  }
}

TEST(ControlFlow, BreakLeavesItsOwnRegionOverAnOpenSsy) {
  const Kernel kernel =
      kernel_from(52, {
                          "PBK 0x50",    // 0x08
                          "SSY 0x38",    // 0x10, never closed on the way of the break
                          "@P0 BRK",     // 0x18
                          "MOV R0, RZ",  // 0x28
                          "SYNC",        // 0x30
                          "BRA 0x10",    // 0x38
                          "MOV R2, RZ",  // 0x48, not reached
                          "EXIT",        // 0x50
                      });
  const ControlFlow flow(kernel);
  const BlockId last = flow.block_of(7);
  ASSERT_NE(last, no_block);
  EXPECT_EQ(flow.predecessors(last).size(), 1U);
  EXPECT_EQ(flow.predecessors(last)[0].kind, EdgeKind::loop_break);
  EXPECT_EQ(flow.block_of(6), no_block);
}

TEST(ControlFlow, TheSuffixSJoinsBeforeSm50) {
  const Kernel kernel = kernel_from(35, {"SSY 0x28", "@P0 BRA 0x20", "NOP.S", "NOP.S", "EXIT"});
  const ControlFlow flow(kernel);
  ASSERT_EQ(flow.blocks().size(), 4U);
  EXPECT_EQ(next_of(flow, 1), Ids({3}));
  EXPECT_EQ(next_of(flow, 2), Ids({3}));
}

TEST(ControlFlow, AGuardedJoinMayAlsoGoOn) {
  const Kernel kernel = kernel_from(35, {"SSY 0x28", "@!P0 NOP.S", "MOV R0, RZ", "NOP.S", "EXIT"});
  const ControlFlow flow(kernel);
  ASSERT_EQ(flow.blocks().size(), 3U);
  EXPECT_EQ(next_of(flow, 0), Ids({2, 1}));
  EXPECT_EQ(next_of(flow, 1), Ids({2}));
}

TEST(ControlFlow, ACallGoesOnBehindItAndItsCalleeIsARoutine) {
  const Kernel kernel = kernel_from(52, {"CAL 0x28", "MOV R0, RZ", "EXIT", "MOV R2, RZ", "RET"});
  const ControlFlow flow(kernel);
  ASSERT_EQ(flow.blocks().size(), 3U);
  EXPECT_EQ(next_of(flow, 0), Ids({1}));
  EXPECT_EQ(flow.blocks()[0].callee, 2U);
  ASSERT_EQ(flow.routines().size(), 2U);
  EXPECT_EQ(flow.routines()[1].entry, 2U);
  EXPECT_EQ(flow.blocks()[2].routine, 1U);
  EXPECT_TRUE(flow.blocks()[2].returns);
}

TEST(ControlFlow, ACallToCodeThatNeverReturnsIsAJump) {
  const Kernel kernel = kernel_from(
      80, {"MOV R0, RZ", "@P0 CALL.REL.NOINC 0x30", "BRA 0x0", "STG.E [R2.64], R0", "EXIT"});
  const ControlFlow flow(kernel);
  EXPECT_EQ(flow.routines().size(), 1U);
  EXPECT_EQ(next_of(flow, 0), Ids({2, 1}));
}

TEST(ControlFlow, FollowsThePrintedTargetsOfAnIndirectBranch) {
  const Kernel kernel = fixture("switch_table.sm_80.sass");
  const ControlFlow flow(kernel);
  for (std::uint32_t i = 0; i < kernel.instructions.size(); ++i) {
    if (kernel.instructions[i].instruction_class != InstructionClass::branch_indirect) continue;
    const BlockId block = flow.block_of(i);
    ASSERT_NE(block, no_block);
    EXPECT_GE(flow.successors(block).size(), 2U);
  }
}

TEST(ControlFlow, ACycleWithTwoEntriesIsIrreducible) {
  const Kernel kernel = kernel_from(80, {
                                            "@P0 BRA 0x20",  // into the middle
                                            "MOV R0, RZ",    // 0x10: one header
                                            "MOV R1, RZ",    // 0x20: the other
                                            "@P1 BRA 0x10",
                                            "EXIT",
                                        });
  const ControlFlow flow(kernel);
  const Dominators dominators(flow, Dominators::Direction::forward);
  const Loops loops(kernel, flow, dominators);
  EXPECT_TRUE(loops.all().empty());
  EXPECT_EQ(loops.irreducible().size(), 1U);
}

TEST(Dominators, OfADiamondMeetAtItsEnds) {
  const Kernel kernel =
      kernel_from(80, {"@P0 BRA 0x30", "MOV R0, RZ", "BRA 0x40", "MOV R0, R1", "EXIT"});
  const ControlFlow flow(kernel);
  const Dominators forward(flow, Dominators::Direction::forward);
  const Dominators backward(flow, Dominators::Direction::backward);
  EXPECT_EQ(forward.immediate(3), 0U);
  EXPECT_EQ(backward.immediate(0), 3U);
  EXPECT_EQ(backward.immediate(1), 3U);
  EXPECT_TRUE(forward.dominates(0, 3));
  EXPECT_FALSE(forward.dominates(1, 3));
  EXPECT_EQ(forward.immediate(0), no_block);
}

TEST(Dominators, AGuardedExitHasNoPostDominator) {
  const Kernel kernel = kernel_from(80, {"MOV R0, RZ", "@P0 EXIT", "MOV R0, R1", "EXIT"});
  const ControlFlow flow(kernel);
  const Dominators backward(flow, Dominators::Direction::backward);
  EXPECT_EQ(backward.immediate(0), no_block);
}

TEST(Loops, NestWithTheirParentsFirst) {
  const Kernel kernel = fixture("triangular_loop.sm_80.sass");
  const ControlFlow flow(kernel);
  const Dominators dominators(flow, Dominators::Direction::forward);
  const Loops loops(kernel, flow, dominators);
  ASSERT_EQ(loops.all().size(), 2U);
  EXPECT_EQ(loops.all()[0].depth, 1U);
  EXPECT_EQ(loops.all()[1].depth, 2U);
  EXPECT_EQ(loops.all()[1].parent, 0U);
  for (const BlockId b : loops.all()[1].blocks) {
    EXPECT_TRUE(loops.contains(0, b));
    EXPECT_TRUE(loops.contains(1, b));
    EXPECT_EQ(loops.innermost(b), 1U);
  }
  EXPECT_FALSE(loops.contains(1, loops.all()[0].header));
  EXPECT_TRUE(loops.nests(0, 1));
  EXPECT_FALSE(loops.nests(1, 0));
}

}  // namespace
}  // namespace forewarp::tests
