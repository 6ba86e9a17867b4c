// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/expected.h"
#include "system/run/simulation.h"

namespace forewarp::system {

/// As simulate(), and where kernels or collectives were predicted twice more: all of them at the
/// low end of their intervals, and all at the high end. What is common to predictions is common to
/// their errors, so that the ends are those of the whole, not of independent parts.
Expected<Outcome> simulate_with_interval(const SimulationOptions& order);

}  // namespace forewarp::system
