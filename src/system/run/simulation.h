// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "system/application/actor.h"
#include "system/outcome/outcome.h"
#include "system/script/budget.h"

namespace forewarp::system {

/// What to simulate.
struct SimulationOptions {
  std::string system, application;  ///< files
  std::string script;               ///< instead of the application's text
  NativeApplication native;  ///< instead of a script, where it has bodies; named by `application`
  std::vector<std::string> changes;                ///< to the system's file: "gpu.count=4"
  std::map<std::string, std::string> set;          ///< values of variables, as written
  std::map<std::string, std::uint64_t> processes;  ///< how many of a label; default all places
  bool timeline = false;                           ///< the outcome has it
  bool check_only = false;     ///< nothing runs: an outcome without figures, or the error
  bool beyond_memory = false;  ///< a kernel may have more data than its device's memory
  Attempt attempt{};           ///< of a run that failures end, which one it is
  IntervalPlace place = IntervalPlace::expected;  ///< of the times of kernels and collectives
  std::vector<KnownKernel> known;                 ///< kernels that were predicted already
  std::uint64_t most_instructions = Budget().most_instructions;
  std::uint64_t most_calls = Budget().most_calls;
};

/// Simulates in this process, once in its life: a second engine would go on from the first one's
/// time. `finish` gets the outcome, or the error, and does not return.
void simulate_here(const SimulationOptions& order, Pulse* pulse,
                   const std::function<void(Outcome)>& finish);

}  // namespace forewarp::system
