// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "report/html/axis_scale.h"

#include <algorithm>
#include <cmath>

namespace forewarp::report::html {
namespace {

/// 1, 2 or 5 times a power of ten: the step that gives about five ticks.
double round_step(double span) {
  const double raw = span / 5;
  const double power = std::pow(10, std::floor(std::log10(raw)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= raw * 0.999) return factor * power;
  }
  return 10 * power;
}

std::vector<double> log_ticks(double low, double high) {
  const double decades = std::log10(high / low);
  const std::vector<double> factors =
      decades <= 3 ? std::vector<double>{1, 2, 5} : std::vector<double>{1};
  std::vector<double> ticks;
  for (double exponent = std::floor(std::log10(low)); exponent <= std::log10(high); ++exponent) {
    for (const double factor : factors) {
      const double tick = factor * std::pow(10, exponent);
      if (tick >= low * 0.999 && tick <= high * 1.001) ticks.push_back(tick);
    }
  }
  return ticks;
}

}  // namespace

AxisScale AxisScale::fitting(const Range& range, double first_pixel, double last_pixel) {
  const auto& [lowest, highest, from_zero, even, log_from] = range;
  AxisScale scale;
  scale.first_ = first_pixel;
  scale.last_ = last_pixel;
  scale.logarithmic_ = !even && lowest > 0 && highest > log_from * lowest;
  scale.low_ = from_zero && !scale.logarithmic_ ? std::min(0.0, lowest) : lowest;
  scale.high_ = highest;
  if (scale.logarithmic_) {
    scale.low_ *= 0.85;
    scale.high_ *= 1.15;
    return scale;
  }
  if (scale.high_ <= scale.low_) scale.high_ = scale.low_ + std::max(1.0, std::fabs(scale.low_));
  const double margin = 0.03 * (scale.high_ - scale.low_);
  if (scale.low_ != 0) scale.low_ -= margin;
  scale.high_ += margin;
  return scale;
}

double AxisScale::pixel(double value) const {
  const double share = logarithmic_ ? std::log(value / low_) / std::log(high_ / low_)
                                    : (value - low_) / (high_ - low_);
  return first_ + share * (last_ - first_);
}

std::vector<double> AxisScale::ticks() const {
  if (logarithmic_) return log_ticks(low_, high_);
  std::vector<double> ticks;
  const double step = round_step(high_ - low_);
  for (double i = std::ceil(low_ / step); i * step <= high_; ++i) ticks.push_back(i * step);
  return ticks;
}

}  // namespace forewarp::report::html
