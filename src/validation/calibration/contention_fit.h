// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "base/expected.h"

namespace forewarp::validation {

/// Traffic of device memory, and the latency of an access at it.
struct LoadedLatency {
  double gbs = 0, cycles = 0;
};

/// latency(T) = a + b T / (c - T), T in GB/s below c (Volkov 2016, section 6.4).
struct ContentionFit {
  double a = 0, b = 0;  ///< cycles
  double c = 0;         ///< GB/s
  double error = 0;     ///< mean |fitted - measured| / measured of all points
  [[nodiscard]] double cycles(double gbs) const { return a + b * gbs / (c - gbs); }
};

/// Searches c on finer and finer grids above the highest throughput; a and b follow by least
/// squares of relative errors. As in the dissertation, samples with higher throughput count more: a
/// point inside the curve, with less throughput than another at its latency, has a tenth of the
/// weight. Refuses fewer than five points, throughput that spreads by less than a factor of 2, a
/// latency that does not grow, and a number that is not above 0.
Expected<ContentionFit> fit_contention(std::span<const LoadedLatency> points);

/// A CSV file with the columns gbs and cycles.
Expected<std::vector<LoadedLatency>> parse_loaded_latencies(std::string_view csv,
                                                            std::string_view file);

}  // namespace forewarp::validation
