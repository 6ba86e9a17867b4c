// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "base/expected.h"
#include "binding/demand.h"
#include "hardware/gpu.h"
#include "launch/prepared.h"

namespace forewarp::driver {

/// What a launch takes from its board at one clock.
struct PowerDraw {
  double watts = 0;
  double joules = 0;  ///< of the kernel's time alone
};

/// Work of a whole grid, as far as power cares.
struct PoweredWork {
  double seconds = 0;
  double clock_share = 1;     ///< of the boost clock
  double dynamic_joules = 0;  ///< of instructions and L2, at the boost clock's voltage
  double memory_joules = 0;   ///< of device memory: its clock and voltage stay
};

/// P = base + clock x^2 + (instructions x + memory) / t with x the clock over the boost clock: the
/// square of the voltage falls about as the clock does (RRZE gpu-roofline, boards at their limit).
[[nodiscard]] PowerDraw power_draw(const Gpu& gpu, const PoweredWork& work);

/// Energies of the generation ([energy], pJ per thread and instruction) over the launch's counts.
/// `changing`: whether values change from one instruction to the next, or stand still (zeros).
[[nodiscard]] PoweredWork powered_work(const Gpu& gpu, const Demand& demand, double warps,
                                       bool changing);

/// Whether some buffer may hold data that are not all alike.
[[nodiscard]] bool data_change(const BoundArguments& arguments);

/// Of a prepared launch whose kernel takes so long at the clock that it was drafted for.
[[nodiscard]] PowerDraw launch_draw(const Prepared& prepared, const Demand& demand,
                                    double kernel_ms);

/// The launch at the highest clock, up to that, at which it stays within its board's power limit.
/// Time decides the power and the clock the time: `at` prepares it anew at a clock.
Expected<Prepared> settle_clock(Prepared at_boost,
                                const std::function<Expected<Prepared>(double megahertz)>& at);

}  // namespace forewarp::driver
