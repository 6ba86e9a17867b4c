// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "execution/state/micro_op.h"

namespace forewarp::execution {

/// What a memory instruction does, as far as it matters for counting.
enum class AccessKind : std::uint8_t { load, store, atomic, reduction, copy_to_shared, fetch };

/// The addresses of one memory instruction executed by one warp. Lanes not in `lanes` have no
/// address. Shared addresses count from the start of the block's shared memory, local ones from the
/// start of the thread's local memory, constant ones from the start of the bank.
struct MemoryAccess {
  std::uint32_t instruction = 0;  ///< index in the kernel
  MemorySpace space = MemorySpace::global;
  AccessKind kind = AccessKind::load;
  std::uint8_t bytes = 4;  ///< per lane
  LaneMask lanes = 0;
  std::array<std::uint64_t, lane_count> address{};
};

}  // namespace forewarp::execution
