// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "model/simulated_time.h"
#include "timing/recorders/recorder.h"

namespace forewarp::timing {

/// The run of the SM that a recorder observed.
struct RecordedRun {
  Ticks end = 0;  ///< when its last block had ended and its stores had left
  std::uint32_t schedulers = 1;
  Ticks issue_interval = cycle;
};

/// Turns what a recorder saw into what reports show: `schedulers`, `warps_per_sm` and `detail` of
/// `time`. Time of the schedulers until `run.end` that was not recorded counts as idle.
void account(const Recorder& recorder, const RecordedRun& run, SimulatedTime& time);

}  // namespace forewarp::timing
