// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "explain/edits/fast_math_edit.h"

#include <gtest/gtest.h>

#include "kernel_builder.h"

namespace forewarp::tests {
namespace {

std::vector<std::uint32_t> places_of(std::initializer_list<std::string_view> lines) {
  const Kernel kernel = testing::kernel_from(70, lines);
  std::vector<std::uint32_t> places;
  for (std::uint32_t i = 0; i < kernel.instructions.size(); ++i) {
    if (is_float_math(kernel, i)) places.push_back(i);
  }
  return places;
}

// a / b of integers multiplies by a reciprocal whose bits are added to: no place. The division of
// floats below it, one place for its reciprocal and its check together, is of converted integers.
TEST(FastMathEdit, CountsDivisionsOfFloatsAlone) {
  EXPECT_EQ(places_of({"I2F.RP R9, R8", "MUFU.RCP R9, R9", "IADD3 R12, R9, 0xffffffe, RZ",
                       "F2I.FTZ.U32.TRUNC.NTZ R11, R12", "I2F R14, R11", "I2F R10, R15",
                       "MUFU.RCP R7, R14", "FCHK P3, R10, R14", "FFMA R8, R7, -R14, 1", "EXIT"}),
            (std::vector<std::uint32_t>{6}));
}

// A reciprocal of a converted integer that goes back to an integer at once, as older code has it.
TEST(FastMathEdit, KnowsTheReciprocalThatIsConvertedBack) {
  EXPECT_TRUE(
      places_of({"I2F.U32.RP R0, R5", "MUFU.RCP R0, R0", "F2I.U32.TRUNC R2, R0", "EXIT"}).empty());
}

// The converted divisor was overwritten by a float before: a division of floats.
TEST(FastMathEdit, LooksAtTheLastWriteOfTheDivisor) {
  EXPECT_EQ(places_of({"I2F R9, R8", "FADD R9, R9, 1", "MUFU.RCP R9, R9",
                       "IADD3 R12, R9, 0xffffffe, RZ", "EXIT"}),
            (std::vector<std::uint32_t>{2}));
}

TEST(FastMathEdit, LeavesDoublesAlone) {
  EXPECT_EQ(places_of({"MUFU.RCP64H R3, R5", "MUFU.RSQ64H R3, R5", "MUFU.RSQ R3, R5", "EXIT"}),
            (std::vector<std::uint32_t>{2}));
}

}  // namespace
}  // namespace forewarp::tests
