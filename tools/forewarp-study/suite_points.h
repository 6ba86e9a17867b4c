// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/expected.h"
#include "forewarp/simulate_asked.h"

namespace forewarp::cli {

/// The runs of a suite: every combination of the values of its axes, the last one changing fastest.
class SuitePoints {
 public:
  static constexpr std::uint64_t most_points = 1'000'000;

  /// Refused: an axis that stands twice or has no value, more points than most_points.
  static Expected<SuitePoints> parse(const SimulateAsked& asked);

  [[nodiscard]] std::vector<std::string> axes() const;
  [[nodiscard]] std::uint64_t count() const { return count_; }
  /// The values of a point, as written, in the order of the axes.
  [[nodiscard]] std::vector<std::string> values(std::uint64_t point) const;
  /// The words of `forewarp-system` for one run, with its result as JSON.
  [[nodiscard]] std::vector<std::string> words(std::uint64_t point) const;

 private:
  struct Axis {
    std::string name;
    std::vector<std::string> values;
  };
  static Expected<Axis> axis_of(const std::string& text);

  std::vector<std::string> common_;
  std::vector<Axis> axes_;
  std::uint64_t count_ = 1;
};

}  // namespace forewarp::cli
