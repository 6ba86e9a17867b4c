// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "timing/machine/ticks.h"
#include "timing/units/shared_server.h"

namespace forewarp::timing {

/// Device memory behind L2: serves requests one after the other, and the more it is loaded the
/// longer its latency. The load is that of the last window of time. A request waits for the longer
/// of queueing and extra latency, not for their sum.
class DevicePath {
 public:
  static constexpr Ticks window = 2048 * cycle;

  /// `delays`: extra latency at loads from 0 to 1 in equal steps; empty: none.
  explicit DevicePath(std::vector<Ticks> delays = {}, bool ordered = true)
      : slice(ordered), delays_(std::move(delays)), memory_(ordered) {}

  SharedServer slice;  ///< the busiest slice of L2, in front of device memory

  /// A request at `at` that occupies device memory for `time`; returns how long it waits.
  Ticks wait(Ticks at, Ticks time) {
    const Ticks begin = memory_.take(at, time);
    last_ = begin + time;
    const Ticks queued = begin - at;
    if (delays_.empty()) return queued;
    turn(at);
    const Ticks elapsed = std::clamp(at - begin_, Ticks{0}, window);
    const Ticks past = before_ * (window - elapsed) / window;
    const Ticks load = std::min(past + now_, window);
    now_ = std::min(now_ + time, 2 * window);
    const Ticks steps = static_cast<Ticks>(delays_.size()) - 1;
    return std::max(queued, delays_[static_cast<std::size_t>(load * steps / window)]);
  }

  /// When the last request has been served.
  [[nodiscard]] Ticks last() const { return last_; }

 private:
  void turn(Ticks at) {
    if (at < begin_ + window) return;
    before_ = at < begin_ + 2 * window ? now_ : 0;
    now_ = 0;
    begin_ = at / window * window;
  }

  std::vector<Ticks> delays_;
  SharedServer memory_;
  Ticks begin_ = 0, before_ = 0, now_ = 0, last_ = 0;
};

}  // namespace forewarp::timing
