// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "binding/code_edit.h"

#include <gtest/gtest.h>

#include "kernel_builder.h"

namespace forewarp::tests {
namespace {

/// A board on which a float operation answers after four cycles.
Gpu board() {
  Gpu gpu;
  gpu.classes["fp32"].latency = 4;
  gpu.classes["move"].latency = 4;
  return gpu;
}

std::string_view mnemonic(const Kernel& kernel, std::size_t index) {
  return opcode_info(kernel.instructions[index].opcode).mnemonic;
}

std::uint16_t register_of(const Kernel& kernel, std::size_t index, std::size_t operand) {
  return kernel.operands_of(kernel.instructions[index])[operand].index;
}

/// What a kernel waits for at each instruction, as it was compiled.
void set_waits(Kernel& kernel, std::initializer_list<std::uint8_t> masks) {
  std::size_t i = 0;
  for (const std::uint8_t mask : masks) {
    kernel.instructions[i].control.known = true;
    kernel.instructions[i].control.stall = 1;
    kernel.instructions[i++].control.wait_mask = mask;
  }
}

TEST(CodeEdit, WhatIsDroppedLeavesItsWaitsToTheNext) {
  Kernel kernel = testing::kernel_from(
      86, {"LDG.E R2, [R4.64]", "F2F.F64.F32 R6, R2", "FADD R8, R6, R6", "EXIT"});
  set_waits(kernel, {0, 0b001, 0b010, 0});
  const KernelAnalysis analysis = analyze(kernel);
  const Gpu gpu = board();
  CodeEdit edit(analysis, gpu);
  edit.drop(1);
  const auto after = edit.take();
  EXPECT_EQ(after->instructions[2].control.wait_mask, 0b011);
  EXPECT_EQ(edit.dropped(), (std::vector<bool>{false, true, false, false}));
}

TEST(CodeEdit, WaitersOfWhatWentWaitForWhatCameInstead) {
  Kernel kernel = testing::kernel_from(86, {"LDG.E R2, [R4.64]", "LDG.E R3, [R4.64+0x4]",
                                            "FADD R8, R2, R2", "FADD R9, R3, R3", "EXIT"});
  set_waits(kernel, {0, 0, 0b000001, 0b000010, 0});
  kernel.instructions[0].control.write_barrier = 0;
  kernel.instructions[1].control.write_barrier = 1;
  const KernelAnalysis analysis = analyze(kernel);
  const Gpu gpu = board();
  CodeEdit edit(analysis, gpu);
  edit.wait_for(0, 1);
  edit.drop(1);
  EXPECT_EQ(edit.take()->instructions[3].control.wait_mask, 0b000011);
}

// A float addition answers after 4 cycles: 2 pass at the move between, so it stalls for 2 itself.
TEST(CodeEdit, AReplacedOperationSpacesItsFirstReader) {
  Kernel kernel =
      testing::kernel_from(86, {"DADD R2, R4, R6", "MOV R9, R8", "DADD R10, R2, R2", "EXIT"});
  set_waits(kernel, {0, 0, 0, 0});
  kernel.instructions[0].control.write_barrier = 2;
  kernel.instructions[1].control.stall = 2;
  const KernelAnalysis analysis = analyze(kernel);
  const Gpu gpu = board();
  CodeEdit edit(analysis, gpu);
  edit.replace(0, "FADD");
  edit.replace(2, "FADD");
  const auto after = edit.take();
  EXPECT_EQ(mnemonic(*after, 0), "FADD");
  EXPECT_EQ(after->instructions[0].instruction_class, InstructionClass::fp32);
  EXPECT_EQ(after->instructions[0].control.write_barrier, no_barrier);
  EXPECT_EQ(after->instructions[0].control.stall, 2);
  EXPECT_EQ(after->instructions[2].control.stall, 1);  // nobody reads it here
}

TEST(CodeEdit, AConversionIsForwardedWithinItsBlock) {
  const Kernel kernel =
      testing::kernel_from(86, {"F2F.F64.F32 R6, R2", "DADD R8, R6, R6", "MOV R6, R4", "EXIT"});
  const KernelAnalysis analysis = analyze(kernel);
  const Gpu gpu = board();
  CodeEdit edit(analysis, gpu);
  edit.replace(1, "FADD");
  edit.forward(0);
  EXPECT_TRUE(edit.drops(0));
  const auto after = edit.take();
  EXPECT_EQ(register_of(*after, 1, 1), 2);
  EXPECT_EQ(register_of(*after, 1, 2), 2);
}

TEST(CodeEdit, AValueThatOutlivesItsBlockIsMoved) {
  const Kernel kernel = testing::kernel_from(86, {"F2F.F64.F32 R6, R2", "DADD R8, R6, R6", "EXIT"});
  const KernelAnalysis analysis = analyze(kernel);
  const Gpu gpu = board();
  CodeEdit edit(analysis, gpu);
  edit.forward(0);
  EXPECT_FALSE(edit.drops(0));
  const auto after = edit.take();
  EXPECT_EQ(mnemonic(*after, 0), "MOV");
  EXPECT_EQ(register_of(*after, 1, 1), 6);
}

TEST(CodeEdit, ASourceThatIsOverwrittenFirstIsKeptByAMove) {
  const Kernel kernel = testing::kernel_from(
      86, {"F2F.F64.F32 R6, R2", "MOV R2, R3", "DADD R8, R6, R6", "MOV R6, R4", "EXIT"});
  const KernelAnalysis analysis = analyze(kernel);
  const Gpu gpu = board();
  CodeEdit edit(analysis, gpu);
  edit.forward(0);
  EXPECT_EQ(mnemonic(*edit.take(), 0), "MOV");
}

TEST(CodeEdit, AConversionInPlaceGoes) {
  const Kernel kernel = testing::kernel_from(
      86, {"DADD R6, R4, R2", "F2F.F32.F64 R6, R6", "STG.E [R8.64], R6", "EXIT"});
  const KernelAnalysis analysis = analyze(kernel);
  const Gpu gpu = board();
  CodeEdit edit(analysis, gpu);
  edit.forward(1);
  EXPECT_TRUE(edit.drops(1));
}

}  // namespace
}  // namespace forewarp::tests
