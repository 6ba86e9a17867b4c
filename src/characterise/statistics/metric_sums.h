// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
//
// Figures that a profiler's events make together (Sánchez 2017, Tables 6-9).
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/expected.h"
#include "characterise/statistics/clock_cost.h"

namespace forewarp::characterise {

/// A figure as the sum of events.
struct MetricSum {
  std::string_view name;
  std::string_view memory;  ///< of which loads: "global" (Table 8) or "local" (Table 9)
  std::vector<std::string_view> events;
};
/// The tables, with the rows for queries and hits of L1 at L2 in their right places: printed, each
/// has the other's events.
[[nodiscard]] const std::vector<MetricSum>& metric_sums();

/// Values of one event, a run each.
using EventRuns = std::map<std::string, std::vector<double>, std::less<>>;

/// The figure of each run. Fails for an unknown figure, an event that is missing, and events of
/// different numbers of runs.
Expected<std::vector<double>> metric_runs(const EventRuns& events, std::string_view memory,
                                          std::string_view name);

/// What the measured operations alone count, as windows are freed from the clock: nothing is
/// decimated, as a run has one value. Values may come out below 0.
Expected<ClockFree> metric_alone(std::span<const double> with_operations,
                                 std::span<const double> without, std::string_view name);

}  // namespace forewarp::characterise
