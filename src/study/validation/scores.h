// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "result/validation.h"

namespace forewarp::study {

/// One prediction beside its measurement. Any unit, the same for all; both above 0.
struct ScorePair {
  double measured = 0;
  double predicted = 0;
  double low = 0, high = 0;  ///< of the interval; equal where none was given
};

[[nodiscard]] Scores scores_of(std::span<const ScorePair> pairs);

/// Mean |factor * p - t| / t.
[[nodiscard]] double mean_error(std::span<const ScorePair> pairs, double factor = 1);

/// The factor s that makes mean |s*p - t| / t least: the median of t / p weighted by p / t.
[[nodiscard]] double best_factor(std::span<const ScorePair> pairs);

[[nodiscard]] double spearman(std::span<const ScorePair> pairs);
[[nodiscard]] double kendall(std::span<const ScorePair> pairs);

/// What is lost when the `tried` best predicted are measured and the best of them is taken. Among
/// equal predictions the slower are tried first; with one try their mean counts.
[[nodiscard]] double regret(std::span<const ScorePair> pairs, std::size_t tried);

/// Interpolated, `share` 0 to 1; not a number of nothing.
[[nodiscard]] double quantile(std::vector<double> values, double share);

}  // namespace forewarp::study
