// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstdint>

#include "timing/machine/policy.h"

namespace forewarp::timing {

/// One scheduler's choice among ready warps. Warps are bits of a mask: their places at the
/// scheduler.
class IssuePolicy {
 public:
  explicit IssuePolicy(const PolicyChoice& choice) : choice_(choice) {}

  /// The warp of `ready` to try first; `slot` counts issue slots. 64: no warp may issue in this
  /// slot.
  [[nodiscard]] std::uint32_t pick(std::uint64_t ready, std::uint64_t slot,
                                   const std::uint32_t* age) const {
    const bool greedy = choice_.policy == Policy::greedy_oldest ||
                        choice_.policy == Policy::greedy_youngest ||
                        choice_.policy == Policy::greedy_round_robin;
    if (greedy && (ready >> last_ & 1U) != 0) return last_;
    switch (choice_.policy) {
      case Policy::greedy_oldest:
        return by_age(ready, age, false);
      case Policy::greedy_youngest:
        return by_age(ready, age, true);
      case Policy::two_level:
        return in_groups(ready);
      case Policy::variable_rate:
        return at_rate(ready, slot);
      default:
        return next_after(ready, last_);
    }
  }
  /// Whether `warp` is the one that issued last; before the first issue, any warp is.
  [[nodiscard]] bool goes_on_with(std::uint32_t warp) const { return !begun_ || warp == last_; }
  void issued(std::uint32_t warp) {
    begun_ = true;
    // The fast warp's slots do not advance the turn of the others.
    if (choice_.policy != Policy::variable_rate || warp != 0) last_ = warp;
  }

 private:
  static std::uint32_t next_after(std::uint64_t ready, std::uint32_t last) {
    const std::uint64_t later = last >= 63 ? 0 : ready & (~std::uint64_t{0} << (last + 1));
    return static_cast<std::uint32_t>(std::countr_zero(later != 0 ? later : ready));
  }
  static std::uint32_t by_age(std::uint64_t ready, const std::uint32_t* age, bool youngest);
  [[nodiscard]] std::uint32_t in_groups(std::uint64_t ready) const;
  [[nodiscard]] std::uint32_t at_rate(std::uint64_t ready, std::uint64_t slot) const;

  PolicyChoice choice_;
  std::uint32_t last_ = 63;
  bool begun_ = false;
};

}  // namespace forewarp::timing
