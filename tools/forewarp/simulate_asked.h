// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "command_line.h"

namespace forewarp::cli {

/// What `forewarp simulate` is asked for, as written.
struct SimulateAsked {
  std::string system, application;
  std::vector<std::string> set, processes;
  std::string format = "text", output, trace;
  std::uint64_t instructions = 0, calls = 0;  ///< limits of scripts; 0: the usual ones
  bool beyond_memory = false;
};

Command simulate_command(const std::function<Expected<int>(const SimulateAsked&)>& simulate);

}  // namespace forewarp::cli
