// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/expected.h"
#include "result/tuning.h"

namespace forewarp::study {

/// What --measured holds: times of configurations, by their place in the tuning's points.
struct MeasuredConfigurations {
  struct Time {
    std::size_t point = 0;
    double ms = 0;
  };
  std::vector<Time> times;    ///< a configuration that stands twice counts by its last row
  std::size_t elsewhere = 0;  ///< rows of no configuration of the space
  std::size_t failed = 0;     ///< rows without a time
};

/// A CSV file with a column for each parameter and one called time_ms, measured_ms or time (ms), or
/// what validate() reads of tuners: a cache file, results. Refused: a file that lacks a parameter
/// or the times.
Expected<MeasuredConfigurations> parse_measured(std::string_view text, const std::string& file,
                                                const Tuning& tuning);

}  // namespace forewarp::study
