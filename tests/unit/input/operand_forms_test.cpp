// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Every operand form that compiled programs print for sm_35 to sm_90, one row each.
#include <bit>
#include <cmath>

#include <gtest/gtest.h>

#include "input/sass/operand_parser.h"
#include "listing_reading.h"
#include "program/modifier.h"

namespace forewarp::tests::test {
namespace {

struct Form {
  const char* text;
  OperandKind kind;
  std::uint16_t index = no_register;
};

class OperandForms : public testing::TestWithParam<Form> {};

TEST_P(OperandForms, HasItsKindAndNumber) {
  const Operand operand = parse_operand(GetParam().text);
  EXPECT_EQ(operand.kind, GetParam().kind) << GetParam().text;
  EXPECT_EQ(operand.index, GetParam().index) << GetParam().text;
}

using K = OperandKind;
INSTANTIATE_TEST_SUITE_P(
    All, OperandForms,
    testing::Values(Form{"R1", K::register_, 1}, Form{"RZ", K::register_, zero_register},
                    Form{"R254", K::register_, 254}, Form{"0x48", K::integer},
                    Form{"PT", K::predicate, 7}, Form{"P6", K::predicate, 6},
                    Form{"c[0x0][0x28]", K::constant, 0}, Form{"[R1+0x14]", K::memory},
                    Form{"R0.reuse", K::register_, 0}, Form{"-R3", K::register_, 3},
                    Form{"[R1]", K::memory}, Form{"1.5", K::floating}, Form{"!PT", K::predicate, 7},
                    Form{"UR4", K::uniform_register, 4}, Form{"R11.reuse.COL", K::register_, 11},
                    Form{"R8.reuse.ROW", K::register_, 8}, Form{"[R13.X4+0x100]", K::memory},
                    Form{"[R2.64]", K::memory}, Form{"R3.CC", K::register_, 3},
                    Form{"B6", K::convergence, 6}, Form{"[R2.64+0x4]", K::memory},
                    Form{"R0.H1", K::register_, 0}, Form{"|R5|", K::register_, 5},
                    Form{"R4.ROW", K::register_, 4}, Form{"R8.COL", K::register_, 8},
                    Form{"SR_CTAID.X", K::special_register, 3}, Form{"+INF", K::floating},
                    Form{"c[0x0] [0x170]", K::constant, 0}, Form{"SB5", K::scoreboard, 5},
                    Form{"c[0x0] [0x8].H1", K::constant, 0}, Form{"[URZ+0x1000]", K::memory},
                    Form{"R0.H1.reuse", K::register_, 0}, Form{"-c[0x0][0x178]", K::constant, 0},
                    Form{"-R14.reuse", K::register_, 14}, Form{"UP0", K::uniform_predicate, 0},
                    Form{"2D", K::word}, Form{"[R13.X4]", K::memory},
                    Form{"SRZ", K::special_register, 21}, Form{"[R3.X8]", K::memory},
                    Form{"R5.B1", K::register_, 5}, Form{"!UPT", K::uniform_predicate, 7},
                    Form{"[R3.X8+0x8]", K::memory}, Form{"c[0x2][R0+0x18]", K::constant, 2},
                    Form{"|R5|.reuse", K::register_, 5}, Form{"1D", K::word},
                    Form{"-UR4", K::uniform_register, 4}, Form{"~R6", K::register_, 6},
                    Form{"[UR6]", K::memory}, Form{"[0x1000]", K::memory},
                    Form{"[R8.64+UR4]", K::memory}, Form{"c[0x2][R0]", K::constant, 2},
                    Form{"-QNAN", K::floating}, Form{"PR", K::predicate_set}, Form{"3D", K::word},
                    Form{"SR_CgaCtaId", K::special_register, 20}, Form{"CC.NEU", K::condition_code},
                    Form{"CC.EQ", K::condition_code}, Form{"[R2.X4+UR4+0x8]", K::memory},
                    Form{"RGBA", K::word}, Form{"~c[0x0][0x17c]", K::constant, 0},
                    Form{"ARRAY_2D", K::word}, Form{"[R8.64+UR6+0x1]", K::memory},
                    Form{"|c[0x0] [0x150]|", K::constant, 0}, Form{"CUBE", K::word},
                    Form{"c[0x3][UR5+0x8]", K::constant, 3}, Form{"-|R12|", K::register_, 12},
                    Form{"{1}", K::scoreboard_set}, Form{"[R0+UR7]", K::memory},
                    Form{"R10.H0_H0", K::register_, 10}, Form{"c[0x3][UR4]", K::constant, 3},
                    Form{"-INF", K::floating}, Form{"-RZ.H0_H0", K::register_, 255},
                    Form{"R7.H1_H1", K::register_, 7}, Form{"[R6+UR4+0x12]", K::memory},
                    Form{"~R3.reuse", K::register_, 3}, Form{"~UR7", K::uniform_register, 7},
                    Form{"{1,0}", K::scoreboard_set}, Form{"CC", K::condition_code},
                    Form{"R7.reuse.H0_H0", K::register_, 7}, Form{"[R0.U32+UR4]", K::memory},
                    Form{"R6.reuse.H1_H1", K::register_, 6}, Form{"+QNAN", K::floating},
                    Form{"[R2.X4+UR4]", K::memory}, Form{"-c[0x0] [0x150]", K::constant, 0},
                    Form{"[R2.X16+0x10]", K::memory}, Form{"RG", K::word}, Form{"RGB", K::word},
                    Form{"RA", K::word}, Form{"R0.H0_H0.reuse", K::register_, 0},
                    Form{"-|R0|.reuse", K::register_, 0}, Form{"c[0x0][RZ]", K::constant, 0},
                    Form{"cx[UR4][0x10]", K::constant}, Form{"desc[UR6][R2.64+0x10]", K::memory},
                    Form{"`(.L_x_5)", K::word}, Form{"32@lo(table)", K::word}, Form{"R", K::word},
                    Form{"0.5.NEG", K::floating}, Form{"gdesc[UR8]", K::memory},
                    Form{"gdesc[UR8].tnspB", K::memory}));

Operand parsed(const char* text) {
  return parse_operand(text);
}

TEST(Operands, PrefixesAndSuffixesInAnyOrder) {
  EXPECT_TRUE(parsed("-R3").negate);
  EXPECT_TRUE(parsed("~UR7").invert);
  EXPECT_TRUE(parsed("!P2").invert);
  const Operand both = parsed("-|R12|.reuse");
  EXPECT_TRUE(both.negate && both.absolute && both.reuse);
  for (const char* text : {"R0.H1.reuse", "R0.reuse.H1"}) {
    EXPECT_EQ(parsed(text).part, Part::h1) << text;
    EXPECT_TRUE(parsed(text).reuse) << text;
  }
  EXPECT_TRUE(parsed("R3.CC").writes_cc);
  EXPECT_EQ(parsed("R5.B2").part, Part::b2);
  EXPECT_EQ(parsed("-RZ.H0_H0").part, Part::h0_h0);
  EXPECT_FALSE(parsed("R8.COL").reuse);
}

TEST(Operands, MemoryParts) {
  const Operand full = parsed("[R8.64+UR6+0x10]");
  EXPECT_EQ(full.base, 8);
  EXPECT_EQ(full.uniform_base, 6);
  EXPECT_EQ(full.value, 16);
  EXPECT_TRUE(full.wide);
  EXPECT_EQ(parsed("[R2+-0x8]").value, -8);
  EXPECT_EQ(parsed("[R13.X16+0x100]").scale, 16);
  EXPECT_TRUE(parsed("[R0.U32+UR4]").unsigned_base);
  EXPECT_EQ(parsed("[URZ+0x1000]").uniform_base, zero_uniform_register);
  EXPECT_EQ(parsed("[0x200]").base, no_register);
  const Operand described = parsed("desc[UR6][R2.64]");
  EXPECT_EQ(described.descriptor, 6);
  EXPECT_EQ(described.base, 2);
}

TEST(Operands, ConstantParts) {
  const Operand indexed = parsed("c[0x3][R3+0x4]");
  EXPECT_EQ(indexed.index, 3);
  EXPECT_EQ(indexed.base, 3);
  EXPECT_EQ(indexed.value, 4);
  EXPECT_EQ(parsed("c[0x3][UR5+0x8]").uniform_base, 5);
  EXPECT_EQ(parsed("c[0x0] [0x8].H1").part, Part::h1);
  EXPECT_EQ(parsed("c [0x0] [0x44]").value, 0x44);  // as older disassemblers print it
  EXPECT_TRUE(parsed("-c[0x0][0x178]").negate);
}

TEST(Operands, Numbers) {
  EXPECT_EQ(parsed("-0x8").value, -8);
  EXPECT_EQ(parsed("0xffffffff").value, 0xffffffffLL);
  const auto number = [](const char* text) { return std::bit_cast<double>(parsed(text).value); };
  EXPECT_EQ(number("-2.5"), -2.5);
  EXPECT_FALSE(parsed("-2.5").negate);  // the sign is in the value
  EXPECT_EQ(number("0.5.NEG"), -0.5);
  EXPECT_EQ(number("8.NEG"), -8);
  EXPECT_EQ(number("1.84467440737095516160e+19"), 18446744073709551616.0);
  EXPECT_TRUE(std::isinf(number("-INF")) && number("-INF") < 0);
  EXPECT_TRUE(std::isnan(number("+QNAN")));
  EXPECT_EQ(parsed("{1,0}").value, 3);
  EXPECT_EQ(parsed("{5}").value, 32);
  EXPECT_EQ(parsed("CC.NEU").value, modifier::neu);
}

TEST(Operands, WhatIsNoneOfTheFormsIsAWord) {
  for (const char* text :
       {"",     "R300", "R1x", "UR70", "P8", "B99", "[R2",      "[Q]",   "c[0x0]", "c[0x0][",
        "0xzz", "{a}",  "-",   "~|",   "|",  "SBx", "desc[R2]", "1.2.3", "{1,,2}", "{1"}) {
    EXPECT_EQ(parsed(text).kind, OperandKind::word) << text;
  }
}

TEST(Operands, DecimalsOfSinglePrecisionAreRoundedToFloat) {
  const Kernel single = kernel_of("FMUL32I R4, R2, 0.10000000149011611938;", 52);
  const Kernel twice = kernel_of("DMUL R4, R2, 0.10000000149011611938;", 52);
  const auto value = [](const Kernel& k) { return std::bit_cast<double>(k.operands[2].value); };
  EXPECT_EQ(value(single), static_cast<double>(0.1F));
  EXPECT_EQ(value(twice), 0.10000000149011611938);
}

TEST(Operands, RegisterAndOffsetAreTwoOperands) {
  const Kernel kernel = kernel_of("RET.REL.NODEC R20 0x0;\nBRX R6 -0x140;\nEXIT P2;", 70);
  EXPECT_EQ(kernel.instructions[0].operand_count, 2);
  EXPECT_EQ(uses_of(kernel, 0), "R20..R21");
  EXPECT_EQ(kernel.operands_of(kernel.instructions[1])[1].value, -0x140);
  EXPECT_EQ(uses_of(kernel, 2), "P2");
}

}  // namespace
}  // namespace forewarp::tests::test
