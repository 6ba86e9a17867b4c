// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Video instructions before sm_70, as compilers spell them; what PTX says of them, by hand.
#include <cstdint>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "execution/lowering/kernel_lowering.h"
#include "execution/lowering/unread_modifiers.h"
#include "execution/state/video_form.h"
#include "kernel_builder.h"
#include "listed_lanes.h"

namespace forewarp::tests {
namespace {

/// OPCODE R10, A, B, C of sm_61, with these in R4, R6 and R8.
std::uint32_t video(const std::string& opcode, std::uint32_t a, std::uint32_t b,
                    std::uint32_t c = 0, const std::string& operands = "R4, R6, R8") {
  return word_after(opcode + " R10, " + operands, a, b, c, 61);
}

constexpr std::uint32_t word(std::int64_t value) {
  return static_cast<std::uint32_t>(value);
}

constexpr std::uint32_t least = 0x80000000U, most = 0x7fffffffU;

// Bytes 01 7f f0 80 from the lowest on, halves 7f01 and 80f0.
constexpr std::uint32_t parts = 0x80f07f01U;

TEST(Video, ReadsPartsWithTheirSigns) {
  EXPECT_EQ(video("VADD.U8.S8", parts, parts, 0, "R4.B3, R6.B2, RZ"), word(128 - 16));
  EXPECT_EQ(video("VADD.S8.U8", parts, parts, 0, "R4.B3, R6.B2, RZ"), word(-128 + 240));
  EXPECT_EQ(video("VADD.S8.U16", parts, parts, 0, "R4.B1, R6, RZ"), word(0x7f + 0x7f01));
  EXPECT_EQ(video("VADD.S16.S32", parts, 7, 0, "R4.H1, R6, RZ"), word(0x80f0 - 0x10000 + 7));
  EXPECT_EQ(video("VADD.U16.U8", parts, parts, 0, "R4.H1, R6, RZ"), word(0x80f0 + 1));
  EXPECT_EQ(video("VADD.U8.U16.ACC", parts, 0, 1000, "R4.B1, 0x5, R8"), word(0x7f + 5 + 1000));
}

TEST(Video, SubtractsAPartNotTheWord) {
  EXPECT_EQ(video("VADD.S16.U8", parts, parts, 0, "R4.H1, -R6.B2, RZ"),
            word(0x80f0 - 0x10000 - 0xf0));
  EXPECT_EQ(video("VADD.U32.U16", 3, 0, 0, "R4, -0x5, RZ"), word(3 - 5));
}

TEST(Video, SaturatesToTheResultsType) {
  // 2^31 - 1 - (-1) = 2^31
  EXPECT_EQ(video("VADD.SAT", most, word(-1), 0, "R4, -R6, RZ"), most);
  EXPECT_EQ(video("VADD.UD.SAT", most, word(-1), 0, "R4, -R6, RZ"), least);
  EXPECT_EQ(video("VADD.SAT", least, word(-1), 0, "R4, R6, RZ"), least);
  EXPECT_EQ(video("VADD.UD.SAT", 3, word(-5), 0, "R4, R6, RZ"), 0U);
  EXPECT_EQ(video("VADD.UD.U32.U32.SAT", word(-1), 2, 0, "R4, R6, RZ"), word(-1));
  EXPECT_EQ(video("VABSDIFF.SD.SAT", most, word(-1), 0, "R4, R6, RZ"), most);
  // The clamp comes before c.
  EXPECT_EQ(video("VADD.SAT.ACC", most, 1, 1), least);
}

TEST(Video, CombinesWithTheThird) {
  EXPECT_EQ(video("VADD.ACC", 3, 4, word(-9)), word(3 + 4 - 9));
  EXPECT_EQ(video("VADD.MAX", 3, 4, word(-9)), 7U);
  EXPECT_EQ(video("VADD.UD.MAX", 3, 4, word(-9)), word(-9));
  EXPECT_EQ(video("VADD.MIN", 3, 4, word(-9)), word(-9));
  EXPECT_EQ(video("VMNMX.MX.ACC", word(-3), 4, 10), 4U + 10);
  EXPECT_EQ(video("VMNMX.MX.MAX", word(-3), 4, 10), 10U);
  EXPECT_EQ(video("VMNMX.MX.MIN", word(-3), 4, 10), 4U);
  EXPECT_EQ(video("VMNMX.MIN", word(-3), 4, 10), word(-3));
  EXPECT_EQ(video("VMNMX.MAX", word(-3), 4, 10), 10U);
  EXPECT_EQ(video("VABSDIFF.SD.ACC", word(-3), 4, 10), 7U + 10);
  EXPECT_EQ(video("VABSDIFF.U8.U8.ACC", 0xaa03, 0xbb08, 10), 5U + 10);
}

TEST(Video, ExtremesAndDifferencesAreOfNumbers) {
  // As words of one kind the larger would be the other.
  EXPECT_EQ(video("VMNMX.S32.U32", word(-1), 5, 0, "R4, R6, RZ"), word(-1));
  EXPECT_EQ(video("VMNMX.U32.S32.MX", word(-1), 5, 0, "R4, R6, RZ"), word(-1));
  EXPECT_EQ(video("VMNMX.U8.S16", 0xff00, 0x8000, 0, "R4.B1, R6, RZ"), word(-0x8000));
  EXPECT_EQ(video("VABSDIFF.U32.U32", 1, word(-1), 0, "R4, R6, RZ"), word(-2));
  EXPECT_EQ(video("VABSDIFF", 1, word(-1), 0, "R4, R6, RZ"), 2U);
  // |(2^32 - 1) - (-1)| = 2^32
  EXPECT_EQ(video("VABSDIFF.U32.S32.SAT", word(-1), word(-1), 0, "R4, R6, RZ"), word(-1));
}

TEST(Video, GoesIntoAPartOfTheThird) {
  EXPECT_EQ(video("VADD.MRG_8B0", 0x1234, 1, 0xaabbccddU), 0xaabbcc35U);
  EXPECT_EQ(video("VADD.MRG_8B2", 0x1234, 1, 0xaabbccddU), 0xaa35ccddU);
  EXPECT_EQ(video("VADD.MRG_16L", 0x1234, 1, 0xaabbccddU), 0xaabb1235U);
  EXPECT_EQ(video("VADD.MRG_16H", 0x1234, 1, 0xaabbccddU), 0x1235ccddU);
  // What saturates has the part's width.
  EXPECT_EQ(video("VADD.SAT.MRG_8B0", 0x1234, 1, 0), 0x7fU);
  EXPECT_EQ(video("VADD.UD.SAT.MRG_8B2", 0x1234, 1, 0), 0xff0000U);
  EXPECT_EQ(video("VADD.SAT.MRG_16H", word(-40000), 0, 0), 0x80000000U);
}

TEST(Video, MultipliesAndAdds) {
  EXPECT_EQ(video("VMAD.S16.S16", parts, parts, 5, "R4, R6.H1, R8"),
            word(0x7f01 * (0x80f0 - 0x10000) + 5));
  EXPECT_EQ(video("VMAD.U8.S8", parts, parts, 5, "-R4.B3, R6.B2, R8"), word(-(128 * -16) + 5));
  EXPECT_EQ(video("VMAD.U8.U8", 6, 7, 100, "R4, R6, -R8"), word(6 * 7 - 100));
  EXPECT_EQ(video("VMAD.U16.U8.PO", 6, 7, 100), 6U * 7 + 100 + 1);
  EXPECT_EQ(video("VMAD.S16.S16.SHR_7", word(-300), 9, 1), word((-300 * 9 + 1 - 127) / 128));
  EXPECT_EQ(video("VMAD.U16.U16.SHR_15", 0xffff, 0xffff, 0), 0xfffe0001U >> 15);
  // (2^32 - 1)^2 + 2^32 - 1 = (2^32 - 1) 2^32: without a sign, and negated with one
  EXPECT_EQ(video("VMAD.U32.U32", word(-1), word(-1), word(-1)), 0U);
  EXPECT_EQ(video("VMAD.U32.U32.SAT", word(-1), word(-1), word(-1)), word(-1));
  EXPECT_EQ(video("VMAD.U32.U32.SAT", word(-1), word(-1), word(-1), "-R4, R6, R8"), least);
  EXPECT_EQ(video("VMAD.U32.U32.SAT", word(-1), word(-1), 0, "R4, R6, -R8"), most);
  EXPECT_EQ(video("VMAD.SAT", least, least, 0), most);
}

TEST(Video, ComparesNumbers) {
  const auto set = [](const std::string& by) {
    std::string results;
    for (const std::uint32_t b : {4U, 5U, 6U})
      results += std::to_string(video("VSET." + by, 5, b, 0, "R4, R6, RZ"));
    return results;
  };
  EXPECT_EQ(set("LT"), "001");
  EXPECT_EQ(set("LE"), "011");
  EXPECT_EQ(set("EQ"), "010");
  EXPECT_EQ(set("NE"), "101");
  EXPECT_EQ(set("GE"), "110");
  EXPECT_EQ(set("GT"), "100");
  EXPECT_EQ(video("VSET.LT.S32.U32", word(-1), word(-1), 0, "R4, R6, RZ"), 1U);
  EXPECT_EQ(video("VSET.LT", word(-1), word(-1), 0, "R4, R6, RZ"), 0U);
  EXPECT_EQ(video("VSET.GT.U8.U8.ACC", 0x0500, 0x0600, 7, "R4.B1, R6, R8"), 1U + 7);
  EXPECT_EQ(video("VSET.GT.MAX", 5, 4, word(-1)), word(-1));  // c has no sign
  EXPECT_EQ(video("VSET.GT.MRG_16H", 5, 4, 0xaabbccddU), 0x0001ccddU);
}

TEST(Video, Shifts) {
  EXPECT_EQ(video("VSHL.UD.U32.U32", 3, 31, 0, "R4, R6, RZ"), 0x80000000U);
  EXPECT_EQ(video("VSHL.UD.U32.U32", 3, 33, 0, "R4, R6, RZ"), 0U);
  EXPECT_EQ(video("VSHL.UD.U32.U32.W", 3, 33, 0, "R4, R6, RZ"), 6U);
  EXPECT_EQ(video("VSHL.U8.U32.W.ACC", 0x0300, 1, 10, "R4.B1, R6, R8"), 6U + 10);
  EXPECT_EQ(video("VSHL.UD.U32.U32.SAT", 3, 31, 0, "R4, R6, RZ"), word(-1));
  EXPECT_EQ(video("VSHL.SAT", word(-3), 31, 0, "R4, R6, RZ"), least);
  EXPECT_EQ(video("VSHR", word(-3), 1, 0, "R4, R6, RZ"), word(-2));
  EXPECT_EQ(video("VSHR", word(-3), 200, 0, "R4, R6, RZ"), word(-1));
  EXPECT_EQ(video("VSHR", word(-3), word(-1), 0, "R4, R6, RZ"), word(-1));  // no sign of the count
  EXPECT_EQ(video("VSHR.UD.U32.U8", word(-3), 0x1c00, 0, "R4, R6.B1, RZ"), 15U);
  EXPECT_EQ(video("VSHR.UD.U32.U16", 0x100, 0, 0, "R4, 0x5, RZ"), 8U);
}

TEST(Video, DifferencesOfBytes) {
  // Bytes 01 and ff, 80 and 7f: |1 - 255|, |128 - 127|; with a sign |1 + 1|, |-128 - 127|.
  EXPECT_EQ(video("VABSDIFF4.U8.U8", 0x8001, 0x7fff), 0x01feU);
  EXPECT_EQ(video("VABSDIFF4", 0x8001, 0x7fff), 0xff02U);
  EXPECT_EQ(video("VABSDIFF4.U8.S8", 0x8001, 0x7fff), 0x0102U);
  EXPECT_EQ(video("VABSDIFF4.S8.U8.ACC", 0x8001, 0x7fff, 1000), 254U + 255 + 1000);
  EXPECT_EQ(word_after("VABSDIFF4.U8 R10, R4, R6, R8", 0x8001, 0x7fff), 0x01feU);
  EXPECT_EQ(word_after("VABSDIFF4.ACC R10, R4, R6, R8", 0x8001, 0x7fff, 1000), 2U + 255 + 1000);
}

TEST(Video, FormsArePackedWhole) {
  VideoForm form;
  form.first = VideoForm::First::shift_right;
  form.second = VideoForm::Second::into_h1;
  form.a = {3, 0, false, true};
  form.b = {2, 1, true, false};
  form.subtracts_c = form.wraps = form.saturates = true;
  form.is_signed = false;
  form.scale = 2, form.holds = 5;
  const VideoForm again = VideoForm::unpacked(form.packed());
  EXPECT_EQ(again.first, form.first);
  EXPECT_EQ(again.second, form.second);
  EXPECT_EQ(again.a.byte, 3);
  EXPECT_EQ(again.a.width, 0);
  EXPECT_FALSE(again.a.is_signed);
  EXPECT_TRUE(again.a.negative);
  EXPECT_EQ(again.b.byte, 2);
  EXPECT_EQ(again.b.width, 1);
  EXPECT_TRUE(again.b.is_signed);
  EXPECT_FALSE(again.b.negative);
  EXPECT_TRUE(again.subtracts_c && again.wraps && again.saturates);
  EXPECT_FALSE(again.plus_one || again.is_signed);
  EXPECT_EQ(again.scale, 2);
  EXPECT_EQ(again.holds, 5);
}

TEST(Video, NothingIsPassedOver) {
  const std::string_view known[] = {"VMNMX.MX.MAX R0, R1, R2, R3",
                                    "VMNMX.MIN R0, R1, R2, R3",
                                    "VADD.ACC R0, R1, R2, R3",
                                    "VADD.UD.U32.U32.SAT.MRG_8B2 R0, R1, R2, R3",
                                    "VABSDIFF.SD.U8.U8.ACC R0, R1, R2, R3",
                                    "VMAD.S8.S8.PO.SHR_7.SAT R0, R1, R2, R3",
                                    "VSET.GT.U16.U16.MAX R0, R1, R2, R3",
                                    "VSHL.UD.U8.U8.W.SAT.MIN R0, R1, R2, R3",
                                    "VABSDIFF4.U8.U8.ACC R0, R1, R2, R3"};
  for (const std::string_view line : known) {
    const Kernel kernel = testing::kernel_from(61, {line, "EXIT"});
    EXPECT_EQ(unread_text(kernel), "");
    EXPECT_NE(lower_kernel(kernel)->ops[0].operation, Operation::unsupported) << line;
  }
  const std::string_view unknown[] = {
      "VADD.TWICE R0, R1, R2, R3",   "VADD.U8 R0, R1, R2, R3",        "VADD R0, -R1, R2, R3",
      "VADD R0.CC, R1, R2, R3",      "VADD R0, R1.B1, R2, R3",        "VMNMX R0, R1, -R2, R3",
      "VMAD.PO R0, -R1, R2, R3",     "VMAD.ACC R0, R1, R2, R3",       "VSET R0, R1, R2, R3",
      "VSHL.U32.S32 R0, R1, R2, R3", "VADD.S16.S16 R0, R1, R2.B1, R3"};
  for (const std::string_view line : unknown) {
    const Kernel kernel = testing::kernel_from(61, {line, "EXIT"});
    EXPECT_EQ(lower_kernel(kernel)->ops[0].operation, Operation::unsupported) << line;
  }
}

}  // namespace
}  // namespace forewarp::tests
