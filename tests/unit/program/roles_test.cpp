// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Roles of instructions built by hand; tests/unit/input has those of printed ones.
#include "program/roles.h"

#include <gtest/gtest.h>

#include "program/modifier.h"
#include "program/widths.h"

namespace forewarp::tests {
namespace {

Operand general(std::uint16_t index) {
  Operand operand;
  operand.kind = OperandKind::register_;
  operand.index = index;
  return operand;
}

Operand predicate(std::uint16_t index) {
  Operand operand;
  operand.kind = OperandKind::predicate;
  operand.index = index;
  return operand;
}

Kernel kernel_with(std::string_view mnemonic, std::vector<Modifier> modifiers,
                   std::vector<Operand> operands, std::uint32_t sm = 80) {
  Kernel kernel;
  kernel.sm = sm;
  Instruction instruction;
  instruction.opcode = find_opcode(mnemonic);
  instruction.instruction_class = opcode_info(instruction.opcode).instruction_class;
  for (const Modifier m : modifiers) instruction.modifiers[instruction.modifier_count++] = m;
  instruction.operand_count = static_cast<std::uint8_t>(operands.size());
  kernel.operands = std::move(operands);
  kernel.instructions.push_back(instruction);
  return kernel;
}

Roles roles(const Kernel& kernel) {
  return roles_of(kernel, kernel.instructions[0]);
}

TEST(Roles, DestinationFirstThenSourcesWithTheirSlots) {
  const Roles r = roles(kernel_with("FFMA", {}, {general(4), general(1), general(2), general(3)}));
  ASSERT_EQ(r.write_count, 1);
  EXPECT_EQ(r.writes[0].first, 4);
  EXPECT_EQ(r.writes[0].use, RoleUse::destination);
  ASSERT_EQ(r.read_count, 3);
  for (std::uint8_t i = 0; i < 3; ++i) {
    EXPECT_EQ(r.reads[i].first, i + 1);
    EXPECT_EQ(r.reads[i].slot, i);
  }
}

TEST(Roles, WhatNeverHoldsAValueIsLeftOut) {
  const Roles r =
      roles(kernel_with("ISETP", {},
                        {predicate(0), predicate(true_predicate), general(zero_register),
                         general(3), predicate(true_predicate)}));
  ASSERT_EQ(r.write_count, 1);
  EXPECT_EQ(r.writes[0].first, 0);
  ASSERT_EQ(r.read_count, 1);
  EXPECT_EQ(r.reads[0].first, 3);
}

TEST(Roles, GuardIsTheFirstRead) {
  Kernel kernel = kernel_with("MOV", {}, {general(1), general(2)});
  kernel.instructions[0].guard = 3;
  kernel.instructions[0].guard_negated = true;
  const Roles r = roles(kernel);
  ASSERT_EQ(r.read_count, 2);
  EXPECT_EQ(r.reads[0].use, RoleUse::guard);
  EXPECT_EQ(r.reads[0].first, 3);
  kernel.instructions[0].guard = true_predicate;  // @!PT: dead, reads no predicate
  EXPECT_EQ(roles(kernel).read_count, 1);
}

TEST(Roles, DoublesArePairs) {
  const Roles r = roles(kernel_with("DFMA", {}, {general(2), general(4), general(6), general(8)}));
  EXPECT_EQ(r.writes[0].count, 2);
  for (const RegisterRange& range : r.read()) EXPECT_EQ(range.count, 2);
  const Roles compare =
      roles(kernel_with("DSETP", {}, {predicate(1), predicate(2), general(4), general(6)}));
  EXPECT_EQ(compare.write_count, 2);
  EXPECT_EQ(compare.writes[0].count, 1);
  EXPECT_EQ(compare.reads[0].count, 2);
}

// Before sm_70 the .X form adds the carry of the condition code, which the text does not name.
TEST(Roles, CarryIsAHiddenReadBeforeSm70Only) {
  const std::vector<Operand> operands{general(1), general(2), general(3)};
  EXPECT_EQ(roles(kernel_with("IADD", {modifier::x}, operands, 52)).read_count, 3);
  EXPECT_EQ(roles(kernel_with("IADD3", {modifier::x}, operands, 70)).read_count, 2);
}

TEST(Roles, AccessBytesFollowWidthAndType) {
  const auto bytes = [](std::string_view mnemonic, std::vector<Modifier> modifiers) {
    const Kernel kernel = kernel_with(mnemonic, std::move(modifiers), {});
    return access_bytes(kernel.instructions[0]);
  };
  EXPECT_EQ(bytes("LDG", {modifier::e}), 4U);
  EXPECT_EQ(bytes("LDG", {modifier::e, modifier::u8}), 1U);
  EXPECT_EQ(bytes("STS", {modifier::u16}), 2U);
  EXPECT_EQ(bytes("STG", {modifier::n64}), 8U);
  EXPECT_EQ(bytes("LDS", {modifier::u, modifier::n128}), 16U);
  EXPECT_EQ(bytes("ATOMG", {modifier::e, modifier::add, modifier::f64, modifier::rn}), 8U);
  EXPECT_EQ(bytes("LDGSTS", {modifier::e, modifier::bypass, modifier::n128}), 16U);
  EXPECT_EQ(bytes("FADD", {}), 0U);
}

TEST(Kernel, ATargetInAGapIsTheNextInstruction) {
  Kernel kernel;
  for (const std::uint32_t address : {8U, 16U, 24U, 40U}) {
    Instruction instruction;
    instruction.address = address;
    kernel.instructions.push_back(instruction);
  }
  EXPECT_EQ(kernel.index_at(8), 0U);
  EXPECT_EQ(kernel.index_at(0), 0U);
  EXPECT_EQ(kernel.index_at(32), 3U);  // where a control word stands
  EXPECT_EQ(kernel.index_at(41), 4U);
}

}  // namespace
}  // namespace forewarp::tests
