// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

namespace forewarp::base {

/// Mean; NaN without values.
[[nodiscard]] double mean_of(std::span<const double> values);

/// Variance of a sample about its mean `centre`: squares over n - 1, in squares of the values'
/// unit; 0 for fewer than two values.
[[nodiscard]] double variance_about(double centre, std::span<const double> values);

/// Median of values in ascending order, at least one: the mean of the middle two of an even number.
[[nodiscard]] double median_of_sorted(std::span<const double> values);

/// Quantile at `share`, 0 to 1, interpolated between its neighbours; NaN without values.
[[nodiscard]] double quantile(std::vector<double> values, double share);

}  // namespace forewarp::base
