// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "timing/machine/ticks.h"

namespace forewarp::timing {

/// A barrier in shared memory (mbarrier): when each of its phases ended. Contributions are told
/// with the time at which they count, which may lie ahead.
struct PhaseBarrier {
  std::uint32_t name = 0;  ///< byte offset in shared memory
  std::uint32_t expected = 1, missing = 1;
  std::int64_t bytes = 0;
  Ticks latest = 0;         ///< of the contributions to the phase at hand
  std::vector<Ticks> ends;  ///< by phase

  /// Returns whether the phase is complete.
  bool contribute(std::uint32_t arrivals, std::int64_t more_bytes, Ticks at) {
    missing -= std::min(missing, arrivals);
    bytes += more_bytes;
    latest = std::max(latest, at);
    if (missing != 0 || bytes > 0) return false;
    ends.push_back(latest);
    bytes = 0;
    missing = expected;
    latest = 0;
    return true;
  }
};

/// Those of a block.
class PhaseBarriers {
 public:
  void clear() { list_.clear(); }
  [[nodiscard]] PhaseBarrier& of(std::uint32_t name) {
    for (PhaseBarrier& barrier : list_) {
      if (barrier.name == name) return barrier;
    }
    list_.emplace_back().name = name;
    return list_.back();
  }

 private:
  std::vector<PhaseBarrier> list_;
};

}  // namespace forewarp::timing
