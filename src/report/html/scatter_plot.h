// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace forewarp::report::html {

struct ScatterPoint {
  double x = 0, y = 0;  ///< above 0
  std::string label;    ///< shown when pointed at
};

/// Points of one colour.
struct ScatterSeries {
  std::string label;
  std::vector<ScatterPoint> points;
};

/// Predicted over measured times, both axes logarithmic where they span much, with the diagonal of
/// right predictions and a band of a fifth around it.
[[nodiscard]] std::string time_scatter(const std::vector<ScatterSeries>& series);

/// The ratio y / x over x, on a linear axis that holds 1.
[[nodiscard]] std::string ratio_scatter(const std::vector<ScatterSeries>& series);

}  // namespace forewarp::report::html
