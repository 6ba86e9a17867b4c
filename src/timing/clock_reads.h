// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
//
// What a program that reads the SM's clock would measure, from the recorded issues. The clock is
// read when S2R issues; its value counts as used when the first instruction that reads it issues.
// Voudouris 2014, section 6.1: T = issue of the last reading's user - issue of the first reading's
// user.
#pragma once

#include "model/simulated_time.h"
#include "program/kernel.h"
#include "timing/recorders/recorder.h"

namespace forewarp::timing {

/// Adds the clocks of the recorded warps; none if the record was full, as readings may be missing.
void add_clocks(const Kernel& kernel, const Recorder& recorder, SimulatedTime& time);

}  // namespace forewarp::timing
