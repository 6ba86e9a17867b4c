// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "execution/state/lanes.h"

namespace forewarp::execution {

/// A counter for each lane, kept as bit planes: adding one to many lanes touches about two planes.
class LaneCounters {
 public:
  void clear(LaneMask lanes) {
    for (LaneMask& plane : planes_) plane &= ~lanes;
  }
  void increment(LaneMask lanes) {
    for (std::size_t k = 0; k < planes_.size() && lanes != 0; ++k) {
      const LaneMask carry = planes_[k] & lanes;
      planes_[k] ^= lanes;
      lanes = carry;
    }
  }
  /// The largest counter among `lanes`; 0 for none.
  [[nodiscard]] std::uint64_t most(LaneMask lanes) const {
    std::uint64_t value = 0;
    for (std::size_t k = planes_.size(); k-- > 0;) {
      if ((planes_[k] & lanes) == 0) continue;
      lanes &= planes_[k];
      value |= std::uint64_t{1} << k;
    }
    return value;
  }

 private:
  std::array<LaneMask, 40> planes_{};
};

/// Iterations of one loop by a warp, per entry. Lanes that reach the header together from outside
/// make one entry; it counts as many iterations as its slowest lane makes, in whatever order its
/// lanes run.
class LoopEntries {
 public:
  /// Call when the header runs: `entering` lanes come from outside the loop, the others by a back
  /// edge. Calls `closed(iterations)` for each entry whose lanes have all entered anew.
  template <class Closed>
  void pass(LaneMask lanes, LaneMask entering, Closed closed) {
    if (entering != 0) {
      leave(entering, closed);
      open_.push_back({entering, 0});
    }
    passes_.increment(lanes);
  }
  /// Closes all entries, as the warp has ended.
  template <class Closed>
  void close(Closed closed) {
    leave(all_lanes, closed);
  }

 private:
  struct Entry {
    LaneMask lanes = 0;      ///< whose iterations still count
    std::uint64_t most = 0;  ///< iterations of its lanes that have entered anew since
  };

  template <class Closed>
  void leave(LaneMask lanes, Closed closed) {
    for (std::size_t i = 0; i < open_.size();) {
      Entry& entry = open_[i];
      entry.most = std::max(entry.most, passes_.most(entry.lanes & lanes));
      entry.lanes &= ~lanes;
      if (entry.lanes != 0) {
        ++i;
        continue;
      }
      closed(entry.most);
      open_.erase(open_.begin() + static_cast<std::ptrdiff_t>(i));
    }
    passes_.clear(lanes);
  }

  LaneCounters passes_;
  std::vector<Entry> open_;  ///< at most one per lane
};

}  // namespace forewarp::execution
