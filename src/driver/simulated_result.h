// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/simulated_time.h"
#include "program/kernel.h"
#include "result/result.h"

namespace forewarp {

/// Adds a simulation's timeline, clocks and warning to the result; null: there is none.
void fill_simulated(const Kernel& kernel, const SimulatedTime* time, Result& result);

}  // namespace forewarp
