// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "program/memory_space.h"
#include "program/opcode.h"

namespace forewarp::analysis {

/// What a class of instructions does to memory. Constant memory never changes, so it is left out.
struct MemoryEffect {
  bool reads = false;
  bool writes = false;
  bool fence = false;  ///< barriers and fences, which order all accesses
  MemorySpace space = MemorySpace::global;
};

[[nodiscard]] MemoryEffect memory_effect(InstructionClass c);

}  // namespace forewarp::analysis
