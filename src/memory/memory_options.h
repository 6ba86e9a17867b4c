// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace forewarp::memory {

/// What a launch asks of the memory, and how much of it is replayed.
struct MemoryOptions {
  bool warm = false;                   ///< the same launch ran before; else L2 holds nothing of use
  std::uint32_t blocks_per_sm = 1;     ///< resident
  std::uint32_t shared_per_block = 0;  ///< bytes as allocated, the reserve included
  /// Share of the SM's shared memory that is asked for as cudaFuncAttributePreferred..Carveout does
  /// it, in percent; negative: the smallest carve-out that holds the resident blocks.
  double carveout_percent = -1;
  std::uint64_t most_replayed = 3'000'000;  ///< lines that the caches are asked for
};

}  // namespace forewarp::memory
