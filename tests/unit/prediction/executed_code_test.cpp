// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "prediction/executed_code.h"

#include <gtest/gtest.h>

#include "memory/memory_profile.h"

namespace forewarp::tests {
namespace {

InstructionMemory access_in(MemorySpace space) {
  InstructionMemory access;
  access.space = space;
  return access;
}

TEST(ExecutedCode, GenericAccessesAreWhereTheyLed) {
  auto kernel = std::make_shared<Kernel>();
  kernel->instructions.resize(4);
  kernel->instructions[0].instruction_class = InstructionClass::load_generic;
  kernel->instructions[1].instruction_class = InstructionClass::store_generic;
  kernel->instructions[2].instruction_class = InstructionClass::atomic_global;
  kernel->instructions[3].instruction_class = InstructionClass::load_generic;
  MemoryProfile memory;
  memory.instructions[0] = access_in(MemorySpace::shared);
  memory.instructions[1] = access_in(MemorySpace::shared);
  memory.instructions[2] = access_in(MemorySpace::shared);
  memory.instructions[3] = access_in(MemorySpace::global);
  const auto code = executed_code(kernel, &memory);
  EXPECT_EQ(code->instructions[0].instruction_class, InstructionClass::load_shared);
  EXPECT_EQ(code->instructions[1].instruction_class, InstructionClass::store_shared);
  EXPECT_EQ(code->instructions[2].instruction_class, InstructionClass::atomic_shared);
  EXPECT_EQ(code->instructions[3].instruction_class, InstructionClass::load_generic);
  EXPECT_EQ(kernel->instructions[0].instruction_class, InstructionClass::load_generic);
}

TEST(ExecutedCode, IsTheSameKernelWhereNothingChanges) {
  const auto kernel = std::make_shared<const Kernel>();
  const MemoryProfile memory;
  EXPECT_EQ(executed_code(kernel, &memory), kernel);
  EXPECT_EQ(executed_code(kernel, nullptr), kernel);
}

}  // namespace
}  // namespace forewarp::tests
