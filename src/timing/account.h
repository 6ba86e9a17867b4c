// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "model/simulated_time.h"
#include "timing/recorders/recorder.h"

namespace forewarp::timing {

/// The run of the SM that a recorder watched.
struct RecordedRun {
  Ticks end = 0;  ///< its last block was through and its stores had left
  std::uint32_t schedulers = 1;
  Ticks issue_interval = cycle;
};

/// Turns what a recorder saw into what reports show: `schedulers`, `warps_per_sm` and `detail` of
/// the time. What of the schedulers' time until `run.end` nobody recorded is idle.
void account(const Recorder& recorder, const RecordedRun& run, SimulatedTime& time);

}  // namespace forewarp::timing
