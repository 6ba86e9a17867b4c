// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "characterise/statistics/straight_line.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "base/text.h"

namespace forewarp::characterise {

Expected<double> StraightLine::at(double x, std::string_view what) const {
  if (x > above && x <= up_to) return slope * x + intercept;
  return Diagnostic{std::string(what), significant(x, 12) + " lies outside of the measured range",
                    significant(above, 12) + " < x <= " + significant(up_to, 12), ""};
}

Expected<StraightLine> fit_line(std::span<const LinePoint> points, std::optional<double> above,
                                std::string_view what) {
  const auto count = static_cast<double>(points.size());
  double mean_x = 0, mean_y = 0;
  for (const LinePoint& p : points) {
    mean_x += p.x / count;
    mean_y += p.y / count;
  }
  double xx = 0, xy = 0, yy = 0;
  for (const LinePoint& p : points) {
    xx += (p.x - mean_x) * (p.x - mean_x);
    xy += (p.x - mean_x) * (p.y - mean_y);
    yy += (p.y - mean_y) * (p.y - mean_y);
  }
  if (!(xx > 0)) {
    return Diagnostic{std::string(what), "a line through " + significant(count, 9) + " points",
                      "at least two different values", "sweep it in the list of tests"};
  }
  StraightLine line;
  line.slope = xy / xx;
  line.intercept = mean_y - line.slope * mean_x;
  double errors = 0, slope_variance = 0, intercept_variance = 0;
  line.above = line.up_to = points.front().x;
  for (const LinePoint& p : points) {
    const double error = p.y - (line.slope * p.x + line.intercept);
    errors += error * error;
    const double weight = (p.x - mean_x) / xx;  // of this y in the slope
    const double other = 1 / count - weight * mean_x;
    slope_variance += weight * weight * p.deviation * p.deviation;
    intercept_variance += other * other * p.deviation * p.deviation;
    line.above = std::min(line.above, p.x);
    line.up_to = std::max(line.up_to, p.x);
  }
  if (yy > 0) line.r2 = 1 - errors / yy;
  if (points.size() > 2) {
    const double scatter = errors / (count - 2);
    slope_variance += scatter / xx;
    intercept_variance += scatter * (1 / count + mean_x * mean_x / xx);
  }
  line.slope_deviation = std::sqrt(slope_variance);
  line.intercept_deviation = std::sqrt(intercept_variance);
  line.above =
      above ? *above : std::nextafter(line.above, -std::numeric_limits<double>::infinity());
  return line;
}

}  // namespace forewarp::characterise
