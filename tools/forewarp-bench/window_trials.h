// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/expected.h"
#include "bench_device.h"
#include "bench_test.h"
#include "characterise/statistics/estimate_trial.h"
#include "suite_check.h"

namespace forewarp::cli {

/// What estimates make of one launch of a test of windows on a device that knows the truth.
struct WindowTrial {
  std::string test, config;
  double mean = 0, deviation = 0;  ///< of the operation, as the device knows it; cycles
  double moved = 0;                ///< registers that the window moves beyond the empty one
  double move_cycles = 0;          ///< of one, as a window of moves shows it on this device
  std::vector<characterise::EstimateTrial> estimates;
};

/// Registers that the windows of `test` move (MOV, MOV32I) beyond those of its empty kernel; a mean
/// over its windows.
Expected<double> moved_registers(const BenchTest& test, std::uint32_t sm, SuiteCode& code);

/// The closed loop of every launch of `tests`: windows of the device, estimates from draws of them,
/// and the device's own answer. `moves`: a test of a window with more moved registers; null: none
/// are corrected. Launches that the device does not know are left out and named by `tell`. Fails
/// where none is left.
Expected<std::vector<WindowTrial>> window_trials(
    const std::vector<BenchTest>& tests, const BenchTest* moves, BenchDevice& device,
    SuiteCode& code, const characterise::TrialOrder& order,
    const std::function<void(const std::string&)>& tell);

/// A table of them.
[[nodiscard]] std::string trials_as_text(const std::vector<WindowTrial>& trials,
                                         const characterise::TrialOrder& order);
[[nodiscard]] std::string trials_as_json(const std::vector<WindowTrial>& trials,
                                         const characterise::TrialOrder& order);

}  // namespace forewarp::cli
