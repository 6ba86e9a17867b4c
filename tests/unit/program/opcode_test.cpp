// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "program/opcode.h"

#include <array>
#include <set>

#include <gtest/gtest.h>

#include "program/classify.h"
#include "program/modifier.h"

namespace forewarp::tests {
namespace {

TEST(OpcodeTable, EveryMnemonicIsFoundAsItself) {
  ASSERT_GT(opcode_count(), 250U);
  for (std::size_t i = 1; i < opcode_count(); ++i) {
    const OpcodeInfo& info = opcode_info(static_cast<Opcode>(i));
    EXPECT_EQ(find_opcode(info.mnemonic), i) << info.mnemonic;
    EXPECT_NE(info.instruction_class, InstructionClass::unknown) << info.mnemonic;
  }
}

TEST(OpcodeTable, UnknownMnemonicsHaveNoClass) {
  for (const char* name : {"", "FOO", "IADD4", "iadd", "IADD3.X", "FFM", "FFMAX"}) {
    EXPECT_EQ(find_opcode(name), unknown_opcode) << name;
  }
  EXPECT_EQ(opcode_info(unknown_opcode).instruction_class, InstructionClass::unknown);
  EXPECT_EQ(opcode_info(0xffff).mnemonic, "");
}

// Mnemonics that compiled programs contain, and those that only newer or rarer code has.
TEST(OpcodeTable, HoldsTheKnownInstructionSets) {
  constexpr auto names = std::to_array<std::string_view>({
      "ARRIVES",   "ATOMG",     "B2R",           "BMMA",     "BMOV",         "BREV",
      "BSSY",      "CCTL",      "CGAERRBAR",     "CS2R",     "DMMA",         "DSETP",
      "F2FP",      "FCHK",      "HFMA2",         "I2FP",     "IADD3",        "IDP",
      "IMADSP",    "LDGSTS",    "LDSLK",         "LDSM",     "LOP32I",       "MATCH",
      "NANOSLEEP", "P2R",       "PLOP3",         "R2UR",     "REDUX",        "RRO",
      "S2UR",      "SHFL",      "STSCUL",        "SUCLAMP",  "SYNCS",        "TEXDEPBAR",
      "TLD4",      "UIMAD",     "VABSDIFF4",     "VIMNMX",   "VOTEU",        "XMAD",
      "YIELD",     "BRXU",      "CONT",          "CSMTEST",  "FSWZADD",      "HADD2_32I",
      "LEPC",      "MOVM",      "PEXIT",         "QSPC",     "SUATOM",       "TLD4S",
      "UCLEA",     "UP2UR",     "UR2UP",         "VOTE_VTG", "HGMMA",        "UTMALDG",
      "UBLKCP",    "ELECT",     "ENDCOLLECTIVE", "ACQBULK",  "CGABAR_ARV",   "UCGABAR_WAIT",
      "STSM",      "VIADDMNMX", "VIMNMX3",       "VHMNMX",   "WARPGROUPSET", "USETMAXREG",
      "PREEXIT",   "LDCU",      "UTCHMMA",       "FFMA2",    "UFFMA",
  });
  for (const std::string_view name : names) EXPECT_NE(find_opcode(name), unknown_opcode) << name;
}

TEST(OpcodeTable, ClassNamesAreUniqueAndReversible) {
  std::set<std::string_view> names;
  for (std::size_t i = 0; i < static_cast<std::size_t>(InstructionClass::count_); ++i) {
    const auto instruction_class = static_cast<InstructionClass>(i);
    const std::string_view name = class_name(instruction_class);
    EXPECT_TRUE(names.insert(name).second) << name;
    EXPECT_EQ(class_by_name(name), instruction_class) << name;
  }
  EXPECT_EQ(class_by_name("nothing"), InstructionClass::unknown);
  EXPECT_EQ(class_name(InstructionClass::return_), "return");
}

TEST(Modifiers, AreFoundByTheirText) {
  EXPECT_EQ(find_modifier("WIDE"), modifier::wide);
  EXPECT_EQ(find_modifier("64"), modifier::n64);
  EXPECT_EQ(find_modifier("8x8x4"), modifier::n8x8x4);
  EXPECT_EQ(find_modifier("AND"), modifier::and_);
  EXPECT_EQ(modifier_name(modifier::strong), "STRONG");
  EXPECT_EQ(find_modifier("NOBODY"), unknown_modifier);
  EXPECT_EQ(modifier_name(unknown_modifier), "");
}

InstructionClass class_of_text(std::string_view mnemonic, std::vector<Modifier> modifiers,
                               std::uint32_t sm) {
  return class_of(opcode_info(find_opcode(mnemonic)), modifiers, sm);
}

TEST(Classes, AreRefinedByModifiersAndArchitecture) {
  using C = InstructionClass;
  EXPECT_EQ(class_of_text("IMAD", {}, 80), C::integer_multiply);
  EXPECT_EQ(class_of_text("IMAD", {modifier::mov, modifier::u32}, 80), C::integer_multiply);
  EXPECT_EQ(class_of_text("IMAD", {modifier::wide}, 80), C::integer_multiply_wide);
  EXPECT_EQ(class_of_text("IMAD", {modifier::hi, modifier::u32}, 75), C::integer_multiply_wide);
  EXPECT_EQ(class_of_text("IMAD", {modifier::hi, modifier::x}, 35), C::integer_multiply);
  EXPECT_EQ(class_of_text("HFMA2", {modifier::mma}, 80), C::fp16_mma);
  EXPECT_EQ(class_of_text("HFMA2", {modifier::bf16_v2}, 80), C::fp16);
  EXPECT_EQ(class_of_text("I2I", {}, 61), C::conversion);
  EXPECT_EQ(class_of_text("I2I", {}, 75), C::conversion_fast);
  EXPECT_EQ(class_of_text("I2F", {}, 90), C::conversion);
  EXPECT_EQ(class_of_text("F2F", {modifier::f32, modifier::f16}, 86), C::conversion);
  EXPECT_EQ(class_of_text("F2F", {modifier::f64, modifier::f32}, 86), C::conversion_double);
  EXPECT_EQ(class_of_text("F2F", {modifier::f32, modifier::f64}, 61), C::conversion_double);
  EXPECT_EQ(class_of_text("I2F", {modifier::u64}, 75), C::conversion_double);
  EXPECT_EQ(class_of_text("UIMAD", {modifier::wide}, 80), C::uniform_multiply);
}

}  // namespace
}  // namespace forewarp::tests
