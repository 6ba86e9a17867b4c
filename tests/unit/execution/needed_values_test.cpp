// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// What has to be executed so that control and addresses are right. That nothing of them changes is
// checked for every kernel that KernelRun runs.
#include "execution/grid/needed_values.h"

#include <cstdio>
#include <map>
#include <string>

#include <gtest/gtest.h>

#include "event_sum.h"
#include "execution/lowering/kernel_lowering.h"
#include "input/kernel_choice.h"

namespace forewarp::tests {
namespace {

constexpr std::uint64_t place = 0x7f0000000000U;
constexpr std::uint32_t bytes = 4096;

/// A kernel of sm_80 from its lines. R2 and R3 are the buffer's address plus 4 times the lane.
struct Code {
  explicit Code(std::vector<std::string> lines) {
    lines.insert(lines.begin(), {"S2R R0, SR_TID.X", "IMAD.MOV.U32 R1, RZ, RZ, 0x4",
                                 "IMAD.WIDE R2, R0, R1, c[0x0][0x160]"});
    lines.emplace_back("EXIT");
    std::string text = "\tcode for sm_80\n\t\tFunction : k\n";
    for (std::size_t i = 0; i < lines.size(); ++i) {
      char at[32];
      std::snprintf(at, sizeof at, "        /*%04zx*/ ", 16 * i);
      text += at + lines[i] + " ;\n";
    }
    auto read = read_kernel(InputSource::of_text("test.sass", text));
    if (!read) {
      ADD_FAILURE() << read.error().line();
      return;
    }
    kernel = std::make_unique<Kernel>(std::move(*read));
    program = *lower_kernel(*kernel);
    EXPECT_TRUE(program.unsupported.empty());
    needs = needed_values(program, NeededFor::accesses);
  }

  /// Of the line given, counted from 0.
  [[nodiscard]] Need operator[](std::size_t line) const { return needs.at(line + 3); }

  [[nodiscard]] static ExecutionInput input() {
    ExecutionInput input;
    input.block = {32, 1, 1};
    input.static_shared = 1024;
    ExecutionBuffer buffer;
    buffer.address = place;
    buffer.bytes = bytes;
    buffer.content.kind = BufferContent::Kind::zeros;
    buffer.name = "0";
    input.buffers.push_back(buffer);
    input.parameters = {0, 0, 0, 0, 0, 0x7f, 0, 0};
    return input;
  }

