// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/model.h"

namespace forewarp {

/// Device memory as one kernel's traffic meets it.
struct DeviceMemory {
  double bytes_per_warp = 0;      ///< read and written
  double reached_gbs = 0;         ///< at this mix of reads and writes
  double bytes_per_cycle_sm = 0;  ///< the same per SM and SM clock cycle
  double cycles_per_warp = 0;     ///< if it were the only limit

  // Queueing delay at utilisation u: first*u + queue*u/(1-u) cycles per round trip.
  double queue_first = 0, queue_growth = 0;
  bool queues = false;            ///< stores alone are posted: no warp waits

  [[nodiscard]] double delay(double utilisation) const;
};

/// The traffic's rate and queueing by its mix: reads only, writes only, or both.
[[nodiscard]] DeviceMemory device_memory(const Gpu& gpu, const Demand& demand, double clock_mhz);

}  // namespace forewarp
