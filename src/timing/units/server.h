// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <vector>

#include "timing/machine/ticks.h"

namespace forewarp::timing {

/// A path that serves requests one after the other, each for its time.
struct Server {
  Ticks free = 0;

  /// Serves a request that arrives at `at` for `time`; returns when it begins.
  Ticks take(Ticks at, Ticks time) {
    const Ticks begin = std::max(at, free);
    free = begin + time;
    return begin;
  }
};

/// A server whose requests are reserved ahead, not in the order of their arrival: an early request
/// takes a gap that is long enough.
class Calendar {
 public:
  /// Reserves the first gap of length `time` that begins at `at` or later; returns when it begins.
  /// No later call may ask for a time before `now`.
  Ticks take(Ticks now, Ticks at, Ticks time) {
    if (time <= 0) return at;  // needs no turn
    std::size_t past = 0;
    while (past < taken_.size() && taken_[past].end <= now) ++past;
    taken_.erase(taken_.begin(), taken_.begin() + static_cast<std::ptrdiff_t>(past));
    Ticks begin = at;
    auto next = taken_.begin();
    for (; next != taken_.end() && next->begin < begin + time; ++next)
      begin = std::max(begin, next->end);
    if (next != taken_.begin() && std::prev(next)->end == begin) {
      std::prev(next)->end = begin + time;
      if (next != taken_.end() && next->begin == begin + time) {
        std::prev(next)->end = next->end;
        taken_.erase(next);
      }
    } else {
      taken_.insert(next, {begin, begin + time});
    }
    return begin;
  }

 private:
  struct Span {
    Ticks begin = 0, end = 0;
  };
  std::vector<Span> taken_;  ///< reserved, ascending, with gaps between them
};

}  // namespace forewarp::timing