  std::unique_ptr<Kernel> kernel;
  Program program;
  std::vector<Need> needs;
};

using Lines = std::initializer_list<std::size_t>;
constexpr auto count = Need::count, places = Need::places, values = Need::values;

TEST(NeededValues, DataAreCountedAndAddressesComputed) {
  const Code code(
      {"LDG.E R4, [R2.64]", "FFMA R5, R4, R4, R4", "IADD3 R2, R2, 0x80, RZ", "STG.E [R2.64], R5"});
  EXPECT_EQ(code[0], places);
  EXPECT_EQ(code[1], count);
  EXPECT_EQ(code[2], values);
  EXPECT_EQ(code[3], places);
}

TEST(NeededValues, ConditionsAreComputedFromData) {
  const Code code({"LDG.E R4, [R2.64]", "FFMA R5, R4, R4, R4", "FSETP.GT.AND P0, PT, R5, RZ, PT",
                   "@P0 EXIT", "FADD R6, R5, R4"});
  for (const std::size_t line : Lines{0, 1, 2, 3}) EXPECT_EQ(code[line], values) << line;
  EXPECT_EQ(code[4], count);
}

// The guard of an instruction decides in how many lanes it is executed, whatever it computes.
TEST(NeededValues, GuardsOfDataAreComputed) {
  const Code code({"ISETP.GT.AND P0, PT, R0, 0x5, PT", "@P0 FADD R6, R5, R4"});
  EXPECT_EQ(code[0], values);
  EXPECT_EQ(code[1], count);
}

// R4 is written before it is read, wherever it is read: what it held before does not matter.
TEST(NeededValues, AGuardedWriteSettlesReadsOfTheSameGuard) {
  const std::vector<std::string> lines{"FADD R4, R6, R7", "ISETP.GT.AND P0, PT, R0, 0x5, PT",
                                       "@P0 IMAD.MOV.U32 R4, RZ, RZ, 0x10", "@P0 LDS R8, [R4]"};
  EXPECT_EQ(Code(lines)[0], count);
  EXPECT_EQ(Code(lines)[2], values);
  auto other = lines;
  other[3] = "@!P0 LDS R8, [R4]";
  EXPECT_EQ(Code(other)[0], values);
  other[3] = "LDS R8, [R4]";
  EXPECT_EQ(Code(other)[0], values);
  other = lines;  // P0 is another one by then
  other.insert(other.begin() + 3, "ISETP.GT.AND P0, PT, R0, 0x6, PT");
  EXPECT_EQ(Code(other)[0], values);
  other = lines;  // one reader in all lanes is enough
  other.insert(other.begin() + 3, "LDS R9, [R4]");
  EXPECT_EQ(Code(other)[0], values);
  other = lines;  // and so are two, of which each has some of them
  other.emplace_back("@!P0 LDS R9, [R4]");
  EXPECT_EQ(Code(other)[0], values);
}

// A register keeps P0 while the predicate is another one.
TEST(NeededValues, AGuardThatARegisterKeptIsTheSame) {
  const std::vector<std::string> lines{"FADD R4, R6, R7",
                                       "ISETP.GT.AND P0, PT, R0, 0x5, PT",
                                       "P2R R5, PR, RZ, 0x1",
                                       "@P0 IMAD.MOV.U32 R4, RZ, RZ, 0x10",
                                       "ISETP.LT.AND P0, PT, R0, 0x3, PT",
                                       "@P0 FADD R9, R9, R9",
                                       "ISETP.NE.AND P3, PT, R5, RZ, PT",
                                       "@P3 LDS R8, [R4]"};
  const auto with = [&](std::size_t line, const std::string& text) {
    auto other = lines;
    other[line] = text;
    return Code(other)[0];
  };
  EXPECT_EQ(Code(lines)[0], count);
  EXPECT_EQ(with(7, "@!P3 LDS R8, [R4]"), values);
  EXPECT_EQ(with(6, "ISETP.EQ.AND P3, PT, R5, RZ, PT"), values);
  EXPECT_EQ(with(2, "P2R R5, PR, RZ, 0x2"), values);  // another one
  EXPECT_EQ(with(2, "P2R R5, PR, RZ, 0x3"), values);  // with another one
  EXPECT_EQ(with(2, "P2R R5, PR, R6, 0x1"), values);  // with other bits
  EXPECT_EQ(with(2, "@P1 P2R R5, PR, RZ, 0x1"), values);
  EXPECT_EQ(with(5, "IMAD.MOV.U32 R5, RZ, RZ, R0"), values);
  EXPECT_EQ(with(6, "ISETP.NE.OR P3, PT, R5, RZ, P1"), values);
  EXPECT_EQ(with(6, "@P1 ISETP.NE.AND P3, PT, R5, RZ, PT"), values);
}

// At the end of a block a predicate is what a register kept in it.
TEST(NeededValues, AGuardThatARegisterKeptIsTheSameInTheNextBlock) {
  EXPECT_EQ(Code({"FADD R4, R6, R7", "ISETP.GT.AND P0, PT, R0, 0x5, PT", "P2R R5, PR, RZ, 0x1",
                  "@P0 IMAD.MOV.U32 R4, RZ, RZ, 0x10", "ISETP.NE.AND P3, PT, R5, RZ, PT",
                  "@P1 BRA 0x90", "@P3 LDS R8, [R4]"})[0],
            count);
}

TEST(NeededValues, AGuardThatAnInstructionWritesItselfIsTheOneBefore) {
  const Code code({"FSETP.GT.AND P1, PT, R6, RZ, PT", "ISETP.GT.AND P0, PT, R0, 0x5, PT",
                   "@P0 ISETP.GT.AND P0, P1, R0, 0x6, PT",
                   "@P0 PLOP3.LUT P2, PT, P1, PT, PT, 0x8, 0x0", "@P2 EXIT"});
  EXPECT_EQ(code[0], values);
}

// Bit 0 of the mask is P0's: P0 stays what the comparison made it.
TEST(NeededValues, PredicatesThatAMaskLeavesOutStay) {
  const Code code({"FSETP.GT.AND P0, PT, R6, RZ, PT", "R2P PR, R4, 0x7e", "@P0 EXIT"});
  EXPECT_EQ(code[0], values);
}

TEST(NeededValues, SharedMemoryPassesAddressesOn) {
  std::vector<std::string> lines{"FADD R5, R6, R7", "STS [R0], R5", "LDS R8, [R0+0x40]",
                                 "LDS R9, [R8]"};
  const Code code(lines);
  EXPECT_EQ(code[0], values);
  EXPECT_EQ(code[1], values);
  EXPECT_EQ(code[2], values);
  EXPECT_EQ(code[3], places);
  lines.pop_back();
  const Code data(lines);
  EXPECT_EQ(data[0], count);
  EXPECT_EQ(data[1], places);
  EXPECT_EQ(data[2], places);
}

TEST(NeededValues, SpilledAddressesAreKeptAndSharedDataAreNot) {
  const Code code(
      {"STL [R1], R2", "FADD R5, R6, R7", "STS [R0], R5", "LDL R2, [R1]", "LDG.E R8, [R2.64]"});
  EXPECT_EQ(code[0], values);
  EXPECT_EQ(code[1], count);
  EXPECT_EQ(code[2], places);
  EXPECT_EQ(code[3], values);
}

// Numbers of rows, read from memory that the kernel writes, unless it is said that it does not.
TEST(NeededValues, StoresMatterWhereMemorySteers) {
  std::vector<std::string> lines{"LDG.E R4, [R2.64]", "LDS R9, [R4]", "FADD R5, R6, R7",
                                 "STG.E [R2.64+0x100], R5"};
  const Code code(lines);
  EXPECT_EQ(code[0], values);
  EXPECT_EQ(code[2], values);
  EXPECT_EQ(code[3], values);
  lines[0] = "LDG.E.CONSTANT R4, [R2.64]";
  const Code constant(lines);
  EXPECT_EQ(constant[0], values);
  EXPECT_EQ(constant[2], count);
  EXPECT_EQ(constant[3], places);
}

TEST(NeededValues, GenericAccessesMayBeAnywhere) {
  const Code code({"STS [R0], R5", "STL [R1], R5", "LD.E R4, [R2.64]", "LDS R9, [R4]"});
  EXPECT_EQ(code[0], values);
  EXPECT_EQ(code[1], values);
  EXPECT_EQ(code[2], values);
}

TEST(NeededValues, AtomicsWithoutAnAnswerHavePlaces) {
  const Code code({"FADD R5, R6, R7", "RED.E.ADD.F32.FTZ.RN.STRONG.GPU [R2.64], R5",
                   "ATOMS.ADD R8, [R0], R5", "FADD R9, R8, R8"});
  EXPECT_EQ(code[0], count);
  EXPECT_EQ(code[1], places);
  EXPECT_EQ(code[2], places);
  EXPECT_EQ(code[3], count);
}

TEST(NeededValues, CopiesToSharedMemoryAreFollowedIfItIs) {
  std::vector<std::string> lines{"FADD R5, R6, R7", "STG.E [R2.64], R5", "LDGSTS.E [R0], [R2.64]",
                                 "LDS R8, [R0]", "LDS R9, [R8]"};
  const Code code(lines);
  for (const std::size_t line : Lines{0, 1, 2, 3}) EXPECT_EQ(code[line], values) << line;
  lines.pop_back();
  const Code data(lines);
  EXPECT_EQ(data[0], count);
  for (const std::size_t line : Lines{1, 2, 3}) EXPECT_EQ(data[line], places) << line;
}

TEST(NeededValues, EveryPartOfAnAddressIsComputed) {
  EXPECT_EQ(Code({"IADD3 R3, R3, R0, RZ", "LDG.E R4, [R2.64]"})[0], values);
  EXPECT_EQ(Code({"IADD3 R3, R3, R0, RZ", "LDS R4, [R2]"})[0], count);
  const Code near({"UIADD3 UR4, UR4, 0x4, URZ", "UIADD3 UR5, UR5, 0x4, URZ", "LDS R4, [R0+UR4]"});
  EXPECT_EQ(near[0], values);
  EXPECT_EQ(near[1], count);
  const Code far(
      {"UIADD3 UR4, UR4, 0x4, URZ", "UIADD3 UR5, UR5, 0x4, URZ", "LDG.E R4, [R2.64+UR4]"});
  EXPECT_EQ(far[0], values);
  EXPECT_EQ(far[1], values);
  EXPECT_EQ(Code({"IADD3 R8, R0, 0x4, RZ", "LDGSTS.E [R8], [R2.64]"})[0], values);
}

// Before sm_90 a barrier in shared memory begins as a plain word.
TEST(NeededValues, WordsThatArrivalsCountInAreKept) {
  const Code code({"IMAD.MOV.U32 R4, RZ, RZ, R0", "STS.64 [RZ], R4", "ATOMS.ARRIVE.64 R6, [RZ]"});
  EXPECT_EQ(code[0], values);
  EXPECT_EQ(code[1], values);
}

TEST(NeededValues, ProductsOfAGroupReadSharedMemory) {
  std::vector<std::string> lines{"FADD R5, R6, R7", "STS [R0], R5",
                                 "HGMMA.64x8x16.F32 R24, gdesc[UR4], RZ, !UPT", "LDS R9, [R24]"};
  EXPECT_EQ(Code(lines)[0], values);
  EXPECT_EQ(Code(lines)[2], values);
  lines.pop_back();
  EXPECT_EQ(Code(lines)[0], count);
  EXPECT_EQ(Code(lines)[2], count);
}

TEST(NeededValues, RegistersThatAreGrantedSteer) {
  const Code code({"USETMAXREG.TRY_ALLOC.CTAPOOL UP0, 0xe8"});
  EXPECT_EQ(needed_values(code.program, NeededFor::control)[3], values);
}

// R5 is the upper half of what is compared, though no operand names it.
TEST(NeededValues, TheRestOfAGroupIsReadToo) {
  const Code keys({"IADD3 R5, R0, 0x1, RZ", "MATCH.ANY.U64 R8, R4", "LDS R9, [R8]"});
  EXPECT_EQ(keys[0], values);
  const Code sums({"FADD R7, R8, R8", "STSM.16.M88.4 [R0], R4", "LDS R9, [R0]", "LDS R10, [R9]"});
  EXPECT_EQ(sums[0], values);
  const Code vectors({"FADD R7, R8, R8", "RED.E.ADD.F32x4.RN.STRONG.GPU [R2.64], R4",
                      "LDG.E R9, [R2.64]", "LDS R10, [R9]"});
  EXPECT_EQ(vectors[0], values);
}

// A shuffle reads lanes in which nothing guarded was written.
TEST(NeededValues, ReadersOfOtherLanesAreNotSettledByAGuard) {
  const Code code({"IADD3 R4, R0, 0x1, RZ", "ISETP.GT.AND P0, PT, R0, 0x5, PT",
                   "@P0 IMAD.MOV.U32 R4, RZ, RZ, 0x10", "@P0 SHFL.DOWN PT, R5, R4, 0x8, 0x1f",
                   "@P0 LDS R8, [R5]"});
  EXPECT_EQ(code[0], values);
}

TEST(NeededValues, WhatIsNeverExecutedSettlesNothing) {
  const Code code({"IADD3 R4, R0, 0x1, RZ", "@!PT IMAD.MOV.U32 R4, RZ, RZ, RZ", "LDS R8, [R4]"});
  EXPECT_EQ(code[0], values);
}

// 0x80 is where lanes go that do not agree; the others go on.
// What nothing leads to is executed as it is, and what it may read is computed.
TEST(NeededValues, CodeThatNothingLeadsToForgetsTheOrder) {
  const Code code(
      {"FADD R4, R6, R7", "IMAD.MOV.U32 R4, RZ, RZ, R0", "LDS R8, [R4]", "EXIT", "LDS R9, [R4]"});
  EXPECT_EQ(code[0], values);
  EXPECT_EQ(code[4], values);
}

TEST(NeededValues, ABranchOfDivergentLanesGoesOnToo) {
  const Code code(
      {"IADD3 R4, R0, 0x1, RZ", "BRA.DIV 0x80", "LDS R8, [R4]", "EXIT", "EXIT", "LDS R8, [R0]"});
  EXPECT_EQ(code[0], values);
  EXPECT_EQ(code[2], places);
}

// A loop passes R4 on to its next iteration: the address of its load.
TEST(NeededValues, LoopsPassValuesOn) {
  const Code code({"FADD R5, R6, R7", "LDS R8, [R4]", "IMAD.MOV.U32 R4, RZ, RZ, R5",
                   "IADD3 R0, R0, 0x1, RZ", "ISETP.GT.AND P0, PT, R0, 0x50, PT", "@!P0 BRA 0x40"});
  EXPECT_EQ(code[0], values);
  EXPECT_EQ(code[2], values);
}

// 0x70 is behind the call, 0xa0 the subroutine, which leaves in R5 what becomes an address.
TEST(NeededValues, SubroutinesGiveBackAddresses) {
  const std::vector<std::string> lines{"IMAD.MOV.U32 R5, RZ, RZ, R0",
                                       "IMAD.MOV.U32 R10, RZ, RZ, 0x70",
                                       "IMAD.MOV.U32 R11, RZ, RZ, RZ",
                                       "CALL.REL.NOINC 0xa0",
                                       "LDS R8, [R6]",
                                       "FADD R7, R7, R9",
                                       "EXIT",
                                       "IADD3 R6, R5, 0x4, RZ",
                                       "FADD R7, R9, R9",
                                       "RET.REL.NODEC R10 0x0"};
  const Code code(lines);
  EXPECT_EQ(code[0], values);
  EXPECT_EQ(code[7], values);
  EXPECT_EQ(code[5], count);
  EXPECT_EQ(code[8], count);
}

// Where a jump's target is not known, whatever is ever part of an address is computed everywhere.
TEST(NeededValues, JumpsThroughRegistersForgetTheOrder) {
  const Code code(
      {"FADD R4, R6, R7", "IMAD.MOV.U32 R4, RZ, RZ, R0", "LDS R8, [R4]", "BRX R10 -0x50"});
  EXPECT_EQ(code[0], values);
}

TEST(NeededValues, ControlAloneNeedsNoAddresses) {
  const Code code({"LDG.E R4, [R2.64]", "STS [R0], R4", "LDS R5, [R0]",
                   "ISETP.GT.AND P0, PT, R5, 0x5, PT", "@P0 EXIT", "LDS R9, [R8]",
                   "IADD3 R8, R8, R9, RZ"});
  const std::vector<Need> needs = needed_values(code.program, NeededFor::control);
  for (const std::size_t line : Lines{0, 1, 2, 3, 4}) EXPECT_EQ(needs[line + 3], values) << line;
  EXPECT_EQ(needs[5 + 3], count);
  EXPECT_EQ(needs[6 + 3], count);
}

/// What is wrong with accesses, by instruction: kind and lanes.
std::map<std::uint32_t, std::pair<AccessFinding::Kind, std::uint64_t>> findings_of(
    const Program& program, const ExecutionInput& input) {
  EventSum sink;
  const auto run = run_grid(program, input, {std::vector<std::uint64_t>{0}}, {}, sink);
  std::map<std::uint32_t, std::pair<AccessFinding::Kind, std::uint64_t>> found;
  if (!run) {
    ADD_FAILURE() << run.error().line();
    return found;
  }
  for (const AccessFinding& finding : run->findings)
    found[finding.instruction] = {finding.kind, finding.lanes};
  return found;
}

// 32 lanes from byte 4096 - 64 on: 16 beyond the end; two bytes off: all misaligned. 1,024 bytes of
// shared memory, of which lanes 4 i + 1,000 reach 6 (1,000 to 1,020).
TEST(NeededValues, WhatIsWrongWithPlacesIsFound) {
  const Code code({"LDG.E R4, [R2.64+0xfc0]", "STG.E [R2.64+0x2], R4", "IMAD R5, R0, 0x4, RZ",
                   "STS [R5+0x3e8], R4", "LDS.U16 R6, [R5+0x1]", "LDL R7, [R5+0x2]",
                   "RED.E.ADD.STRONG.GPU [R2.64+0x1000], R4"});
  Program counted = code.program;
  leave_out_values(counted);
  for (const std::size_t line : Lines{0, 1, 3, 4, 5, 6}) {
    EXPECT_EQ(code[line], places) << line;
    EXPECT_NE(counted.ops[line + 3].handler, code.program.ops[line + 3].handler) << line;
  }
  const auto all = findings_of(code.program, Code::input());
  EXPECT_EQ(findings_of(counted, Code::input()), all);
  using Kind = AccessFinding::Kind;
  EXPECT_EQ(all.at(3), std::pair(Kind::out_of_bounds, std::uint64_t{16}));
  EXPECT_EQ(all.at(4), std::pair(Kind::misaligned, std::uint64_t{32}));
  EXPECT_EQ(all.at(6), std::pair(Kind::out_of_bounds, std::uint64_t{26}));
  EXPECT_EQ(all.at(7), std::pair(Kind::misaligned, std::uint64_t{32}));
  EXPECT_EQ(all.at(8), std::pair(Kind::misaligned, std::uint64_t{32}));
  EXPECT_EQ(all.at(9), std::pair(Kind::out_of_bounds, std::uint64_t{32}));
}

// Blocks that steer each other see each other's values.
TEST(NeededValues, BlocksInOrderKeepTheirValues) {
  const Code code({"IMAD.MOV.U32 R5, RZ, RZ, 0x1", "FADD R9, R8, R8",
                   "ATOMG.E.ADD.STRONG.GPU PT, R4, [R2.64], R5",
                   "ISETP.GT.AND P0, PT, R4, 0x50, PT", "@!P0 BRA 0x50"});
  ASSERT_TRUE(code.program.moving);
  Program counted = code.program;
  leave_out_values(counted);
  for (std::size_t i = 0; i < counted.ops.size(); ++i)
    EXPECT_EQ(counted.ops[i].handler, code.program.ops[i].handler) << i;
}

}  // namespace
}  // namespace forewarp::tests
