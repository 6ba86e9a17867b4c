// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "base/expected.h"
#include "binding/demand.h"
#include "hardware/gpu.h"
#include "prediction/evaluation.h"

namespace forewarp::prediction {

/// Power and energy of a launch at one clock.
struct PowerDraw {
  double watts = 0;
  double joules = 0;  ///< over the kernel's time alone
};

/// The work of a whole grid, as far as power depends on it.
struct PoweredWork {
  double seconds = 0;
  double clock_share = 1;     ///< clock over boost clock
  double dynamic_joules = 0;  ///< of instructions and L2, at the boost clock's voltage
  double memory_joules = 0;   ///< of device memory, whose clock and voltage stay
};

/// P = base + clock x^2 + (instructions x + memory) / t with x = clock over boost clock: the square
/// of the voltage is about proportional to the clock (RRZE gpu-roofline, boards at their power
/// limit).
[[nodiscard]] PowerDraw power_draw(const Gpu& gpu, const PoweredWork& work);

/// Energies of the generation ([energy], pJ per thread and instruction) over the launch's counts.
/// `changing`: whether values change from one instruction to the next; all zeros do not.
[[nodiscard]] PoweredWork powered_work(const Gpu& gpu, const Demand& demand, double warps,
                                       bool changing);

/// Whether some buffer may have values that are not all the same.
[[nodiscard]] bool data_change(const BoundArguments& arguments);

/// Power of a launch whose kernel takes `kernel_ms` at the clock that it was drafted for.
[[nodiscard]] PowerDraw launch_draw(const Evaluation& evaluation, const Demand& demand,
                                    double kernel_ms);

/// Whether the clock is to follow from power: it was asked for, or the launch multiplies matrices
/// on a board whose energy of that is known, which lowers a clock that is set.
[[nodiscard]] bool power_sets_clock(const ClockChoice& choice, const Launch& launch);

/// The launch at the highest clock, up to that of `at_set`, at which it stays within its board's
/// power limit. Power depends on the time and the time on the clock, so it iterates; `at` prepares
/// the launch for a clock.
Expected<Evaluation> settle_clock(Evaluation at_set,
                                  const std::function<Expected<Evaluation>(double megahertz)>& at);

}  // namespace forewarp::prediction
