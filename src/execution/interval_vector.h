// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "execution/warp_trace.h"

namespace forewarp {

/// What a warp does, as numbers by which warps are compared. After the interval profiles of GPUMech
/// (Huang, Lee, Kim, Lee: MICRO 2014), but without the latencies of a GPU: an interval ends where
/// an instruction needs what a load from memory brings, or at a barrier.
struct IntervalVector {
  enum Feature : std::uint8_t {
    instructions,  ///< executed
    intervals,     ///< that end with a wait
    memory,        ///< loads, stores and atomics outside of shared memory, textures
    shared,        ///< accesses to shared memory
    barriers,      ///< of the block
    slow_units,    ///< special functions, double precision, matrix units
    first_length,  ///< intervals of 1, 2..3, 4..7, .. instructions
    last_length = first_length + 9,
    count,
  };
  std::array<double, count> value{};
};

/// The vector of one warp; passes of a loop that are alike are looked at once.
[[nodiscard]] IntervalVector interval_vector(const Program& program, const WarpTrace& trace);

}  // namespace forewarp
