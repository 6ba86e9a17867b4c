// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "timing/machine/ticks.h"
#include "timing/units/server.h"

namespace forewarp::timing {

/// Device memory behind L2: serves one after the other, and answers later the more it is loaded.
/// The load is that of the last window of time; who waits in line anyway does not wait twice.
/// Requests of several SMs may come a little out of order: then time is filled piece by piece, so
/// that an early request does not stand behind a late one.
class DevicePath : public Server {
 public:
  static constexpr Ticks window = 2048 * cycle;
  static constexpr Ticks piece = 32 * cycle;  ///< requests come in order but for this long

  DevicePath() = default;
  /// `delays`: cycles more at loads from 0 to 1 in equal steps; empty: none.
  explicit DevicePath(std::vector<Ticks> delays, bool ordered = true)
      : delays_(std::move(delays)), filled_(ordered ? 0 : pieces, Piece{}) {}

  Server slice;  ///< the busiest slice of L2 in front of it

  /// A request for `time` of it at `at`; returns how long it waits.
  Ticks wait(Ticks at, Ticks time) {
    const Ticks begin = filled_.empty() ? take(at, time) : fill(at, time);
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

  /// When it is through with the last request.
  [[nodiscard]] Ticks last() const { return last_; }

 private:
  static constexpr std::size_t pieces = 4096;
  struct Piece {
    Ticks number = -1, used = 0;
  };

  /// The first piece of time from `at` on with room takes it; what it holds beyond its length moves
  /// on to the next.
  Ticks fill(Ticks at, Ticks time) {
    Ticks number = std::max(at / piece, open_);
    Ticks over = 0;
    while (true) {
      Piece& here = filled_[static_cast<std::size_t>(number) % pieces];
      if (here.number != number) here = {number, 0};
      here.used += over;
      if (here.used < piece) {
        const Ticks begin = std::max(at, number == at / piece ? at : number * piece + here.used);
        here.used += time;
        free = std::max(free, begin + time);
        return begin;
      }
      over = here.used - piece;
      here.used = piece;
      if (number == open_) ++open_;
      ++number;
    }
  }

  void turn(Ticks at) {
    if (at < begin_ + window) return;
    before_ = at < begin_ + 2 * window ? now_ : 0;
    now_ = 0;
    begin_ = at / window * window;
  }

  std::vector<Ticks> delays_;
  std::vector<Piece> filled_;
  Ticks begin_ = 0, before_ = 0, now_ = 0, open_ = 0, last_ = 0;
};

}  // namespace forewarp::timing
