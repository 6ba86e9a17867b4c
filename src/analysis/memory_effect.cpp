// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/memory_effect.h"

namespace forewarp::analysis {

MemoryEffect memory_effect(InstructionClass c) {
  switch (c) {
    case InstructionClass::load_global:
    case InstructionClass::load_generic:
    case InstructionClass::surface_load:
      return {true, false, false, MemorySpace::global};
    case InstructionClass::store_global:
    case InstructionClass::store_generic:
    case InstructionClass::surface_store:
      return {false, true, false, MemorySpace::global};
    case InstructionClass::atomic_global:
    case InstructionClass::reduction_global:
      return {true, true, false, MemorySpace::global};
    case InstructionClass::load_shared:
    case InstructionClass::load_matrix:
      return {true, false, false, MemorySpace::shared};
    case InstructionClass::store_shared:
    case InstructionClass::async_copy:
      return {false, true, false, MemorySpace::shared};
    case InstructionClass::atomic_shared:
      return {true, true, false, MemorySpace::shared};
    case InstructionClass::load_local:
      return {true, false, false, MemorySpace::local};
    case InstructionClass::store_local:
      return {false, true, false, MemorySpace::local};
    case InstructionClass::memory_fence:
    case InstructionClass::barrier:
    case InstructionClass::mbarrier:
      return {false, false, true, MemorySpace::global};
    default:
      return {};
  }
}

}  // namespace forewarp::analysis
