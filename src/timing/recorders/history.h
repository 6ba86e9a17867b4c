// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "timing/machine/ticks.h"

namespace forewarp::timing {

/// How many warps are resident on an SM over time, in memory of fixed size whatever the run's
/// length: means over equal stretches of time, which double when there are too many, and the time
/// spent at each number.
class Residency {
 public:
  static constexpr std::size_t most_points = 200;

  /// `warps` more are resident from `at` on (may lie ahead), or, negative, fewer (must be now).
  void change(Ticks at, int warps);

  /// What was seen of the whole run.
  struct Summary {
    std::vector<std::pair<double, double>> points;  ///< cycle at which a stretch begins; mean warps
    double mean = 0, highest = 0;
    double deviation = 0;   ///< standard, between the first departure and the last arrival
    double below_half = 0;  ///< share of the time with fewer than half of `highest`
  };
  [[nodiscard]] Summary summary(Ticks end) const;

 private:
  /// Integrals, over the time until `at`, of the number of warps and of its square.
  struct Sums {
    Ticks at = 0;
    double level = 0, square = 0;
  };
  void settle(Ticks until);
  void pass(Ticks until);
  void add_to_points(Ticks from, Ticks until);

  std::vector<std::pair<Ticks, int>> ahead_;  ///< announced changes, the next one last
  std::vector<double> stretches_;             ///< by stretch: warps times ticks
  std::vector<double> time_at_;               ///< ticks spent at each number of warps
  Ticks width_ = cycle;
  std::int64_t level_ = 0;
  bool someone_went_ = false;
  Sums sums_, first_going_, last_coming_;
};

/// When blocks ended: the first and the last exactly, of those between them every `stride_`th.
class BlockEnds {
 public:
  static constexpr std::size_t most_kept = 4096;

  void add(Ticks at);
  [[nodiscard]] std::uint64_t count() const { return count_; }
  /// When this share of the blocks had ended; 0: the first, 1: the last.
  [[nodiscard]] Ticks at_share(double share) const;

 private:
  std::vector<Ticks> kept_;
  std::uint64_t count_ = 0, stride_ = 1;
  Ticks last_ = 0;
};

}  // namespace forewarp::timing
