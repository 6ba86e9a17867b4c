// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace forewarp::program_run {

/// A predicted launch: how long it takes with so many warp instructions.
struct LaunchPoint {
  std::uint32_t record = 0;  ///< of the prediction in the journal
  double ms = 0;
  double instructions = 0;  ///< 0: not known
  double share = 1;         ///< of the device, 0..1
  std::vector<std::uint8_t> parameters;
  std::string failure;     ///< why there is no time
  bool stands_in = false;  ///< the time is that of another size
};

/// Launches of a kernel with one geometry.
struct LaunchSeries {
  std::vector<LaunchPoint> points;
  std::uint64_t launches = 0;
  bool wanted = true;  ///< the next launch is to be predicted
  double last_instructions = std::numeric_limits<double>::max();  ///< of the last execution
};

/// Number of the function, grid, block, bytes of dynamic shared memory.
using SeriesKey = std::array<std::uint64_t, 8>;
using AllSeries = std::map<SeriesKey, LaunchSeries>;

/// The time of a launch with so many warp instructions, in ms: between two predicted launches it
/// follows their number, beyond them it is in proportion to the next one's.
[[nodiscard]] double time_of(const LaunchSeries& series, double instructions);

/// What takes the place of a prediction of the launch `key`: the latest predicted launch of the
/// same function whose number of threads is nearest (by their ratio), its time and share by their
/// threads. Only predicted launches stand in for others, none that failed or that itself has the
/// time of another size; nullopt: there is none whose ratio is at most `most_ratio`.
[[nodiscard]] std::optional<LaunchPoint> stand_in(
    const AllSeries& all, const SeriesKey& key,
    double most_ratio = std::numeric_limits<double>::infinity());

/// Of how many geometries a function's launches were predicted.
[[nodiscard]] std::size_t predicted_sizes(const AllSeries& all, std::uint64_t function);

}  // namespace forewarp::program_run
