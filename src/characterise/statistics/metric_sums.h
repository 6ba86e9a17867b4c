// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
//
// Figures that a profiler's events make together (Sánchez 2017, Tables 6-9).
#pragma once

#include <string_view>
#include <vector>

namespace forewarp::characterise {

/// A figure as the sum of events.
struct MetricSum {
  std::string_view name;
  std::vector<std::string_view> events;
};
/// Tables 8 (global loads) and 9 (local loads), each figure once, with the rows for queries and
/// hits of L1 at L2 in their right places: printed, each has the other's events.
[[nodiscard]] const std::vector<MetricSum>& metric_sums();

}  // namespace forewarp::characterise
