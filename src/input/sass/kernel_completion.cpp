// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "input/sass/kernel_completion.h"

#include <algorithm>
#include <span>

#include "input/kernel_names.h"
#include "input/sass/isa_conventions.h"
#include "input/sass/parameters.h"
#include "program/roles.h"

namespace forewarp::input {
namespace {

constexpr std::uint32_t widest_group = 8;  ///< no operand stands for more registers

std::uint32_t highest_named(std::span<const Operand> operands) {
  std::uint32_t highest = 0;
  for (const Operand& operand : operands) {
    for (const std::uint16_t number :
         {operand.kind == OperandKind::register_ ? operand.index : no_register, operand.base}) {
      if (number < zero_register) highest = std::max<std::uint32_t>(highest, number + 1U);
    }
  }
  return highest;
}

std::uint32_t highest_in_groups(const Roles& roles) {
  std::uint32_t highest = 0;
  for (const auto ranges : {roles.read(), roles.written()}) {
    for (const RegisterRange& range : ranges) {
      if (range.file != RegisterFile::general) continue;
      highest = std::max<std::uint32_t>(highest, range.first + std::uint32_t{range.count});
    }
  }
  return highest;
}

/// A thread has the registers of the function with the most, a block the barriers.
void add_needs(Resources& resources, const Resources& function) {
  if (resources.registers && function.registers)
    resources.registers = std::max(*resources.registers, *function.registers);
  if (resources.barriers && function.barriers)
    resources.barriers = std::max(*resources.barriers, *function.barriers);
}

}  // namespace

std::uint32_t registers_used(const Kernel& kernel) {
  std::uint32_t highest = 0;
  for (const Instruction& instruction : kernel.instructions) {
    const std::uint32_t named = highest_named(kernel.operands_of(instruction));
    if (named + widest_group <= highest) continue;  // no group of this instruction reaches further
    highest = std::max({highest, named, highest_in_groups(roles_of(kernel, instruction))});
  }
  return highest;
}

void complete_kernel(Kernel& kernel, const FactStore& facts,
                     std::span<const PlacedFunction> functions) {
  const KernelSignature signature = kernel_signature(kernel.mangled);
  kernel.name = signature.name;
  const KernelFacts known = facts.find(kernel.sm, kernel.mangled, kernel.name);
  kernel.resources = known.resources;
  for (const PlacedFunction& function : functions)
    add_needs(kernel.resources, facts.find(kernel.sm, function.name, {}).resources);
  if (!kernel.resources.static_shared && known.counted_shared) {
    const std::uint32_t counted = *known.counted_shared;
    const std::uint32_t reserved = isa_conventions(kernel.sm).reserved_shared;
    kernel.resources.static_shared = counted >= reserved ? counted - reserved : counted;
  }
  if (!kernel.resources.registers) {
    kernel.resources.registers = registers_used(kernel);
    kernel.resources.registers_source = FactSource::inferred;
  }
  resolve_parameters(kernel, known, signature);
  complete_module(kernel, facts.modules(), functions);
}

}  // namespace forewarp::input
