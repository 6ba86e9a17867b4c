// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "timing/machine/ticks.h"

namespace forewarp::timing {

/// How many warps an SM holds, over a run of any length in a memory of fixed size: means of equal
/// stretches of time, which double when they become too many, and the time at each number.
class Residency {
 public:
  static constexpr std::size_t most_points = 200;

  /// Warps come (+), which may be said ahead of time, or go (-), which is said as it happens.
  void change(Ticks at, int warps);

  /// What was seen when the run ended.
  struct Summary {
    std::vector<std::pair<double, double>> points;  ///< cycle at which a stretch begins, its mean
    double mean = 0, highest = 0;
    double deviation = 0;   ///< standard, from the first going to the last coming
    double below_half = 0;  ///< share of the time with under half of `highest`
  };
  [[nodiscard]] Summary summary(Ticks end) const;

 private:
  /// Integrals over the time until `at`.
  struct Sums {
    Ticks at = 0;
    double level = 0, square = 0;
  };
  void settle(Ticks until);
  void pass(Ticks until);
  void add_to_points(Ticks from, Ticks until);

  std::vector<std::pair<Ticks, int>> ahead_;  ///< changes still to come, the next one last
  std::vector<double> stretches_;             ///< warps times ticks
  std::vector<double> time_at_;               ///< ticks by number of warps
  Ticks width_ = cycle;
  std::int64_t level_ = 0;
  bool someone_went_ = false;
  Sums sums_, first_going_, last_coming_;
};

/// When blocks ended: the first and the last exactly; of those between them, one in `stride_`.
class BlockEnds {
 public:
  static constexpr std::size_t most_kept = 4096;

  void add(Ticks at);
  [[nodiscard]] std::uint64_t count() const { return count_; }
  /// By which this share of the blocks had ended: 0 the first, 1 the last.
  [[nodiscard]] Ticks at_share(double share) const;

 private:
  std::vector<Ticks> kept_;
  std::uint64_t count_ = 0, stride_ = 1;
  Ticks last_ = 0;
};

}  // namespace forewarp::timing
