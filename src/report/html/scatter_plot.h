// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace forewarp::report::html {

struct ScatterPoint {
  double x = 0, y = 0;  ///< above 0
  std::string label;    ///< shown when the pointer is over it
};

/// Points of one colour.
struct ScatterSeries {
  std::string label;
  std::vector<ScatterPoint> points;
};

/// Predicted over measured times, both axes logarithmic if they span much, with the diagonal of
/// exact predictions and a band of 20 % around it.
[[nodiscard]] std::string time_scatter(const std::vector<ScatterSeries>& series);

/// The ratio y / x over x, on a linear axis that includes 1.
[[nodiscard]] std::string ratio_scatter(const std::vector<ScatterSeries>& series);

}  // namespace forewarp::report::html
