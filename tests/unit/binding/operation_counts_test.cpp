// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "binding/operation_counts.h"

#include <array>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "program/modifier.h"
#include "program/widths.h"

namespace forewarp::tests {
namespace {

/// Instructions by opcode, the first operand their result.
class Lines {
 public:
  Lines& add(const char* mnemonic, std::initializer_list<std::uint16_t> registers) {
    Instruction instruction;
    instruction.opcode = find_opcode(mnemonic);
    instruction.instruction_class = opcode_info(instruction.opcode).instruction_class;
    instruction.first_operand = static_cast<std::uint32_t>(kernel.operands.size());
    instruction.operand_count = static_cast<std::uint8_t>(registers.size());
    for (const std::uint16_t number : registers) {
      Operand operand;
      operand.kind = OperandKind::register_;
      operand.index = number;
      kernel.operands.push_back(operand);
    }
    kernel.instructions.push_back(instruction);
    return *this;
  }
  [[nodiscard]] double count(Count kind, std::size_t index, std::size_t first = 0) const {
    Demand demand;
    demand.count(Count::thread_instructions) = 16;
    count_operations(kernel, first, index, demand);
    return demand.count(kind);
  }

  Kernel kernel;
};

// 16 lanes: an addition 16 operations, a multiply-add 32, a packed one 64.
TEST(OperationCounts, OperationsOfTheLanesThatTakePart) {
  Lines lines;
  lines.add("FADD", {0, 1, 2}).add("FFMA", {3, 4, 5, 6}).add("HFMA2", {7, 8, 9, 10});
  lines.add("DMUL", {12, 14, 16}).add("MUFU", {18, 19}).add("IADD3", {20, 21, 22, 23});
  EXPECT_DOUBLE_EQ(lines.count(Count::single_operations, 0), 16);
  EXPECT_DOUBLE_EQ(lines.count(Count::additions, 0), 1);
  EXPECT_DOUBLE_EQ(lines.count(Count::single_operations, 1), 32);
  EXPECT_DOUBLE_EQ(lines.count(Count::fused, 1), 1);
  EXPECT_DOUBLE_EQ(lines.count(Count::half_operations, 2), 64);
  EXPECT_DOUBLE_EQ(lines.count(Count::double_operations, 3), 16);
  EXPECT_DOUBLE_EQ(lines.count(Count::multiplications, 3), 1);
  EXPECT_DOUBLE_EQ(lines.count(Count::divisions, 4), 1);
  EXPECT_DOUBLE_EQ(lines.count(Count::integer_operations, 5), 16);
}

TEST(OperationCounts, AMoveThatIsWrittenAsMultiplyAddCalculatesNothing) {
  Lines lines;
  lines.add("IMAD", {0, 1, 2, 3});
  EXPECT_DOUBLE_EQ(lines.count(Count::fused, 0), 1);
  Instruction& instruction = lines.kernel.instructions[0];
  instruction.modifiers[instruction.modifier_count++] = modifier::mov;
  EXPECT_DOUBLE_EQ(lines.count(Count::fused, 0), 0);
  EXPECT_DOUBLE_EQ(lines.count(Count::integer_operations, 0), 0);
}

// R3 = R1 + R2; R4 = R3 + R2 needs it; R5 = R3 + R2 comes one later; R6 = [R5] is no arithmetic,
// and R7 = R6 + R2 waits for a load, not for arithmetic.
TEST(OperationCounts, DependentIsArithmeticOnTheResultJustBefore) {
  Lines lines;
  lines.add("FADD", {3, 1, 2}).add("FADD", {4, 3, 2}).add("FADD", {5, 3, 2});
  lines.add("LDG", {6, 5}).add("FADD", {7, 6, 2});
  const std::array<double, 5> expected{0, 1, 0, 0, 0};
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_DOUBLE_EQ(lines.count(Count::dependent, i), expected[i]) << i;
  }
  EXPECT_DOUBLE_EQ(lines.count(Count::dependent, 1, 1), 0);  // a block of its own
}

// Twice the product of the shape; the first units do four 8x8x4 in four steps, or two with F16.
TEST(OperationCounts, MatrixShapesAreReadOffTheModifiers) {
  const auto operations = [](const char* mnemonic, const std::string& text,
                             std::initializer_list<Modifier> modifiers = {}) {
    Lines lines;
    lines.add(mnemonic, {0, 8, 16});
    Instruction& instruction = lines.kernel.instructions[0];
    for (const Modifier m : modifiers) instruction.modifiers[instruction.modifier_count++] = m;
    lines.kernel.text = text;
    instruction.text_size = static_cast<std::uint16_t>(text.size());
    return lines.count(Count::matrix_operations, 0);
  };
  EXPECT_DOUBLE_EQ(operations("HMMA", "HMMA.16816.F32 R0, R8, R16, R0"), 2 * 16 * 8 * 16);
  EXPECT_DOUBLE_EQ(operations("HMMA", "HMMA.1688.F32.TF32 R0, R8"), 2 * 16 * 8 * 8);
  EXPECT_DOUBLE_EQ(operations("DMMA", "@!P0 DMMA.884 R0, R8"), 2 * 8 * 8 * 4);
  EXPECT_DOUBLE_EQ(operations("DMMA", "DMMA.8x8x4 R0, R8"), 2 * 8 * 8 * 4);
  EXPECT_DOUBLE_EQ(operations("IMMA", "IMMA.8816.S8.S8 R0, R8.ROW"), 2 * 8 * 8 * 16);
  EXPECT_DOUBLE_EQ(operations("HGMMA", "HGMMA.64x128x16.F32 R0, gdesc"), 2 * 64 * 128 * 16 / 4)
      << "four warps share it";
  EXPECT_DOUBLE_EQ(operations("HMMA", "HMMA.884.F32.F32.STEP2 R0",
                              {modifier::f32, modifier::f32, modifier::step2}),
                   2 * 8 * 8 * 4);
  EXPECT_DOUBLE_EQ(operations("HMMA", "HMMA.884.F16.F16.STEP1 R0", {modifier::step1}),
                   2 * 2 * 8 * 8 * 4);
  EXPECT_DOUBLE_EQ(operations("HMMA", "HMMA.F32 R0, R8"), 0);
  EXPECT_DOUBLE_EQ(operations("DMMA", "DMMA.8x8y4 R0, R8"), 0);
  EXPECT_DOUBLE_EQ(operations("DMMA", "DMMA.8y8x4 R0, R8"), 0);
  EXPECT_DOUBLE_EQ(operations("FADD", "FADD.16816 R0, R8"), 0);
}

// Rows of 32 bytes: 64 of A where it is in shared memory, N of B, twice where A is sparse; four
// warps share them. Each thread holds 64 N / 128 sums, two of 16 bits to a register.
TEST(OperationCounts, ProductsOfWarpGroupsReadSharedMemory) {
  struct Case {
    std::string text;
    bool a_shared;
    Modifier modifier;
    double bytes;
    unsigned sums;
  };
  const Case all[] = {
      {"HGMMA.64x128x16.F32 R24, gdesc[UR8], R24", true, modifier::f32, (64 + 128) * 32 / 4, 64},
      {"HGMMA.64x256x16.F32 R24, R4, gdesc[UR8], R24", false, modifier::f32, 256 * 32 / 4, 128},
      {"HGMMA.64x64x16.F16 R24, gdesc[UR8], R24", true, modifier::f16, (64 + 64) * 32 / 4, 16},
      {"HGMMA.SP.64x16x32.F32 R24, gdesc[UR8], R24", true, modifier::sp, (64 + 32) * 32 / 4, 4},
  };
  for (const Case& one : all) {
    Lines lines;
    lines.add("HGMMA", {24, 4});
    lines.kernel.text = one.text;
    Instruction& instruction = lines.kernel.instructions[0];
    instruction.text_begin = 0;
    instruction.text_size = static_cast<std::uint16_t>(one.text.size());
    instruction.modifiers[0] = one.modifier;
    instruction.modifier_count = 1;
    if (one.a_shared) lines.kernel.operands[1].kind = OperandKind::memory;
    EXPECT_DOUBLE_EQ(matrix_operand_bytes(lines.kernel, instruction), one.bytes) << one.text;
    EXPECT_EQ(widths_of(lines.kernel, instruction).destination, one.sums) << one.text;
  }
}

}  // namespace
}  // namespace forewarp::tests
