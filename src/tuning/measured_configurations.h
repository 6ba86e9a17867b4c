// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/expected.h"
#include "result/tuning.h"

namespace forewarp::tuning {

/// The measured times of --measured by configuration: index among the tuning's points.
struct MeasuredConfigurations {
  struct Time {
    std::size_t point = 0;
    double ms = 0;
  };
  std::vector<Time> times;    ///< of several rows of a configuration, the last one counts
  std::size_t elsewhere = 0;  ///< rows of no configuration of the space
  std::size_t failed = 0;     ///< rows without a time
};

/// Reads a CSV file with a column for each parameter and one called time_ms, measured_ms or time
/// (ms), or a tuner's cache file or results as validate() does. Refuses a file that lacks a
/// parameter or the times.
Expected<MeasuredConfigurations> parse_measured(std::string_view text, const std::string& file,
                                                const Tuning& tuning);

}  // namespace forewarp::tuning
