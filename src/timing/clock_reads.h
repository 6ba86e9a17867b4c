// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
//
// What a program that reads the SM's clock would find, from single issues. A reading belongs to
// the S2R; its value is there where the first instruction issues that uses it. Voudouris 2014,
// section 6.1: T = start of the last reading's user - start of the first's.
#pragma once

#include "model/simulated_time.h"
#include "program/kernel.h"
#include "timing/recorders/recorder.h"

namespace forewarp::timing {

/// Adds the clocks of the warps that were recorded; none where the record was full.
void add_clocks(const Kernel& kernel, const Recorder& recorder, SimulatedTime& time);

}  // namespace forewarp::timing
