// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace forewarp::characterise {

/// Values with how often each was seen: ascending, each value once, counts of at least 1.
using Histogram = std::vector<std::pair<double, std::uint64_t>>;

/// What one configuration of a test gave for one quantity.
struct Record {
  std::string test;
  /// Swept arguments in the order of the test: threads=256, bytes=65536.
  std::vector<std::pair<std::string, std::string>> config;
  /// "time" (us), "window" and "empty" (cycles), "count/NAME".
  std::string quantity, unit;
  std::optional<double> clock_mhz;  ///< SM clock meanwhile
  std::optional<double> power_w;
  Histogram samples;  ///< never empty
  std::size_t line = 0;

  /// A number of the configuration; nullopt where it has none of that name.
  [[nodiscard]] std::optional<double> number(std::string_view key) const;
  /// The configuration as written, without one of its keys.
  [[nodiscard]] std::string config_without(std::string_view key) const;
  bool operator==(const Record&) const = default;
};

/// Of all samples: how many, their mean, their median and their standard deviation (of a sample: n
/// - 1; 0 for one).
struct Centre {
  std::uint64_t count = 0;
  double mean = 0, median = 0, deviation = 0;
};
[[nodiscard]] Centre centre_of(const Histogram& samples);

}  // namespace forewarp::characterise
