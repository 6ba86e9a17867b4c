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

/// What L2 takes in. An SM that is simulated alone has its share of that, but not at every moment:
/// while it sends nothing, others do. What it leaves of its share it may use later, in a window.
class IntakeOfL2 {
 public:
  IntakeOfL2(bool ordered, Ticks window) : alone_(ordered), window_(window), all_(ordered) {}

  /// A request that arrives at `at` and takes `time` of the share; returns when it begins.
  Ticks take(Ticks at, Ticks time) {
    if (!alone_) return all_.take(at, time);
    used_ = std::max(used_, at - window_);
    const Ticks begin = std::max(at, used_);
    used_ += time;
    return begin;
  }

 private:
  bool alone_;
  Ticks window_, used_ = 0;
  SharedServer all_;
};

/// Device memory behind L2: serves requests one after the other, and the more it is loaded the
/// longer its latency. The load is that of the last window of time. A request waits for the longer
/// of queueing and extra latency, not for their sum.
class DevicePath {
 public:
  static constexpr Ticks window = 2048 * cycle;

  /// `delays`: extra latency at loads from 0 to 1 in equal steps; empty: none.
  explicit DevicePath(std::vector<Ticks> delays = {}, bool ordered = true)
      : slice(ordered), writes(ordered, window), delays_(std::move(delays)), memory_(ordered) {}

  SharedServer slice;  ///< the busiest slice of L2, in front of device memory
  IntakeOfL2 writes;

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
