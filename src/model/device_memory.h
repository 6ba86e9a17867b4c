// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/model.h"

namespace forewarp::model {

/// Device memory as one kernel's traffic meets it.
struct DeviceMemory {
  double bytes_per_warp = 0;      ///< read and written
  double reached_gbs = 0;         ///< at this mix of reads and writes
  double bytes_per_cycle_sm = 0;  ///< the same per SM and SM clock cycle
  double cycles_per_warp = 0;     ///< if it were the only limit

  // Queueing delay at u, traffic over the pole's rate: first*u + queue*u/(1-u) cycles a round trip.
  double pole_over_reached = 1;  ///< rate at which the queue would grow without end
  double queue_first = 0, queue_growth = 0;
  bool queues = false;  ///< stores alone are posted: no warp waits

  /// `load`: traffic over the reached rate, 0 to 1.
  [[nodiscard]] double delay(double load) const;
};

/// The traffic's rate and queueing by its mix: reads only, writes only, or both.
[[nodiscard]] DeviceMemory device_memory(const Gpu& gpu, const Demand& demand, double clock_mhz);

}  // namespace forewarp::model
