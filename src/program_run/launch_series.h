// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <set>
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
  std::vector<std::uint64_t> contents;  ///< of what they point at; empty: any, it was executed too
  std::string failure;                  ///< why there is no time
  bool stands_in = false;               ///< the time is that of another size
};

/// Launches of a kernel with one geometry.
struct LaunchSeries {
  std::vector<LaunchPoint> points;
  std::uint64_t launches = 0;
  bool wanted = true;  ///< the next launch is to be predicted
  double last_instructions = std::numeric_limits<double>::max();  ///< of the last execution
  std::set<std::uint64_t> values;  ///< of arguments that are no addresses: numbers for those seen
  bool strays = false;             ///< the last try was not what the others say
};

/// Whether one of the predictions has about so many warp instructions (10 % more or fewer).
[[nodiscard]] bool knows(const LaunchSeries& series, double instructions);

/// Whether a launch with these values of its arguments is to be predicted, though its number of
/// instructions may be known: values can change the time alone, as a stride does. The second,
/// fourth, eighth .. set of values is tried, and each one after a try that was 10 % off.
[[nodiscard]] bool tries(LaunchSeries& series, std::uint64_t values);
/// Notes whether the latest prediction is what the others say of its number of instructions.
void tried(LaunchSeries& series);

/// The latest prediction of a launch with these parameters and contents; null: there is none.
[[nodiscard]] const LaunchPoint* same_launch(const LaunchSeries& series,
                                             const std::vector<std::uint8_t>& parameters,
                                             const std::vector<std::uint64_t>& contents);

/// Number of the function, grid, block, bytes of dynamic shared memory, blocks of a cluster.
using SeriesKey = std::array<std::uint64_t, 11>;
using AllSeries = std::map<SeriesKey, LaunchSeries>;

/// The time of a launch with so many warp instructions, in ms: between two predicted launches it
/// follows their number, beyond them it is in proportion to the next one's. Of equal numbers the
/// latest counts.
[[nodiscard]] double time_of(const LaunchSeries& series, double instructions);
/// The same, where `same` (may be null) is a prediction with the launch's parameters: if it knows
/// the number, the time is in proportion to its own, whatever others of that number take.
[[nodiscard]] double time_of(const LaunchSeries& series, const LaunchPoint* same,
                             double instructions);

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
