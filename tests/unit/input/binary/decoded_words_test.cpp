// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Words whose text depends on a number that is left out at 0, on registers in every part of their
// range, or on a pair of registers: forms that listings of few kernels do not settle.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "input/binary/instruction_decoder.h"

namespace forewarp::tests {
namespace {

struct Expected {
  std::uint32_t sm = 0;
  std::uint64_t low = 0, high = 0;
  std::string text;
};

/// Texts of nvdisasm 12.4.
const std::vector<Expected> expected{
    {60, 0x5bd7020000170000, 0x0, "LEA R0, R0, R1, 0x4"},
    {60, 0x5bd7010000100005, 0x0, "@P0 LEA R5, R0, R1, 0x2"},
    {60, 0x5bd780000ff00204, 0x0, "@P0 LEA R4.CC, R2, RZ"},
    {60, 0x5c00000000472e04, 0x0, "BFE.U32 R4, R46, R4"},
    {60, 0xeef1000000270404, 0x0, "ATOM.E.CAS R4, [R4], R2, R3"},
    {60, 0xeef3000000470806, 0x0, "ATOM.E.CAS.64 R6, [R8], R4, R6"},
    {60, 0xee4000004087ff09, 0x0, "ATOMS.CAS R9, [0x4], R8, R9"},
    {60, 0xebf9000000670204, 0x0, "RED.E.ADD.F64.RN [R2], R4"},
    {60, 0xf0a81b8002070000, 0x0, "BAR.SYNC 0x0, 0x20"},
    {60, 0xf0a81b8008070000, 0x0, "BAR.SYNC 0x0, 0x80"},
    {60, 0xf0a81b8006070000, 0x0, "BAR.SYNC 0x0, 0x60"},
    {52, 0x38e0000000673607, 0x0, "I2I.S32.S16 R7, 0x6"},
    {60, 0x5ce0040000070603, 0x0, "I2I.U32.U16 R3, R0.H1"},
    {60, 0x5ce0040001173603, 0x0, "I2I.S32.S16 R3, R17.H1"},
    {70, 0x2000000007b1d, 0x0, "BAR.SYNC 0x0, 0x80"},
    {70, 0x1800000007b1d, 0x0, "BAR.SYNC 0x0, 0x60"},
    {70, 0xffffffffff177424, 0xe06ff, "IMAD.X R23, RZ, RZ, -0x1, P0"},
    {60, 0x4901038005270a11, 0x0, "DSET.LT.AND R17, R10, c[0x0][0x148], PT"},
    {60, 0x4906038800870404, 0x0, "DSET.GE.AND R4, R4, c[0x2][0x20], PT"},
    {70, 0x820000005037989, 0x4, "SHFL.DOWN P0, R3, R5, 0x1, R4"},
    {75, 0xff00098e, 0xc114104, "@P0 RED.E.ADD.STRONG.GPU [UR4], R0"},
    {75, 0x9ff102984, 0x8001a00, "@P2 LDS.U.64 R16, [UR9]"},
    {75, 0x2000000007b1d, 0x0, "BAR.SYNC 0x0, 0x80"},
    {75, 0x8101000f988, 0x8000904, "@!PT STS [R16+UR4+0x8], R16"},
    {80, 0x8101000f988, 0x8000904, "@!PT STS [R16+UR4+0x8], R16"},
    {80, 0x2000000007b1d, 0x0, "BAR.SYNC 0x0, 0x80"},
    {80, 0xffffffffff087424, 0x8e06ff, "IMAD.X R8, RZ, RZ, -0x1, P1"},
    {80, 0x820000005037989, 0x4, "SHFL.DOWN P0, R3, R5, 0x1, R4"},
    {87, 0xffffffff00007956, 0x0, "BMOV.32 B0, 0xffffffff"},
    {87, 0x17f55, 0x100000, "BMOV.32.CLEAR B1, B0"},
    {90, 0x2000000007b1d, 0x0, "BAR.SYNC 0x0, 0x80"},
    {90, 0xffffffffff067424, 0x8e06ff, "IMAD.X R6, RZ, RZ, -0x1, P1"},
    {90, 0x820000002067989, 0x5, "SHFL.DOWN P0, R6, R2, 0x1, R5"},
};

TEST(DecodedWords, AreWhatTheDisassemblerPrints) {
  for (const Expected& e : expected) {
    std::string text;
    ASSERT_TRUE(append_instruction(*encoding_for(e.sm), {e.low, e.high}, 0, text)) << e.text;
    EXPECT_EQ(text, e.text);
  }
}

}  // namespace
}  // namespace forewarp::tests
