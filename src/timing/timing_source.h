// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "base/quantities.h"
#include "binding/access_patterns.h"
#include "hardware/gpu.h"
#include "program/kernel.h"

namespace forewarp::timing {

/// What the simulation of a launch is built from.
struct TimingSource {
  const Kernel& kernel;
  const Gpu& gpu;
  const LatencyRules& rules;
  const AccessPatterns& patterns;  ///< parallel to the kernel's instructions
  Megahertz clock;
  std::vector<double> device_delays;  ///< extra latency in cycles at loads from 0 to 1, equal steps
  double device_cycles_per_byte = 0;  ///< at one SM's share of the bandwidth, when all SMs use it
};

}  // namespace forewarp::timing
