// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "program/opcode.h"

namespace forewarp::analysis {

enum class MemorySpace : std::uint8_t { device, shared, local };

/// What a class of instructions does to memory. Constant memory never changes, so it is left out.
struct MemoryEffect {
  bool reads = false;
  bool writes = false;
  bool fence = false;  ///< barriers and fences, which order all accesses
  MemorySpace space = MemorySpace::device;
};

[[nodiscard]] MemoryEffect memory_effect(InstructionClass c);

}  // namespace forewarp::analysis
