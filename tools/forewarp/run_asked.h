// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "command_line.h"

namespace forewarp::cli {

/// What `forewarp run` is asked for, as written.
struct RunAsked {
  std::vector<std::string> gpus, program;
  std::string execute, clock, host_factor, budget, host, toolkit;
  std::string format, output, timeline, record, select;
  std::uint32_t devices = 1, jobs = 0, limit_s = 0;
  std::uint64_t skip = 0, launches = 0;
  std::string build;
  bool quiet = false, again = false, assume_isa = false;
};

Command run_command(const std::function<Expected<int>(const RunAsked&)>& run);

}  // namespace forewarp::cli
