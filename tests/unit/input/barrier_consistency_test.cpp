// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// The compiler's schedule checks our reading of it: an instruction with a write barrier is
// followed, in straight-line code, by a wait for that barrier before the first access to what it
// writes. One wrong register, width or control field in any listing breaks that.
#include <filesystem>

#include <gtest/gtest.h>

#include "listing_reading.h"
#include "test_paths.h"

namespace forewarp::tests::test {
namespace {

bool overlap(const RegisterRange& a, const RegisterRange& b) {
  return a.file == b.file && a.first < b.first + b.count && b.first < a.first + a.count;
}

bool touches(const Roles& roles, const RegisterRange& range) {
  for (const auto& other : roles.read()) {
    if (overlap(other, range)) return true;
  }
  for (const auto& other : roles.written()) {
    if (overlap(other, range)) return true;
  }
  return false;
}

bool ends_run(const Instruction& instruction) {
  switch (instruction.instruction_class) {
    case InstructionClass::branch:
    case InstructionClass::branch_indirect:
    case InstructionClass::call:
    case InstructionClass::return_:
    case InstructionClass::exit:
    case InstructionClass::control_stack:
    case InstructionClass::convergence:
      return true;
    default:
      return false;
  }
}

/// @P0 and @!P0: never both for one lane.
bool exclusive(const Instruction& a, const Instruction& b) {
  return a.guarded() && b.guarded() && a.guard == b.guard && a.guard_negated != b.guard_negated;
}

bool waits_for(const Kernel& kernel, const Instruction& instruction, std::uint8_t barrier) {
  if (((instruction.control.wait_mask >> barrier) & 1U) != 0) return true;
  if (instruction.instruction_class != InstructionClass::scoreboard_wait) return false;
  for (const Operand& operand : kernel.operands_of(instruction)) {
    if (operand.kind == OperandKind::scoreboard && operand.index == barrier) return true;
    if (operand.kind == OperandKind::scoreboard_set && ((operand.value >> barrier) & 1) != 0)
      return true;
  }
  return false;
}

struct Count {
  std::size_t consistent = 0;
  std::size_t inconsistent = 0;
};

void check_producer(const Kernel& kernel, std::size_t producer, Count& count) {
  const Instruction& first = kernel.instructions[producer];
  const Roles written = roles_of(kernel, first);
  for (std::size_t i = producer + 1; i < kernel.instructions.size(); ++i) {
    const Instruction& later = kernel.instructions[i];
    if (waits_for(kernel, later, first.control.write_barrier)) {
      ++count.consistent;
      return;
    }
    const Roles roles = roles_of(kernel, later);
    for (const RegisterRange& range : written.written()) {
      if (!touches(roles, range) || exclusive(first, later)) continue;
      // A wider load of the same queue may overwrite the same register behind it.
      if (later.instruction_class == first.instruction_class) return;
      ++count.inconsistent;
      ADD_FAILURE() << kernel.name << " sm_" << kernel.sm << ": " << kernel.text_of(first) << " at "
                    << first.address << " is not waited for by " << kernel.text_of(later) << " at "
                    << later.address;
      return;
    }
    if (ends_run(later)) return;
  }
}

TEST(Schedule, NoResultIsUsedBeforeItsBarrier) {
  Count count;
  for (const auto& file :
       std::filesystem::directory_iterator(std::string(FOREWARP_FIXTURES) + "/listings")) {
    if (file.path().extension() != ".sass") continue;
    const auto source = InputSource::open(file.path().string());
    ASSERT_TRUE(source);
    SassReader reader(*source);
    for (;;) {
      const auto kernel = reader.next();
      ASSERT_TRUE(kernel) << kernel.error().line();
      if (!*kernel) break;
      if (!(*kernel)->has_control || (*kernel)->sm < 50) continue;
      for (std::size_t i = 0; i < (*kernel)->instructions.size(); ++i) {
        const Instruction& instruction = (*kernel)->instructions[i];
        // The short texture forms of sm_50 to sm_62 do not say how many registers they take.
        if (instruction.instruction_class == InstructionClass::texture && (*kernel)->sm < 70)
          continue;
        if (instruction.control.write_barrier != no_barrier) check_producer(**kernel, i, count);
      }
    }
  }
  EXPECT_GT(count.consistent, 1000U);
  EXPECT_EQ(count.inconsistent, 0U);
}

}  // namespace
}  // namespace forewarp::tests::test
