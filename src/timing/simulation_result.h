// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include "model/simulated_time.h"
#include "program/kernel.h"
#include "result/result.h"
#include "result/simulation.h"

namespace forewarp::timing {

/// A simulation's figures for the result; `lists`: with stalls by instruction, occupancy over time
/// and the timeline.
[[nodiscard]] SimulationFacts simulation_facts(const SimulatedTime& time, const Kernel& kernel,
                                               bool lists);

/// Adds what the kernel's own clock readings show, and what the chosen policy cannot do.
void add_clocks_and_warning(const SimulatedTime& time, Result& result);

/// The schedulers' time by the keys of Result::stalls; shares add up to 1.
[[nodiscard]] std::map<std::string, double> simulated_stalls(const SimulatedTime& time);

}  // namespace forewarp::timing
