// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
//
// What single issues say: the timeline, and what a program that reads the SM's clock would find.
// A reading belongs to the S2R; its value is there where the first instruction issues that uses
// it. Voudouris 2014, section 6.1: T = start of the last reading's user - start of the first's.
#pragma once

#include <cstddef>
#include <string>

#include "hardware/gpu.h"
#include "model/simulated_time.h"
#include "program/kernel.h"
#include "timing/recorder.h"
#include "timing/stages/issue_policy.h"

namespace forewarp {

/// Issues that must be recorded for a timeline of `shown` issues and for the kernel's own clock.
[[nodiscard]] std::size_t events_wanted(const Kernel& kernel, std::size_t shown);

/// Turns what was recorded into the timeline's first `shown` issues and the warps' clocks.
void add_timeline(const Kernel& kernel, const Recorder& recorder, std::size_t shown,
                  SimulatedTime& time);

/// Why the variable-rate policy cannot keep its rate: a warp that has every Rth slot would issue
/// more often than its instructions may follow each other. Empty: it can.
[[nodiscard]] std::string rate_warning(const PolicyChoice& policy, const Gpu& gpu,
                                       const LatencyRules& rules);

}  // namespace forewarp
