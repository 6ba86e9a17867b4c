// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/quantities.h"
#include "model/model.h"

namespace forewarp::model {

/// Device memory under the traffic of one kernel.
struct DeviceMemory {
  Bytes bytes_per_warp;        ///< read and written
  GigabytesPerSecond reached;  ///< at this mix of reads and writes
  BytesPerCycle of_sm;         ///< an SM's even share of it
  Cycles cycles_per_warp;      ///< if it were the only limit

  // Queueing delay of one round trip, cycles, at u = traffic over the pole's rate: queue_first*u +
  // queue_growth*u/(1-u).
  double pole_over_reached = 1;  ///< rate at which the queue grows without limit, over the reached
  double queue_first = 0, queue_growth = 0;
  bool queues = false;  ///< false for stores alone: they are posted, so no warp waits

  /// `load`: traffic over the reached rate, 0 to 1.
  [[nodiscard]] double delay(double load) const;
};

/// Bandwidth and queueing for the demand's mix of traffic: reads only, writes only, or both.
[[nodiscard]] DeviceMemory device_memory(const Gpu& gpu, const Demand& demand, Megahertz clock);

}  // namespace forewarp::model
