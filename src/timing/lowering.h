// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "binding/access_pattern.h"
#include "binding/bind_timing.h"
#include "binding/demand.h"
#include "binding/resource_table.h"
#include "hardware/gpu.h"
#include "program/kernel.h"
#include "timing/timed_kernel.h"

namespace forewarp::timing {

/// What the simulation of a launch is made of.
struct TimingSource {
  const Kernel& kernel;
  const Gpu& gpu;
  const LatencyRules& rules;
  std::span<const AccessPattern> patterns;  ///< parallel to the kernel's instructions
  double clock_mhz = 0;
  std::vector<double> device_delays;  ///< cycles more of its latency at loads from 0 to 1
  double device_cycles_per_byte = 0;  ///< of one SM's share, when all SMs want it
};

/// The SM of this GPU under these rules.
[[nodiscard]] SmMachine lower_machine(const TimingSource& source, const PolicyChoice& policy);

/// The kernel's instructions for it.
[[nodiscard]] TimedKernel lower_kernel(const TimingSource& source, SmMachine& machine);

}  // namespace forewarp::timing
