// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

namespace forewarp::report::html {

/// Maps values to pixels, linear or logarithmic, and knows where ticks look right.
class AxisScale {
 public:
  /// Holds both values with a small margin, and zero when asked; logarithmic when both are positive
  /// and more than a factor of 100 apart (then zero cannot be shown).
  static AxisScale fitting(double lowest, double highest, double first_pixel, double last_pixel,
                           bool from_zero);

  [[nodiscard]] double pixel(double value) const;
  [[nodiscard]] std::vector<double> ticks() const;
  [[nodiscard]] bool logarithmic() const { return logarithmic_; }

 private:
  double low_ = 0, high_ = 1, first_ = 0, last_ = 1;
  bool logarithmic_ = false;
};

}  // namespace forewarp::report::html
