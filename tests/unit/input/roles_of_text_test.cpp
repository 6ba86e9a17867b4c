// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Registers that printed instructions read and write: one row per rule of the width table.
#include <gtest/gtest.h>

#include "listing_reading.h"

namespace forewarp::tests::test {
namespace {

struct Row {
  int sm;
  const char* text;
  const char* defines;
  const char* uses;
};

class RolesOfText : public testing::TestWithParam<Row> {};

TEST_P(RolesOfText, AreThoseOfTheRules) {
  const Row& row = GetParam();
  const Kernel kernel = kernel_of(std::string(row.text) + ";", row.sm);
  ASSERT_EQ(kernel.instructions.size(), 1U) << row.text;
  EXPECT_EQ(defines_of(kernel), row.defines) << row.text;
  EXPECT_EQ(uses_of(kernel), row.uses) << row.text;
}

INSTANTIATE_TEST_SUITE_P(
    Widths, RolesOfText,
    testing::Values(
        Row{80, "LDG.E.U8 R2, [R4.64]", "R2", "R4..R5"},
        Row{80, "LDS.128 R8, [R2.X16]", "R8..R11", "R2"},
        Row{90, "LDS.64 R8, [R2+UR4+0x10]", "R8..R9", "R2 UR4"},
        Row{75, "LDG.E.SYS R2, [R4.64+UR6]", "R2", "R4..R5 UR6..UR7"},
        Row{75, "LDG.E.SYS R2, [R4.U32+UR6]", "R2", "R4 UR6..UR7"},
        Row{90, "LDG.E.64 R2, desc[UR4][R6.64]", "R2..R3", "R6..R7"},
        Row{35, "LD.E.64 R2, [R4]", "R2..R3", "R4..R5"}, Row{30, "LD R2, [R4]", "R2", "R4"},
        Row{80, "IMAD.WIDE.U32 R4, R2, R3, R6", "R4..R5", "R2 R3 R6..R7"},
        Row{80, "IMAD.WIDE.U32 R4, P0, R2, R3, R6", "R4..R5 P0", "R2 R3 R6..R7"},
        Row{75, "IMAD.HI.U32 R4, R2, R3, R6", "R4", "R2 R3 R6..R7"},
        Row{80, "UIMAD.WIDE UR4, UR6, UR7, UR8", "UR4..UR5", "UR6 UR7 UR8..UR9"},
        Row{70, "F2F.F64.F32 R2, R4", "R2..R3", "R4"},
        Row{70, "F2F.F32.F64 R2, R4", "R2", "R4..R5"},
        Row{80, "F2F.BF16.F64 R2, R4", "R2", "R4..R5"},
        Row{52, "IMNMX.XHI R9.CC, R5, R3, PT", "CC R9", "R5 R3"},
        Row{52, "IMNMX.U32.XLO R8, R4, R2, PT", "R8", "R4 R2 CC"},
        Row{80, "MATCH.ANY.U64 R8, R4", "R8", "R4..R5"},
        Row{90, "DMMA.16x8x4 R8, R4, R2, R8", "R8..R15", "R4..R7 R2..R3 R8..R15"},
        Row{90, "DMMA.16x8x16 R32, R4, R20, R32", "R32..R39", "R4..R19 R20..R27 R32..R39"},
        Row{70, "F2I.F64.TRUNC R2, R4", "R2", "R4..R5"}, Row{70, "F2I.S64 R2, R4", "R2..R3", "R4"},
        Row{70, "I2F.F64 R2, R4", "R2..R3", "R4"}, Row{70, "I2F.U64 R2, R4", "R2", "R4..R5"},
        Row{70, "I2F.F64.S64 R2, R4", "R2..R3", "R4..R5"},
        Row{70, "FRND.F64.FLOOR R2, R4", "R2..R3", "R4..R5"},
        Row{70, "MUFU.RCP64H R3, R5", "R3", "R5"}, Row{70, "CS2R R2, SRZ", "R2..R3", "-"},
        Row{70, "CS2R.32 R2, SR_CLOCKLO", "R2", "-"}, Row{52, "CS2R R2, SR_CLOCKLO", "R2", "-"},
        Row{75, "HMMA.1688.F32 R4, R8, R10, R4", "R4..R7", "R8..R9 R10 R4..R7"},
        Row{80, "HMMA.1688.F32.TF32 R4, R8, R12, R4", "R4..R7", "R8..R11 R12..R13 R4..R7"},
        Row{75, "HMMA.1688.F16 R4, R8, R10, R4", "R4..R5", "R8..R9 R10 R4..R5"},
        Row{80, "IMMA.16832.S8.S8 R4, R8, R12, R4", "R4..R7", "R8..R11 R12..R13 R4..R7"},
        Row{75, "IMMA.8816.S8.S8 R4, R8, R9, R4", "R4..R5", "R8 R9 R4..R5"},
        Row{90, "DMMA.8x8x4 R4, R8, R10, R4", "R4..R7", "R8..R9 R10..R11 R4..R7"},
        Row{75, "LDSM.16.MT88.4 R4, [R2+UR4]", "R4..R7", "R2 UR4"},
        Row{70, "ATOMG.E.CAS.STRONG.GPU PT, R5, [R4], R8, R9", "R5", "R4..R5 R8 R9"},
        Row{80, "ATOMG.E.CAS.64.STRONG.GPU PT, R4, [R2], R8, R10", "R4..R5",
            "R2..R3 R8..R9 R10..R11"},
        Row{52, "ATOM.E.CAS R5, [R4], R8", "R5", "R4..R5 R8..R9"},
        Row{70, "RED.E.ADD.F64.RN.STRONG.GPU [R2], R4", "-", "R2..R3 R4..R5"},
        Row{80, "CCTL.E.IVALL [R2]", "-", "R2..R3"}));

INSTANTIATE_TEST_SUITE_P(
    Destinations, RolesOfText,
    testing::Values(
        Row{80, "IADD3.X R7, RZ, R17, RZ, P0, !PT", "R7", "R17 P0"},
        Row{80, "IADD3 R7, P1, P2, R1, R2, R3", "R7 P1 P2", "R1 R2 R3"},
        Row{80, "LOP3.LUT P0, RZ, R4, 0xff, RZ, 0xc0, !PT", "P0", "R4"},
        Row{80, "LEA R4, P1, R2, R6, 0x2", "R4 P1", "R2 R6"},
        Row{80, "LEA.HI.X R5, R2, R6, R3, 0x2, P1", "R5", "R2 R6 R3 P1"},
        Row{80, "IMNMX R3, R4, R15, !P2", "R3", "R4 R15 P2"},
        Row{80, "SEL R3, R4, R5, P1", "R3", "R4 R5 P1"},
        Row{80, "ISETP.GE.U32.AND.EX P0, P1, R4, R5, P2, P3", "P0 P1", "R4 R5 P2 P3"},
        Row{80, "SHFL.IDX P1, R13, R2, R3, 0x1f", "P1 R13", "R2 R3"},
        Row{80, "VOTE.ANY R2, P3, P0", "R2 P3", "P0"}, Row{80, "VOTE.ALL P0, P1", "P0", "P1"},
        Row{75, "VOTEU.ANY UR4, UPT, P0", "UR4", "P0"}, Row{80, "MATCH.ANY R4, R5", "R4", "R5"},
        Row{80, "R2UR P0, UR4, R6", "P0 UR4", "R6"},
        Row{35, "SUCLAMP PT, R0, R2, c[0x0][0x10], 0x0", "R0", "R2"},
        Row{80, "P2R R28, PR, RZ, 0x2", "R28", "P1"},
        Row{80, "P2R R28, PR, R3, 0x6b", "R28", "P0..P1 P3 P5..P6 R3"},
        Row{80, "R2P PR, R8, 0x7e", "P0..P6", "R8"},
        Row{80, "PLOP3.LUT P0, PT, P1, P2, PT, 0x80, 0x0", "P0", "P1 P2"},
        Row{80, "B2R.RESULT RZ, P0", "P0", "-"}, Row{80, "BAR.RED.POPC 0x0, P0", "-", "P0"},
        Row{80, "BSSY B0, 0x100", "B0", "-"}, Row{80, "BSYNC B0", "-", "B0"},
        Row{70, "BMOV.32.CLEAR R18, B6", "R18", "B6"}, Row{70, "BMOV.32 B6, R18", "B6", "R18"},
        Row{52, "BRA CC.NEU, 0x890", "-", "CC"}, Row{70, "BRA.DIV ~URZ, 0xd10", "-", "-"},
        Row{52, "IADD R2.CC, R6, R4", "CC R2", "R6 R4"},
        Row{80, "LDGSTS.E.128 [R9], [R2.64], P1", "-", "R9 R2..R3 P1"},
        Row{80, "@!UP0 UIADD3 UR4, UP1, UR5, UR6, URZ", "UR4 UP1", "UP0 UR5 UR6"},
        Row{80, "FCHK P0, R2, R3", "P0", "R2 R3"},
        Row{52, "FSET.BF.GT.AND R2, R3, R4, PT", "R2", "R3 R4"},
        Row{90, "SYNCS.ARRIVE.TRANS64.A1T0 RZ, [UR4], RZ", "-", "UR4"}));

INSTANTIATE_TEST_SUITE_P(
    Textures, RolesOfText,
    testing::Values(
        Row{86, "TEX.SCR.LL RZ, R2, R16, R29, 0x0, 0x5a, 2D, 0x9", "R2..R3", "R16..R17 R29"},
        Row{86, "TEX.SCR.LL RZ, R11, R10, R28, 0x0, 0x5a, 3D, 0x1", "R11", "R10..R11 R28..R29"},
        Row{75, "TEX.SCR.B.LL R8, R6, R12, R6, 2D", "R8..R9 R6..R7", "R12..R13 R6..R7"},
        Row{90, "TEX.LL RZ, R5, R6, R0, UR4, 0x0, 2D, 0x1", "R5", "R6..R7 R0 UR4..UR5"},
        Row{52, "TEXS.P R2, R4, R6, R7, 0x52, 2D, RGBA", "R2..R3 R4..R5", "R6..R7 R7"},
        Row{35, "TEX.P R5, R2, 0x58, 2D, 0x1", "R5", "R2..R3"},
        Row{35, "TEX.P R4, R2, 0x58, 1D, 0xf", "R4..R7", "R2"},
        Row{70, "SUST.D.BA.2D.STRONG.SM.TRAP [R6], R2, UR4, 0x0", "-", "R6..R7 R2 UR4"}));

// sm_80 and later: the pair that older disassemblers hide, out of the words.
TEST(HiddenDescriptor, IsInTheLowWordOfLoadsAndTheHighWordOfOthers) {
  const Kernel kernel = read_one(
      "// arch sm_80\n"
      "/*0000*/ LDG.E R2, [R2.64] ; /* 0x0000000402027981 */\n /* 0x000ea8000c1e1900 */\n"
      "/*0010*/ STG.E [R4.64], R3 ; /* 0x0000000304007986 */\n /* 0x000fe2000c101906 */\n"
      "/*0020*/ ATOMG.E.CAS.STRONG.GPU PT, R5, [R4], R8, R9 ; /* 0x00000008040573a9 */\n"
      " /* 0x000ea800001ee109 */\n");
  const auto descriptors = [&](std::size_t i) {
    std::string text;
    const Roles roles = roles_of(kernel, kernel.instructions[i]);
    for (const RegisterRange& range : roles.read()) {
      if (range.use == RoleUse::uniform_descriptor) text += std::to_string(range.first) + " ";
    }
    return text;
  };
  EXPECT_EQ(descriptors(0), "4 ");
  EXPECT_EQ(descriptors(1), "6 ");
  EXPECT_EQ(descriptors(2), "");
}

}  // namespace
}  // namespace forewarp::tests::test
