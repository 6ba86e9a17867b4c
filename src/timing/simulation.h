// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "binding/path.h"
#include "model/simulated_time.h"
#include "timing/lowering.h"

namespace forewarp::timing {

struct SimulationOptions {
  bool exact = false;                     ///< every SM, every block, every pass of every loop
  std::uint64_t most_issues = 1'000'000;  ///< that are followed unless it is exact
};

/// A launch for the simulation.
struct SimulatedLaunch {
  TimingSource source;
  std::span<const WarpPath> paths;  ///< kinds of warps with their shares of a block
  double blocks = 0;
  std::uint32_t warps_per_block = 1, blocks_per_sm = 1;
  PolicyChoice policy;
};

/// Shortcuts, unless `exact`: SMs with equal work are one; of blocks that follow each other only so
/// many are followed, the rest goes on at their pace; and so it is with the passes of long loops.
[[nodiscard]] SimulatedTime simulate(const SimulatedLaunch& launch,
                                     const SimulationOptions& options);

}  // namespace forewarp::timing
