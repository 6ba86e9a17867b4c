// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "execution/state/memory_access.h"

namespace forewarp::trace {

/// One warp instruction of a trace, in the order of execution.
struct TraceEvent {
  static constexpr std::uint8_t most_accesses = 2;  ///< a copy reads one space and writes another

  std::uint32_t instruction = 0;  ///< index in the kernel
  LaneMask active = 0;            ///< lanes that take this path
  LaneMask lanes = 0;             ///< those of `active` whose guard held
  std::uint8_t access_count = 0;
  std::array<MemoryAccess, most_accesses> accesses{};
};

}  // namespace forewarp::trace
