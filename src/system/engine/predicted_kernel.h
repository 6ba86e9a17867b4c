// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "system/layers.h"

namespace forewarp::system {

/// What launches of kernels cost by themselves.
struct LaunchCosts {
  double start_s = 0;  ///< from the call to the start
  double call_s = 0;   ///< that a launch into a stream holds its process
  double node_s = 0;   ///< from the end of what a node of a graph follows to its start; 0: unknown
};

/// What of intervals a run takes: the expected time, or one end, of kernels and of collectives.
enum class IntervalPlace : std::uint8_t { expected, low, high };

/// A kernel's time as predicted.
struct PredictedKernel {
  double seconds = 0;
  std::array<double, 2> interval_s{};
  std::string name;
  LaunchCosts costs;  ///< on a host that nobody described

  [[nodiscard]] double at(IntervalPlace place) const {
    if (place == IntervalPlace::expected) return seconds;
    return place == IntervalPlace::low ? interval_s[0] : interval_s[1];
  }
};

/// One launch with what was predicted for it.
struct KnownKernel {
  std::string launch;       ///< the case as JSON
  double memory_bytes = 0;  ///< of its GPU; 0: as its data say
  PredictedKernel predicted;
};

}  // namespace forewarp::system
