// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "base/expected.h"

namespace forewarp::characterise {

/// A parameter as measured with so many threads in the grid: mean and one standard deviation, where
/// it can be said.
struct ConfigValue {
  double threads = 0, mean = 0;
  std::optional<double> deviation;
};

/// One parameter over the configurations of a sweep.
class ConfigTable {
 public:
  void add(const ConfigValue& value);
  [[nodiscard]] const std::vector<ConfigValue>& values() const { return values_; }
  /// Of the configuration with the nearest number of threads; the smaller one of two. Fails, naming
  /// `what`, outside of the sweep.
  Expected<ConfigValue> at(double threads, std::string_view what) const;

 private:
  std::vector<ConfigValue> values_;  ///< ascending by threads
};

}  // namespace forewarp::characterise
