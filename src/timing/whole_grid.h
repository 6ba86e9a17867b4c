// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "timing/block_work.h"
#include "timing/machine/timed_kernel.h"
#include "timing/recorders/recorder.h"

namespace forewarp::timing {

/// The result of running every SM of a GPU to its end.
struct GridRun {
  /// One SM.
  struct Part {
    Ticks end = 0;  ///< when its last block had ended and its stores had left
    std::uint64_t blocks = 0;
  };
  Ticks end = 0;
  std::uint64_t issued = 0;
  std::vector<Part> parts;  ///< SMs that had a block
};

/// Runs every block on `sms` SMs; a block goes to whichever SM has room, and device memory is one
/// path for all. `recorder` sees the first SM; the first block starts at `begin`. SMs are simulated
/// in turns of a few cycles each.
[[nodiscard]] GridRun run_grid(const SmMachine& machine, const TimedKernel& kernel,
                               const BlockWork& work, std::uint64_t blocks, std::uint32_t sms,
                               std::uint32_t resident, Recorder* recorder, Ticks begin = 0);

}  // namespace forewarp::timing
