// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/expected.h"
#include "system/run/simulation.h"

namespace forewarp::system {

/// Simulates in a child process, which is ended when a script gets stuck inside of one function for
/// more seconds of processor time than `most_stuck_s`. What the simulation refuses is the outcome's
/// error; refused here: a child that cannot be started or that dies.
Expected<Outcome> simulate(const SimulationOptions& order, double most_stuck_s = 2.5);

}  // namespace forewarp::system
