// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "base/expected.h"

namespace forewarp::characterise {

/// A parameter as measured with so many threads in the grid: mean and one standard deviation.
struct ConfigValue {
  double threads = 0, mean = 0, deviation = 0;
};

/// One parameter over the configurations of a sweep. Its value for a number of threads comes with a
/// deviation; the mean of all has none, as the deviations differ between configurations.
class ConfigTable {
 public:
  void add(const ConfigValue& value);
  [[nodiscard]] const std::vector<ConfigValue>& values() const { return values_; }
  /// Of the configuration with the nearest number of threads; the smaller one of two. Fails, naming
  /// `what`, outside of the sweep.
  Expected<ConfigValue> at(double threads, std::string_view what) const;
  /// Mean of the means; 0 where there are none.
  [[nodiscard]] double mean() const;

 private:
  std::vector<ConfigValue> values_;  ///< ascending by threads
};

}  // namespace forewarp::characterise
