// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace forewarp::memory {

/// Properties of a launch that affect memory, and how much of it is replayed.
struct MemoryOptions {
  bool warm = false;  ///< the same launch ran before; otherwise L2 starts without useful data
  std::uint32_t blocks_per_sm = 1;     ///< resident
  std::uint32_t shared_per_block = 0;  ///< bytes as allocated, including the reserve
  /// Share of the SM's shared memory, in percent, as requested by
  /// cudaFuncAttributePreferredSharedMemoryCarveout; negative: the smallest carve-out that holds
  /// the resident blocks.
  double carveout_percent = -1;
  std::uint64_t most_replayed = 3'000'000;  ///< most lines requested from the caches
};

}  // namespace forewarp::memory
