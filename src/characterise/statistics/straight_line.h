// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "base/expected.h"

namespace forewarp::characterise {

/// A measured point; `deviation`: of y as it is used, 0 where unknown.
struct LinePoint {
  double x = 0, y = 0, deviation = 0;
};

/// y = slope x + intercept by least squares. Deviations are of the repeats carried through the fit,
/// and of the points from the line where there are more than two.
struct StraightLine {
  double slope = 0, intercept = 0;
  double r2 = 1;  ///< share of the variance of y that the line has; 1 where y does not vary
  double slope_deviation = 0, intercept_deviation = 0;
  double above = 0, up_to = 0;  ///< valid for above < x <= up_to

  /// Fails, naming `what`, for x outside of the range, where the line was not measured.
  Expected<double> at(double x, std::string_view what) const;
};

/// Fails, naming `what`, where there are not two different x. The line is valid for the x that were
/// measured; `above` where it is given excludes its own value.
Expected<StraightLine> fit_line(std::span<const LinePoint> points, std::optional<double> above,
                                std::string_view what);

}  // namespace forewarp::characterise
