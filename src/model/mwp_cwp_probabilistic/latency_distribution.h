// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <span>

namespace forewarp::model {

/// One value of a discrete distribution.
struct Atom {
  double value = 0, probability = 0;
};

/// A discrete distribution of few values, stored in place.
class Atoms {
 public:
  static constexpr std::size_t most = 256;
  /// Ignores values of probability 0.
  void add(double value, double probability);
  [[nodiscard]] std::span<const Atom> all() const { return {atoms_.data(), size_}; }
  [[nodiscard]] double mean() const;
  [[nodiscard]] double variance() const;
  /// Scales to mean 1; a single value becomes exactly 1.
  void normalise();
  /// The smallest value that is not exceeded with probability `share`; sorts.
  [[nodiscard]] double quantile(double share);

 private:
  std::array<Atom, most> atoms_{};
  std::size_t size_ = 0;
};

/// Up to so many independent draws, the distribution of their mean is enumerated exactly.
inline constexpr int exact_draws = 4;

/// Distribution of the mean of `draws` independent draws (1 to exact_draws): every combination of
/// values of `one`, so `one` may have at most 7.
[[nodiscard]] Atoms mean_of_draws(const Atoms& one, int draws);

/// The same for many draws: a normal distribution with the variance over `draws`, as 41 values
/// within 4 standard deviations. A single value without variance.
[[nodiscard]] Atoms normal_mean(const Atoms& one, double draws);

}  // namespace forewarp::model
