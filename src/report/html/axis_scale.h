// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

namespace forewarp::report::html {

/// Maps values to pixels, linearly or logarithmically, and chooses the places of ticks.
class AxisScale {
 public:
  /// The values that an axis must show.
  struct Range {
    double lowest = 0, highest = 1;
    bool from_zero = false;
    bool even = false;      ///< the values are evenly spaced: never logarithmic
    double log_from = 100;  ///< a wider span than this factor is logarithmic
  };

  /// A scale for the range with a small margin; logarithmic if the range is positive and spans more
  /// than the factor (then zero cannot be shown).
  static AxisScale fitting(const Range& range, double first_pixel, double last_pixel);

  [[nodiscard]] double pixel(double value) const;
  [[nodiscard]] std::vector<double> ticks() const;
  [[nodiscard]] bool logarithmic() const { return logarithmic_; }

 private:
  double low_ = 0, high_ = 1, first_ = 0, last_ = 1;
  bool logarithmic_ = false;
};

}  // namespace forewarp::report::html
