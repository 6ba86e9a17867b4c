// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "timing/ticks.h"
#include "timing/units/server.h"

namespace forewarp {

/// Device memory behind L2: serves one after the other, and answers later the more it is loaded.
/// The load is that of the last window of time; who waits in line anyway does not wait twice.
class DevicePath : public Server {
 public:
  static constexpr Ticks window = 2048 * cycle;

  DevicePath() = default;
  /// `delays`: cycles more at loads from 0 to 1 in equal steps; empty: none.
  explicit DevicePath(std::vector<Ticks> delays) : delays_(std::move(delays)) {}

  /// A request for `time` of it at `at`; returns how long it waits.
  Ticks wait(Ticks at, Ticks time) {
    const Ticks queued = take(at, time) - at;
    if (delays_.empty()) return queued;
    turn(at);
    const Ticks elapsed = std::clamp(at - begin_, Ticks{0}, window);
    const Ticks past = before_ * (window - elapsed) / window;
    const Ticks load = std::min(past + now_, window);
    now_ += time;
    const Ticks steps = static_cast<Ticks>(delays_.size()) - 1;
    return std::max(queued, delays_[static_cast<std::size_t>(load * steps / window)]);
  }

 private:
  /// Requests of several SMs come a little out of order: what is early counts as just now.
  void turn(Ticks at) {
    if (at < begin_ + window) return;
    before_ = at < begin_ + 2 * window ? now_ : 0;
    now_ = 0;
    begin_ = at / window * window;
  }

  std::vector<Ticks> delays_;
  Ticks begin_ = 0, before_ = 0, now_ = 0;
};

}  // namespace forewarp
