// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "input/binary/encoding_table.h"

#include <string>

#include <gtest/gtest.h>

#include "input/binary/instruction_decoder.h"

namespace forewarp::tests {
namespace {

// One form: bits 0..11 are 0x123; a predicate in 12..14 that bit 15 negates, a register in 16..23,
// a number of 8 bits in 32..39 whose highest is its sign, a float in 64..95.
const std::string small =
    "encoding\t1\nbits\t128\narchitectures\t80,86\n"
    "t\t0\t0=@{0} \t1=@!{0} \t2=\t3=@!{0} \n"
    "t\t1\t0=.A\t1=.B\n"
    "i\tfff\t123\t<0>OP<1> {1}, {2}, {3}, {4}\n"
    "f\tP\t12:3:0\nf\tR\t16:8:0\nf\tN\t32:7:0,39:1:-7\nf\tf32\t64:32:0\nf\tA\t40:8:4\t16\n"
    "p\tb15,0=7\t0\np\t2=power\t1\n";

std::string decoded(const EncodingTable& table, InstructionWord word, std::uint32_t address = 0) {
  std::string text;
  return append_instruction(table, word, address, text) ? text : "unknown";
}

TEST(EncodingTable, FieldsAndPartsFillTheText) {
  const auto table = read_encoding(small);
  ASSERT_TRUE(table) << table.error().line();
  // Predicate 7 is left out; 255 is RZ; 0x85 - 0x100 = -0x7b... here 5 with the sign: 5 - 128.
  EXPECT_EQ(decoded(*table, {0x00000285'00ff7123ULL, 0x3f800000}, 0x100),
            "OP.A RZ, -0x7b, 1, 0x130");
  // Not predicate 2, R3, 64 is a power of two, -0.5.
  EXPECT_EQ(decoded(*table, {0x00000040'0003a123ULL, 0xbf000000}),
            "@!P2 OP.B R3, 0x40, -0.5, 0x10");
  EXPECT_EQ(decoded(*table, {0x124, 0}), "unknown");
}

TEST(EncodingTable, FloatsArePrintedAsTheDisassemblerDoes) {
  const auto table = read_encoding(
      "encoding\t1\nbits\t128\narchitectures\t80\ni\tfff\t1\t{0}\nf\tf32\t64:32:0\n"
      "i\tfff\t2\t{0}\nf\tf16\t64:16:0\ni\tfff\t3\t{0}\nf\tf64\t64:20:0\n");
  ASSERT_TRUE(table) << table.error().line();
  EXPECT_EQ(decoded(*table, {1, 0x3dcccccd}), "0.10000000149011611938");
  EXPECT_EQ(decoded(*table, {1, 0x4f000000}), "2.14748364800000000000e+09");
  EXPECT_EQ(decoded(*table, {1, 0x80000000}), "-0.0");
  EXPECT_EQ(decoded(*table, {1, 0x7fc00000}), "+QNAN");
  EXPECT_EQ(decoded(*table, {1, 0xff800000}), "-INF");
  EXPECT_EQ(decoded(*table, {2, 0x3e00}), "1.5");   // half: 1.1b
  EXPECT_EQ(decoded(*table, {3, 0x3ff80}), "1.5");  // the highest 20 bits of a double
}

TEST(EncodingTable, ShortWordsAreLookedUpByTheirHighestBits) {
  const auto table = read_encoding(
      "encoding\t1\nbits\t64\narchitectures\t52\ni\tff00000000000000\t5c00000000000000\tOP {0}\n"
      "f\tR\t0:8:0\n");
  ASSERT_TRUE(table) << table.error().line();
  EXPECT_EQ(decoded(*table, {0x5cab000000000007, 0}), "OP R7");
  EXPECT_EQ(decoded(*table, {0x5dab000000000007, 0}), "unknown");
}

TEST(EncodingTable, ABitPatternThatNoEntryHasIsUnknown) {
  const auto table = read_encoding(
      "encoding\t1\nbits\t128\narchitectures\t80\nt\t0\t0=.A\t2=.C\ni\tfff\t1\tOP<0>\np\tb12,"
      "b13\t0\n");
  ASSERT_TRUE(table) << table.error().line();
  EXPECT_EQ(decoded(*table, {0x0001, 0}), "OP.A");
  EXPECT_EQ(decoded(*table, {0x2001, 0}), "OP.C");
  EXPECT_EQ(decoded(*table, {0x1001, 0}), "unknown");
}

// Words of tests/programs/kernels.fatbin for sm_80, as its disassembler prints them.
TEST(EncodingTable, UniformPermutationsAndReductionsOfWarps) {
  const EncodingTable* const table = encoding_for(80);
  ASSERT_NE(table, nullptr);
  EXPECT_EQ(decoded(*table, {0x0000991004047896, 0x000fcc000800003f}),
            "UPRMT UR4, UR4, 0x9910, URZ");
  EXPECT_EQ(decoded(*table, {0x0000000604047296, 0x000fcc000800003f}), "UPRMT UR4, UR4, UR6, URZ");
  EXPECT_EQ(decoded(*table, {0x00000000070573c4, 0x000e62000000c000}), "REDUX.SUM UR5, R7");
}

TEST(EncodingTable, BallotsHaveAnyRegister) {
  const EncodingTable* const table = encoding_for(90);
  ASSERT_NE(table, nullptr);
  EXPECT_EQ(decoded(*table, {0x0000000000117806, 0x000fc600048e0100}), "VOTE.ANY R17, PT, !P1");
  EXPECT_EQ(decoded(*table, {0x0000000000ff7806, 0x000fc600048e0100}), "VOTE.ANY PT, !P1");
}

// A bit that was found to choose another piece of text, as it makes RZ of a register, is missing.
TEST(EncodingTable, RegistersHaveAllTheirBits) {
  for (const std::uint32_t sm : {50U, 70U, 75U, 80U, 89U, 90U}) {
    for (const EncodingTable::Form& form : encoding_for(sm)->forms) {
      for (const EncodingTable::Field& field : form.fields) {
        if (field.kind != EncodingTable::FieldKind::general) continue;
        for (std::size_t i = 1; i < field.runs.size(); ++i) {
          EXPECT_EQ(field.runs[i].first, field.runs[i - 1].first + field.runs[i - 1].count)
              << "sm_" << sm << ' ' << form.text;
        }
      }
    }
  }
}

TEST(EncodingTable, EveryArchitectureThatADocumentNamesHasOne) {
  for (const std::uint32_t sm :
       {50U, 52U, 53U, 60U, 61U, 62U, 70U, 72U, 75U, 80U, 86U, 87U, 89U, 90U}) {
    const EncodingTable* table = encoding_for(sm);
    ASSERT_NE(table, nullptr) << "sm_" << sm;
    EXPECT_EQ(table->wide, sm >= 70) << "sm_" << sm;
    EXPECT_GT(table->forms.size(), 100U) << "sm_" << sm;
  }
  EXPECT_EQ(encoding_for(35), nullptr);
}

TEST(EncodingTable, DamagedLinesAreRefusedWithTheirNumber) {
  for (const char* line : {"i\txyz\t1\tOP", "f\tR\t0:8:0", "p\tb200\t0", "t\t0\tz=1", "bits\t32",
                           "what\t1", "reuse\t32:124:9", "reuse\t32:124::x"}) {
    const auto table = read_encoding("encoding\t1\n" + std::string(line) + "\n");
    ASSERT_FALSE(table) << line;
    EXPECT_EQ(table.error().place, "line 2 of an encoding") << line;
  }
  EXPECT_FALSE(read_encoding("i\tfff\t1\tOP {0}\n"));
  EXPECT_FALSE(read_encoding("i\tfff\t1\tOP <0>\np\tb1\t7\n"));
}

}  // namespace
}  // namespace forewarp::tests
