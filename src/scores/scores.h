// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "result/validation.h"

namespace forewarp::scores {

/// One prediction and its measurement, in any one unit; both above 0.
struct ScorePair {
  double measured = 0;
  double predicted = 0;
  double low = 0, high = 0;  ///< of the interval; equal if there is none
};

[[nodiscard]] Scores scores_of(std::span<const ScorePair> pairs);

/// Mean |factor * p - t| / t of predictions p and measurements t.
[[nodiscard]] double mean_error(std::span<const ScorePair> pairs, double factor = 1);

/// The factor s that makes mean |s*p - t| / t least: the median of t / p weighted by p / t.
[[nodiscard]] double best_factor(std::span<const ScorePair> pairs);

[[nodiscard]] double spearman(std::span<const ScorePair> pairs);
[[nodiscard]] double kendall(std::span<const ScorePair> pairs);

/// Relative loss against the best when the `tried` best predicted are measured and the best of
/// these is taken. Of equal predictions the slower are tried first; with one try, their mean
/// counts.
[[nodiscard]] double regret(std::span<const ScorePair> pairs, std::size_t tried);

}  // namespace forewarp::scores
