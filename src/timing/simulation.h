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
  std::uint64_t most_issues = 1'000'000;  ///< warp instructions to simulate, unless `exact`
};

/// A launch to simulate.
struct SimulatedLaunch {
  TimingSource source;
  std::span<const WarpPath> paths;  ///< kinds of warps with their shares of a block's warps
  double blocks = 0;
  std::uint32_t warps_per_block = 1, blocks_per_sm = 1;
  PolicyChoice policy;
  LeftOut left_out;
};

/// Simulates a launch. Unless `exact`, a group of SMs stands for all, and only some rounds of
/// blocks and some passes of long loops are simulated: the rest are extrapolated. What cannot be
/// simulated is said in `refusal`.
[[nodiscard]] SimulatedTime simulate(const SimulatedLaunch& launch,
                                     const SimulationOptions& options);

}  // namespace forewarp::timing
