// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "prediction/executed_code.h"

#include <utility>

#include "binding/access_space.h"
#include "memory/memory_profile.h"

namespace forewarp::prediction {
namespace {

/// The class of an access to shared memory that does the same.
InstructionClass in_shared(InstructionClass c) {
  switch (c) {
    case InstructionClass::load_generic:
      return InstructionClass::load_shared;
    case InstructionClass::store_generic:
      return InstructionClass::store_shared;
    case InstructionClass::atomic_global:
    case InstructionClass::reduction_global:
      return InstructionClass::atomic_shared;
    default:
      return c;
  }
}

}  // namespace

std::shared_ptr<const Kernel> executed_code(std::shared_ptr<const Kernel> kernel,
                                            const memory::MemoryProfile* memory) {
  if (memory == nullptr) return kernel;
  std::shared_ptr<Kernel> changed;
  for (const auto& [i, access] : memory->instructions) {
    if (access.space != MemorySpace::shared) continue;
    const InstructionClass before = kernel->instructions[i].instruction_class;
    if (access_space(before) != AccessSpace::global || in_shared(before) == before) continue;
    if (!changed) changed = std::make_shared<Kernel>(*kernel);
    changed->instructions[i].instruction_class = in_shared(before);
  }
  return changed ? changed : kernel;
}

}  // namespace forewarp::prediction
