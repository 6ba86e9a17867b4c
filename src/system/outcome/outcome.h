// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/diagnostic.h"
#include "system/engine/predicted_kernel.h"
#include "system/engine/timeline.h"

namespace forewarp::system {

/// What one process did.
struct ProcessOutcome {
  std::string name, unit;  ///< "GPU:0" and the unit that it ran on
  double finish_s = 0;
  double energy_j = 0;  ///< of its own computing, on top of what units draw anyway
};

/// What one unit did; units with nothing to say are left out.
struct UnitOutcome {
  std::string name;
  double busy_s = 0;
  double energy_j = 0;  ///< of the whole run
};

/// One kind of work on the critical path.
struct PathShare {
  std::string what;  ///< "kernel saxpy on GPU:0"
  double seconds = 0;
};

/// How all-reduces were simulated (engine/collectives.h).
struct ReduceOutcome {
  std::uint64_t closed = 0, disturbed = 0, messages = 0, library = 0, library_messages = 0;
  std::string reason;  ///< why rings were messages without being asked to; empty: none were
};

/// A part of the system that failed and made the application begin again.
struct FailureOutcome {
  std::string what;
  double at_s = 0;
};

/// An attempt that a failure ended, and how the next one begins.
struct BrokenOff {
  bool is_so = false;
  double repair_s = 0, repair_w = 0;  ///< passes before, and what the system draws meanwhile
};

/// A figure that the application named, and its smallest and largest value over the interval's
/// ends.
struct AnswerOutcome {
  std::string name;
  double value = 0;
  std::array<double, 2> interval{};
};

/// Times of two more runs: every predicted kernel and collective at the low end of its interval, or
/// all at the high end.
struct IntervalOutcome {
  std::array<double, 2> seconds{};
  std::string meaning;  ///< a sentence
};

/// One run of an application on a system, or why it stopped.
struct Outcome {
  std::string system, application;
  double overall_s = 0;
  std::optional<IntervalOutcome> interval;  ///< nullopt: not asked for, or nothing was predicted
  std::vector<AnswerOutcome> answers;
  double energy_j = 0;
  double failure_chance = 0;  ///< that some unit or link fails before the end of one attempt
  std::vector<FailureOutcome> failures;  ///< after each of which it began again
  BrokenOff broken_off;                  ///< of one attempt
  std::vector<ProcessOutcome> processes;
  std::vector<UnitOutcome> units;
  std::vector<PathShare> path;  ///< longest first; empty: the timeline was cut off
  std::string bottleneck;       ///< one sentence
  std::vector<std::pair<std::string, std::string>> variables;
  std::vector<std::string> assumptions;
  std::vector<std::string> warnings;
  std::vector<std::string> said;     ///< lines that the application printed
  std::vector<KnownKernel> kernels;  ///< that were predicted
  std::uint64_t messages = 0;
  ReduceOutcome reduces;
  Timeline timeline;
  std::optional<Diagnostic> error;
};

}  // namespace forewarp::system
