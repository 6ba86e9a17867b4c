// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace forewarp::report::html {

/// Points of one line, by rising x.
struct PlotCurve {
  std::string label;
  std::vector<std::pair<double, double>> points;
};

/// The area between a lower and an upper curve over the same x, both axes logarithmic; a line at y
/// = 1. Values outside `lowest`..`highest` are drawn at the edge.
struct PlotBand {
  std::string title;
  std::vector<double> x, low, high;
  double lowest = 0.1, highest = 10;
};

/// A small drawing of a band, to be placed among others.
[[nodiscard]] std::string band_plot(const PlotBand& band);

/// Lines with keys over a logarithmic x; `limit`: a dashed line across, 0 for none.
[[nodiscard]] std::string curves_plot(const std::string& title, const std::string& x_title,
                                      const std::vector<PlotCurve>& curves, double limit);

}  // namespace forewarp::report::html
