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
  std::vector<std::string> set, processes, change;
  std::string format, output, trace;
  std::uint64_t instructions = 0, calls = 0;  ///< limits of scripts; 0: the usual ones
  bool beyond_memory = false, check = false, no_interval = false;
  std::string kernels, lua;  ///< of an imported trace: cases by kernel, and where its script goes

  // Of a suite: many runs.
  std::vector<std::string> sweep;
  std::string store, queue;
  std::uint32_t jobs = 0;  ///< runs at a time; 0: as many as the machine runs at once
  bool again = false, quiet = false;

  [[nodiscard]] bool is_suite() const { return !sweep.empty(); }
};

/// What `forewarp queue` is asked for.
struct QueueAsked {
  std::string what, name;    ///< work or list
  std::uint32_t idle_s = 0;  ///< a worker ends after so long without work; 0: never
};

Command queue_command(const std::function<Expected<int>(const QueueAsked&)>& queue);
Command simulate_command(const std::function<Expected<int>(const SimulateAsked&)>& simulate);

}  // namespace forewarp::cli
