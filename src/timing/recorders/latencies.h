// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "timing/machine/cause.h"
#include "timing/machine/ticks.h"

namespace forewarp::timing {

/// How long the accesses of one instruction took, in memory of fixed size: counts in bins of equal
/// width, which doubles whenever a latency lies beyond the last bin.
class AccessLatencies {
 public:
  static constexpr std::size_t most_bins = 512;

  /// `level`: where the data were.
  void add(Ticks latency, Cause level);

  [[nodiscard]] std::uint64_t count() const { return count_; }
  [[nodiscard]] double mean() const;       ///< cycles
  [[nodiscard]] double deviation() const;  ///< standard, cycles
  [[nodiscard]] Ticks least() const { return least_; }
  [[nodiscard]] Ticks most() const { return most_; }
  [[nodiscard]] Ticks width() const { return width_; }
  /// Accesses from 0, width, 2 width .. on; without empty ones at the end.
  [[nodiscard]] const std::vector<std::uint64_t>& bins() const { return bins_; }
  [[nodiscard]] std::uint64_t from(Cause level) const {
    return levels_[static_cast<std::size_t>(level)];
  }

 private:
  std::vector<std::uint64_t> bins_;
  std::array<std::uint64_t, cause_count> levels_{};
  Ticks width_ = cycle, least_ = 0, most_ = 0;
  std::uint64_t count_ = 0;
  double sum_ = 0, squares_ = 0;  ///< cycles; squares of them
};

}  // namespace forewarp::timing
