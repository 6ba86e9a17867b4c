// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "base/expected.h"
#include "hardware/host.h"
#include "validation/calibration/host_runs.h"

namespace forewarp::validation {

/// One number of a host as runs give it.
struct HostNumber {
  std::string path, unit;
  double value = 0;
  double deviation = 0;     ///< of its logarithm, from the scatter of the runs
  bool determined = false;  ///< the runs say more about it than was known before
};

struct HostFit {
  std::vector<HostNumber> numbers;
  std::size_t runs = 0;
  double error_before = 0, error_after = 0;  ///< mean |p - t| / t
};

/// Where the search starts, and what a host is while its runs say nothing else.
struct HostStart {
  Host host;
  double launch_us = 0;  ///< of the board; 0: the runs have no launches
};

/// Milliseconds of a run, one thing after the other.
[[nodiscard]] double run_ms(const HostRun& run, const Link& link, const Host& host);

/// The numbers of a host from its runs: least squares of log(predicted / measured), in which runs
/// far from the others count less (Huber), beside what is known of any host: its numbers are within
/// a factor of about two of the start, and its two directions are alike within a quarter. A number
/// of which the runs say nothing stays at its start. Refuses fewer than three runs, and launches or
/// calls without a start.
Expected<HostFit> fit_host(std::span<const HostRun> runs, const Link& link, const HostStart& start);

/// The host's data file: what the runs determined, with source and deviation.
[[nodiscard]] std::string host_text(const HostFit& fit, const std::string& name,
                                    const std::string& source);

}  // namespace forewarp::validation
