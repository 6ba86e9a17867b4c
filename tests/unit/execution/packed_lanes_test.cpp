// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Operations on parts of registers, small floats, vectors in memory and matrices, by hand.
#include <bit>
#include <cstdint>
#include <random>

#include <gtest/gtest.h>

#include "execution/state/half_number.h"
#include "execution/state/lanes.h"
#include "listed_lanes.h"

namespace forewarp::tests {
namespace {

constexpr std::uint32_t not_a_number = 0x7fc00000;

TEST(PackedLanes, SumsAndExtremesOfThree) {
  // min(5 + 7, 9) = 9; max(5 + 7, 9) = 12; -3 as the least is raised to 0.
  EXPECT_EQ(word_after("VIADDMNMX R10, R4, R6, R8, PT", 5, 7, 9), 9U);
  EXPECT_EQ(word_after("VIADDMNMX R10, R4, R6, R8, !PT", 5, 7, 9), 12U);
  EXPECT_EQ(word_after("VIADDMNMX.RELU R10, R4, R6, R8, PT", 5, 0xfffffff8U, 9), 0U);
  EXPECT_EQ(word_after("VIADDMNMX R10, R4, R6, 0x8, PT", 5, 7), 8U);
  EXPECT_EQ(word_after("VIMNMX3 R10, R4, R6, R8, PT", 5, 0xffffffffU, 9), 0xffffffffU);
  EXPECT_EQ(word_after("VIMNMX3.U32 R10, R4, R6, R8, PT", 5, 0xffffffffU, 9), 5U);
  EXPECT_EQ(word_after("VIMNMX3 R10, R4, R6, R8, !PT", 5, 0xffffffffU, 9), 9U);
}

TEST(PackedLanes, HalvesDoNotCarry) {
  EXPECT_EQ(word_after("VIADD.16x2 R10, R4, R6", 0x0001ffffU, 0x00020001U), 0x00030000U);
  // 0xffff is -1 with a sign, the largest without.
  EXPECT_EQ(word_after("VIMNMX.S16x2 R10, R4, R6, PT", 0xffff0005U, 0x00010002U), 0xffff0002U);
  EXPECT_EQ(word_after("VIMNMX.U16x2 R10, R4, R6, PT", 0xffff0005U, 0x00010002U), 0x00010002U);
  EXPECT_EQ(word_after("VIMNMX.S16x2.RELU R10, R4, R6, PT", 0xffff0005U, 0x00010002U), 2U);
  // (1 - 3, 2 + 2) and (0, 3)
  EXPECT_EQ(word_after("VIADDMNMX.S16x2 R10, R4, R6, R8, PT", 0x00010002U, 0xfffd0002U, 3U),
            0xfffe0003U);
}

TEST(PackedLanes, SignsOfRegistersAreInputsOfPredicateLogic) {
  // Table 0x40: a and b, but not c.
  const auto with = [](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    LaneRows before(6);
    before[0][0] = a, before[2][0] = b, before[4][0] = c;
    const auto after = rows_after({"PLOP3.LUT P0, PT, R4.SIGN, R6.SIGN, R8.SIGN, 0x40, 0x0",
                                   "MOV R10, 0x0", "@P0 MOV R10, 0x1"},
                                  before);
    return after.empty() ? 2U : after[0][0];
  };
  EXPECT_EQ(with(0x80000000U, 0xffffffffU, 0x7fffffffU), 1U);
  EXPECT_EQ(with(0x80000000U, 0xffffffffU, 0x80000000U), 0U);
  EXPECT_EQ(with(0x80000000U, 1, 0), 0U);
}

TEST(PackedLanes, IntegersArePackedAboveEachOther) {
  EXPECT_EQ(word_after("I2IP.S8.S32.SAT R10, R4, R6, R8", 200, 0xffffff00U, 0x1234), 0x12347f80U);
  EXPECT_EQ(word_after("I2IP.U8.S32.SAT R10, R4, R6, R8", 200, 0xffffff00U, 0x1234), 0x1234c800U);
  EXPECT_EQ(word_after("I2IP.S16.S32.SAT R10, R4, R6, RZ", 40000, 2), 0x7fff0002U);
  EXPECT_EQ(word_after("I2IP.U4.S32.SAT R10, R4, R6, R8", 3, 99, 0x12), 0x123fU);
  // 2.5 to the even 2, -1 to 0, 300 to 255.
  EXPECT_EQ(word_after("F2IP.U8.F32.NTZ R10, R4, R6, RZ", 0x40200000, 0x43960000), 0x02ffU);
  EXPECT_EQ(word_after("F2IP.U8.F32.NTZ R10, RZ, R4, RZ", 0xbf800000U), 0U);
}

TEST(PackedLanes, FloatsOfEightBits) {
  // e4m3: 1 is 0x38, 448 the largest 0x7e, 2^-9 the least 0x01; e5m2: 1 is 0x3c, 57344 is 0x7b.
  const char* e4m3 = "F2FP.SATFINITE.E4M3.F32.PACK_AB_MERGE_C R10, R4, R6, R8";
  EXPECT_EQ(word_after(e4m3, 0x3f800000, 0x461c4000, 0xabcd1234U), 0x1234387eU);
  EXPECT_EQ(word_after(e4m3, 0x3b000000, not_a_number), 0x017fU);
  EXPECT_EQ(word_after("F2FP.SATFINITE.E5M2.F32.PACK_AB_MERGE_C R10, R4, R6, R8.H1", 0xbf800000U,
                       0x48000000, 0xabcd1234U),
            0xabcdbc7bU);
  EXPECT_EQ(word_after("F2FP.F16.E4M3.UNPACK_B R10, R4", 0x0138), 0x18003c00U);
  EXPECT_EQ(word_after("F2FP.F16.E5M2.UNPACK_B R10, R4.H1", 0x7c3c0000), 0x7c003c00U);
  EXPECT_EQ(word_after("F2FP.SATFINITE.RELU.E4M3.F16.UNPACK_B_MERGE_C R10, R4, RZ", 0xbc003c00U),
            0x0038U);
}

TEST(PackedLanes, FloatsOfTenFractionBits) {
  // 1 + 2^-11 lies between two: to the even one below; cut off it is the same.
  EXPECT_EQ(word_after("F2FP.TF32.F32.PACK_B R10, R4", 0x3f801000), 0x3f800000U);
  EXPECT_EQ(word_after("F2FP.TF32.F32.PACK_B R10, R4", 0x3f803000), 0x3f804000U);
  EXPECT_EQ(word_after("F2FP.TF32.F32.PACK_B.RZ R10, R4", 0x3f803fff), 0x3f802000U);
  EXPECT_EQ(word_after("F2FP.RELU.BF16.F32.MERGE_C R10, R4, R6", 0xbf800000U, 0x1234), 0x12340000U);
}

TEST(PackedLanes, ExtremesWithNansAndSigns) {
  EXPECT_EQ(word_after("FMNMX R10, R4, R6, PT", not_a_number, 0x3f800000), 0x3f800000U);
  EXPECT_EQ(word_after("FMNMX.NAN R10, R4, R6, PT", not_a_number, 0x3f800000), 0x7fffffffU);
  // |-2| and |1|: the least is 1, of the sign of the product.
  EXPECT_EQ(word_after("FMNMX.XORSIGN R10, |R4|, |R6|, PT", 0xc0000000U, 0x3f800000), 0xbf800000U);
  EXPECT_EQ(word_after("HMNMX2.XORSIGN R10, |R4|, |R6|, !PT", 0xc000bc00U, 0x3c00b800U),
            0xc0003c00U);
  EXPECT_EQ(word_after("HSET2.BF.EQU.AND R10, R4, R6, PT", 0x7e003c00, 0x3c003c00), 0x3c003c00U);
}

TEST(PackedLanes, FlushedBeforeRounding) {
  // (1 - 2^-24) 2^-126 would be rounded to 2^-126.
  EXPECT_EQ(word_after("FMUL R10, R4, R6", 0x3f7fffff, 0x00800000), 0x00800000U);
  EXPECT_EQ(word_after("FMUL.FTZ R10, R4, R6", 0x3f7fffff, 0x80800000U), 0x80000000U);
  EXPECT_EQ(word_after("HADD2.FTZ R10, R4, R6", 0x03ff3c00, 0x00010001), 0x00003c00U);
  EXPECT_EQ(word_after("MUFU.RCP R10, R4", 0x807fffffU), 0xff800000U);
  EXPECT_EQ(word_after("MUFU.SIN R10, R4", 0x80000000U), 0x80000000U);
  EXPECT_EQ(word_after("MUFU.EX2.F16 R10, R4.H1", 0xbc000000U), 0x3800U);
}

// A double holds sums and products of halves exactly as far as one rounding needs them.
TEST(PackedLanes, SumsAndProductsOfHalvesAreRoundedOnce) {
  std::mt19937 draw(7);
  for (unsigned round = 0; round < 200; ++round) {
    LaneRows before(6);
    for (std::size_t row = 0; row < 6; row += 2) {
      for (std::uint32_t& word : before[row]) word = static_cast<std::uint32_t>(draw());
    }
    // Every other time the summand is small, and the product of about the size of 1.
    for (unsigned i = 0; round % 2 == 1 && i < lane_count; ++i) {
      before[4][i] &= 0x8fff8fffU;
      before[0][i] = (before[0][i] & 0x83ff83ffU) | 0x38003800U;
      before[2][i] = (before[2][i] & 0x83ff83ffU) | 0x3c003800U;
    }
    const auto fused = rows_after({"HFMA2 R10, R4, R6, R8"}, before);
    const auto sum = rows_after({"HADD2 R10, R4.H1_H1, R6"}, before);
    const auto product = rows_after({"HMUL2 R10, R4, R6.H0_H0"}, before);
    const auto whole = rows_after({"HADD2.F32 R10, -RZ, R4.H1_H1"}, before);
    ASSERT_FALSE(fused.empty() || sum.empty() || product.empty() || whole.empty());
    for (unsigned i = 0; i < lane_count; ++i) {
      const auto part = [&](std::size_t row, unsigned half) {
        return double{half_to_float(before[row][i] >> 16 * half & 0xffffU)};
      };
      const auto halves = [](double low, double high) {
        return double_to_half(high) << 16 | double_to_half(low);
      };
      EXPECT_EQ(fused[0][i],
                halves(part(0, 0) * part(2, 0) + part(4, 0), part(0, 1) * part(2, 1) + part(4, 1)));
      EXPECT_EQ(sum[0][i], halves(part(0, 1) + part(2, 0), part(0, 1) + part(2, 1)));
      EXPECT_EQ(product[0][i], halves(part(0, 0) * part(2, 0), part(0, 1) * part(2, 0)));
      if (const double value = part(0, 1); value == value)
        EXPECT_EQ(whole[0][i], std::bit_cast<std::uint32_t>(static_cast<float>(value - 0.0)));
      else
        EXPECT_EQ(whole[0][i], 0x7fffffffU);
    }
  }
}

TEST(PackedLanes, ZerosAddedDownwardsAreNegative) {
  EXPECT_EQ(word_after("FADD.RM R10, R4, R6", 0x80000000U, 0), 0x80000000U);
  EXPECT_EQ(word_after("FADD.RM R10, R4, R6", 0, 0), 0U);
}

TEST(PackedLanes, NansOfDoublesKeepWhatTheyCarry) {
  LaneRows before(6);
  before[1][0] = 0x7ff40000, before[0][0] = 5, before[3][0] = 0x3ff00000;
  const auto sum = rows_after({"DADD R10, R4, R6"}, before);
  ASSERT_FALSE(sum.empty());
  EXPECT_EQ(sum[1][0], 0x7ffc0000U);
  EXPECT_EQ(sum[0][0], 5U);
  EXPECT_EQ(rows_after({"F2I.F64 R10, R4"}, before)[0][0], 0x80000000U);
  EXPECT_EQ(rows_after({"F2F.F32.F64 R10, R4"}, before)[0][0], 0x7fe00000U);
}

TEST(PackedLanes, LargeIntegersAreRoundedOnce) {
  LaneRows before(6);
  before[0][0] = 0xffffffffU, before[1][0] = 0x7fffffff;  // 2^63 - 1
  const auto cut = rows_after({"I2F.F64.S64.RZ R10, R4"}, before);
  ASSERT_FALSE(cut.empty());
  EXPECT_EQ(cut[1][0], 0x43dfffffU);
  EXPECT_EQ(cut[0][0], 0xffffffffU);
  EXPECT_EQ(rows_after({"I2F.BF16.S64 R10, R4"}, before)[0][0], 0x5f00U);
  EXPECT_EQ(word_after("I2F.BF16.RZ R10, R4", 0xffffff01U), 0xc37fU);  // -255
}

// The first lane's place, as two words of the first row.
TEST(PackedLanes, VectorsInMemoryAreAddedByElements) {
  const auto after = [](const std::string& line, std::uint32_t memory, std::uint32_t second) {
    LaneRows before(6);
    before[0][0] = memory, before[0][1] = second;
    before[2][0] = 0x3f803f80, before[3][0] = 0x3c003c00;
    return rows_after(
        {"ISETP.NE.AND P0, PT, R0, RZ, PT", "@!P0 " + line, "@!P0 LDG.E.64 R10, [R2.64]"}, before);
  };
  const auto bfloats = after("RED.E.ADD.BF16x2.RN.STRONG.GPU [R2.64], R6", 0x3f804000, 7);
  ASSERT_FALSE(bfloats.empty());
  EXPECT_EQ(bfloats[0][0], 0x40004040U);  // 1 + 1, 2 + 1
  EXPECT_EQ(bfloats[1][0], 7U);
  const auto floats = after("RED.E.ADD.F32x2.FTZ.RN.STRONG.GPU [R2.64], R6", 0, 0);
  ASSERT_FALSE(floats.empty());
  EXPECT_EQ(floats[0][0], 0x3f803f80U);
  EXPECT_EQ(floats[1][0], 0x3c003c00U);
  const auto halves = after("RED.E.ADD.F16x4.RN.STRONG.GPU [R2.64], R6", 0, 0x3c000000);
  ASSERT_FALSE(halves.empty());
  EXPECT_EQ(halves[1][0], 0x40003c00U);
}

// The source's address ends in 3: 5 bytes are copied, 3 are zero.
TEST(PackedLanes, CopiesToSharedMemoryFillWithZeros) {
  LaneRows before(6);
  before[0][0] = 0x44332211, before[0][1] = 0x88776655U;
  const auto after = rows_after(
      {"ISETP.NE.AND P0, PT, R0, RZ, PT", "IADD3 R4, R2, 0x3, RZ", "MOV R5, R3", "MOV R12, 0x8",
       "@!P0 LDGSTS.E.64.ZFILL [R12], [R4.64], PT", "@!P0 LDS.64 R10, [R12]"},
      before);
  ASSERT_FALSE(after.empty());
  EXPECT_EQ(after[0][0], 0x44332211U);
  EXPECT_EQ(after[1][0], 0x55U);
}

LaneRows all_lanes_with(std::vector<std::uint32_t> words) {
  LaneRows rows(6);
  for (std::size_t i = 0; i < words.size(); ++i) rows[i].fill(words[i]);
  return rows;
}

TEST(PackedLanes, ProductsOfBits) {
  // Four words of each row: 0xf0 and 0x3f share two bits, differ in six.
  const auto both =
      rows_after({"BMMA.88128.AND.POPC R10, R4.ROW, R6.COL, RZ"}, all_lanes_with({0xf0, 0, 0x3f}));
  ASSERT_FALSE(both.empty());
  EXPECT_EQ(both[0][0], 8U);
  const auto one =
      rows_after({"BMMA.88128.XOR.POPC R10, R4.ROW, R6.COL, RZ"}, all_lanes_with({0xf0, 0, 0x3f}));
  ASSERT_FALSE(one.empty());
  EXPECT_EQ(one[0][9], 24U);
}

TEST(PackedLanes, ProductsOfDoublesOfAllShapes) {
  // 2 times 3, four times.
  const auto sums = rows_after({"DMMA.16x8x4 R10, R4, R8, RZ"},
                               all_lanes_with({0, 0x40000000, 0, 0x40000000, 0, 0x40080000}));
  ASSERT_FALSE(sums.empty());
  EXPECT_EQ(sums[1][5], 0x40380000U);
  EXPECT_EQ(sums[7][31], 0x40380000U);
}

// 1 and eight products of 2^-26 each: none of them reaches the unit's last bit, 2^-25.
TEST(PackedLanes, ProductsOfHalvesAreCutOffBeforeTheyAreAdded) {
  const auto sums = rows_after({"MOV R10, 0x3f800000", "MOV R11, R10", "MOV R12, R10",
                                "MOV R13, R10", "HMMA.1688.F32 R10, R4, R6, R10"},
                               all_lanes_with({0x08000800, 0x08000800, 0x08000800}));
  ASSERT_FALSE(sums.empty());
  EXPECT_EQ(sums[0][0], 0x3f800000U);
}

}  // namespace
}  // namespace forewarp::tests
