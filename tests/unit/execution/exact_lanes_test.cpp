// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// What lanes hold after instructions whose edges programs meet: shifts by a whole pair, masks that
// differ between lanes, literals that are no numbers, clocks, vectors at the end of shared memory.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "execution/grid/grid_runner.h"
#include "execution/lowering/kernel_lowering.h"
#include "input/kernel_choice.h"

namespace forewarp::tests {
namespace {

constexpr std::uint64_t buffer_address = 0x7f0000000000U;

struct Quiet : NoSink {
  [[nodiscard]] Quiet empty() const { return {}; }
  void merge(const Quiet&) {}
};

/// R9 of each lane of one warp; R0 holds its number. `code` ends without EXIT; a line may carry its
/// word behind a bar.
std::vector<std::uint32_t> lanes_after(std::vector<std::string> code, std::uint32_t shared = 0,
                                       std::uint32_t sm = 80) {
  code.insert(code.begin(), "S2R R0, SR_TID.X");
  const std::vector<std::string> store =
      sm < 70 ? std::vector<std::string>{"SHL R2, R0, 0x2", "IADD R2.CC, R2, c[0x0][0x140]",
                                         "IADD.X R3, RZ, c[0x0][0x144]", "STG.E [R2], R9", "EXIT"}
              : std::vector<std::string>{"MOV R2, c[0x0][0x160]", "MOV R3, c[0x0][0x164]",
                                         "IMAD.WIDE R2, R0, 0x4, R2", "STG.E [R2.64], R9", "EXIT"};
  code.insert(code.end(), store.begin(), store.end());
  std::string text = "\tcode for sm_" + std::to_string(sm) + "\n\t\tFunction : k\n";
  for (std::size_t i = 0; i < code.size(); ++i) {
    const std::size_t bar = code[i].find('|');
    char at[32];
    std::snprintf(at, sizeof at, "        /*%04zx*/ ", 16 * i);
    text += at + code[i].substr(0, bar) + " ;";
    if (bar != std::string::npos) text += " /* " + code[i].substr(bar + 1) + " */";
    text += "\n";
  }
  const auto kernel = read_kernel(InputSource::of_text("test.sass", text));
  if (!kernel) return {};
  ExecutionInput input;
  input.grid = {1, 1, 1};
  input.block = {32, 1, 1};
  input.static_shared = shared;
  ExecutionBuffer buffer;
  buffer.address = buffer_address;
  buffer.bytes = 4 * 32;
  buffer.content.kind = BufferContent::Kind::file;
  buffer.data.assign(buffer.bytes, 0);
  buffer.name = "0";
  input.buffers.push_back(buffer);
  input.parameters = {0, 0, 0, 0, 0, 0x7f, 0, 0};
  const auto program = lower_kernel(*kernel);
  if (!program) return {};
  GridOptions options;
  options.keep_memory = true;
  options.threads = 1;
  Quiet none;
  auto outcome = run_grid(*program, input, {std::vector<std::uint64_t>{0}}, options, none);
  std::vector<std::uint32_t> values(32);
  auto* bytes = reinterpret_cast<std::uint8_t*>(values.data());
  if (!outcome || !outcome->memory->read(buffer.address, {bytes, buffer.bytes})) return {};
  return values;
}

std::uint32_t first_of(const std::vector<std::string>& code, std::uint32_t shared = 0,
                       std::uint32_t sm = 80) {
  const auto lanes = lanes_after(code, shared, sm);
  EXPECT_EQ(lanes.size(), 32U);
  return lanes.empty() ? 0xdeadbeef : lanes[0];
}

// PTX clamps the count of a 64-bit shift at 64: nothing is left of the pair but its sign.
TEST(ExactLanes, ShiftsOfPairsByTheirWidthLeaveNothing) {
  const std::vector<std::string> pair = {"MOV R4, 0x89abcdef", "MOV R5, 0x81234567"};
  const auto with = [&](const std::string& line) {
    std::vector<std::string> code = pair;
    code.push_back(line);
    return first_of(code);
  };
  EXPECT_EQ(with("SHF.R.U64 R9, R4, 0x40, R5"), 0U);
  EXPECT_EQ(with("SHF.R.U64 R9, R4, 0x3f, R5"), 1U);
  EXPECT_EQ(with("SHF.L.U64.HI R9, R4, 0x40, R5"), 0U);
  EXPECT_EQ(with("SHF.L.U64.HI R9, R4, 0x3f, R5"), 0x80000000U);
  EXPECT_EQ(with("SHF.R.S64 R9, R4, 0x50, R5"), 0xffffffffU);
}

// Even lanes name the even ones, odd lanes the odd ones: two sums, 0 + 2 + .. and 1 + 3 + ..
TEST(ExactLanes, LanesOfOneMaskRunAlone) {
  const auto lanes =
      lanes_after({"LOP3.LUT P0, RZ, R0, 0x1, RZ, 0xc0, !PT", "MOV R4, 0x55555555",
                   "@P0 MOV R4, 0xaaaaaaaa", "BSSY B0, 0x90", "WARPSYNC.EXCLUSIVE R4",
                   "REDUX.SUM.S32 UR4, R0", "IMAD.U32 R9, RZ, RZ, UR4", "BSYNC B0"});
  ASSERT_EQ(lanes.size(), 32U);
  EXPECT_EQ(lanes[0], 240U);
  EXPECT_EQ(lanes[1], 256U);
  EXPECT_EQ(lanes[30], 240U);
}

// The predicate says which lanes have another value than the one that was taken.
TEST(ExactLanes, TakingAUniformValueTellsTheOtherLanes) {
  const auto lanes =
      lanes_after({"ISETP.GE.AND P0, PT, R0, 0x4, PT", "MOV R4, 0x7", "@P0 MOV R4, 0x8",
                   "R2UR P1, UR4, R4", "MOV R9, 0x0", "@P1 MOV R9, 0x1"});
  ASSERT_EQ(lanes.size(), 32U);
  EXPECT_EQ(lanes[3], 0U);
  EXPECT_EQ(lanes[4], 1U);
}

TEST(ExactLanes, LiteralsThatAreNoNumbersKeepTheBitsOfTheirWord) {
  EXPECT_EQ(first_of({"MOV R4, 0x0", "FSEL R9, R4, -QNAN, !PT|0xfff8000004097808"}), 0xfff80000U);
  EXPECT_EQ(first_of({"MOV R4, 0x0", "FSEL R9, R4, +QNAN, !PT"}), 0x7fc00000U);
}

// 0xffffffff three times is 2 * 2^32 + 0xfffffffd: the word above gets 2.
TEST(ExactLanes, ThreeWordsCarryTwo) {
  const std::string sum = "IADD3 R4.CC, R5, R5, R5", above = "IADD3.X R9, RZ, RZ, RZ";
  EXPECT_EQ(first_of({"MOV32I R5, 0xffffffff", sum, above}, 0, 61), 2U);
  EXPECT_EQ(first_of({"MOV32I R5, 0x7fffffff", sum, above}, 0, 61), 1U);
  // What writes the code next carries one at most.
  EXPECT_EQ(first_of({"MOV32I R5, 0xffffffff", sum, "IADD R4.CC, R5, R5", above}, 0, 61), 1U);
  EXPECT_EQ(first_of({"MOV32I R5, 0xffffffff", sum, "P2R R6, CC, RZ, 0xf", "IADD R4.CC, RZ, RZ",
                      "R2P CC, R6, 0xf", above},
                     0, 61),
            2U);
  EXPECT_EQ(first_of({"MOV R5, 0xffffffff", "IADD3 R4, P0, P1, R5, R5, R5",
                      "IADD3.X R9, RZ, RZ, RZ, P0, P1"}),
            2U);
}

// A pair is zero where both of its words are: 1:0 is not, nor 0:1, 0:0 is.
TEST(ExactLanes, LogicOfAPairLooksAtItsLowerWord) {
  const auto with = [](const std::string& low, const std::string& high) {
    return first_of({"MOV32I R4, " + low, "MOV32I R5, " + high, "MOV R9, RZ",
                     "LOP.OR RZ.CC, R4, RZ", "LOP.OR.X.NZ P0, RZ, R5, RZ", "@P0 MOV32I R9, 0x1"},
                    0, 61);
  };
  EXPECT_EQ(with("0x0", "0x1"), 1U);
  EXPECT_EQ(with("0x1", "0x0"), 1U);
  EXPECT_EQ(with("0x0", "0x0"), 0U);
}

// 1 / 1.5 has the upper word 0x3fe55555; a GPU's approximation keeps 20 bits of it.
TEST(ExactLanes, ANumberOfADoublesFunctionIsADouble) {
  EXPECT_EQ(first_of({"MUFU.RCP64H R9, 1.5"}) >> 4, 0x3fe5555U);
}

// Equal upper words leave the answer to the lower ones; where those are always so, PT is not
// printed.
TEST(ExactLanes, AComparisonOfPairsMayEndWithoutItsLowerOne) {
  const std::string test = "ISETP.GE.U32.AND.EX P0, PT, R4, 0xef, PT";
  EXPECT_EQ(first_of({"MOV R9, 0x0", "MOV R4, 0xef", test, "@P0 MOV R9, 0x1"}), 1U);
  EXPECT_EQ(first_of({"MOV R9, 0x0", "MOV R4, 0xee", test, "@P0 MOV R9, 0x1"}), 0U);
}

// 7 - (0 << 1) borrows nothing, which the carry says; 7 - (4 << 1) borrows.
TEST(ExactLanes, ANegatedShiftedZeroCarries) {
  const auto carry_of = [](const std::string& a) {
    return first_of(
        {"MOV R9, 0x0", "MOV R4, " + a, "LEA R5, P0, -R4, 0x7, 0x1", "@P0 MOV R9, 0x1"});
  };
  EXPECT_EQ(carry_of("0x0"), 1U);
  EXPECT_EQ(carry_of("0x80000000"), 1U);  // nothing of it is left either
  EXPECT_EQ(carry_of("0x3"), 1U);
  EXPECT_EQ(carry_of("0x4"), 0U);
}

// -(2^32 + 1) as a float is -2^32; the upper half of 0x00020001 is 2.
TEST(ExactLanes, NumbersOfPartsAndPairsAreNegatedWhole) {
  EXPECT_EQ(first_of({"MOV32I R4, 0x1", "MOV32I R5, 0x1", "I2F.F32.S64 R9, -R4"}, 0, 61),
            0xcf800000U);
  EXPECT_EQ(first_of({"MOV32I R4, 0x20001", "I2F.F32.S16 R9, -R4.H1"}, 0, 61), 0xc0000000U);
}

// Two clocks with one instruction between them: each takes its nominal 6 cycles.
TEST(ExactLanes, ClocksAdvanceWithInstructions) {
  EXPECT_EQ(first_of({"S2R R4, SR_CLOCKLO", "NOP", "S2R R5, SR_CLOCKLO", "IADD3 R9, R5, -R4, RZ"}),
            12U);
}

TEST(ExactLanes, AVectorMayReachOverTheEndOfSharedMemory) {
  EXPECT_EQ(first_of({"MOV R4, 0x5", "STS [0x8], R4", "LDS.128 R8, [RZ]", "MOV R9, R10"}, 12), 5U);
}

// 1 + 2^-11 lies between two halves, 1 + 2^-10 is the next.
TEST(ExactLanes, PackedHalvesAreRoundedAsAsked) {
  EXPECT_EQ(first_of({"MOV R4, 0x3f801800", "F2FP.PACK_AB.RZ R9, RZ, R4"}), 0x3c00U);
  EXPECT_EQ(first_of({"MOV R4, 0x3f801800", "F2FP.PACK_AB R9, RZ, R4"}), 0x3c01U);
}

}  // namespace
}  // namespace forewarp::tests
