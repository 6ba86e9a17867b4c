// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/expected.h"
#include "sweep/sweep_axis.h"

namespace forewarp::sweep {

/// The cross product of axes in the order given: the last one changes fastest. Points are computed
/// when asked for.
class Sweep {
 public:
  static constexpr std::uint64_t most_points = 100'000'000;

  /// One text per --sweep. Refused: an axis that stands twice, more points than most_points.
  static Expected<Sweep> parse(const std::vector<std::string>& texts);

  [[nodiscard]] const std::vector<SweepAxis>& axes() const { return axes_; }
  [[nodiscard]] std::uint64_t count() const { return count_; }

  /// Index of the value that `axis` has at `point`.
  [[nodiscard]] std::uint64_t index_at(std::uint64_t point, std::size_t axis) const {
    return point / strides_[axis] % axes_[axis].count();
  }

  /// Refuses what contradicts the sweep: a swept grid together with --threads.
  [[nodiscard]] Expected<void> check(const PredictOptions& options) const;

  /// Writes the values of a point; what the sweep does not change stays. The same two objects may
  /// be used for one point after another.
  void apply(std::uint64_t point, Case& request, PredictOptions& options) const;

  /// The GPU or the code's registers change from point to point, not only the launch.
  [[nodiscard]] bool changes_binding() const;

 private:
  std::vector<SweepAxis> axes_;
  std::vector<std::uint64_t> strides_;
  std::uint64_t count_ = 1;
};

}  // namespace forewarp::sweep
