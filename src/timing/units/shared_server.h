// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "timing/machine/ticks.h"
#include "timing/units/server.h"

namespace forewarp::timing {

/// A server of one SM, whose requests come in order, or of several, whose requests do not: an SM
/// runs ahead of the others, or has a queue of its own in front of it. Then time is filled piece by
/// piece, so that an early request does not stand behind a late one.
class SharedServer {
 public:
  static constexpr Ticks piece = 32 * cycle;  ///< requests come in order but for this long

  explicit SharedServer(bool ordered = true) : filled_(ordered ? 0 : pieces, Piece{}) {}

  /// Takes it from `at` on, or when it is free; returns when it began.
  Ticks take(Ticks at, Ticks time) {
    const Ticks begin = filled_.empty() ? server_.take(at, time) : fill(at, time);
    free_ = std::max(free_, begin + time);
    return begin;
  }
  /// When it is through with all requests so far.
  [[nodiscard]] Ticks free() const { return free_; }

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
        return begin;
      }
      over = here.used - piece;
      here.used = piece;
      if (number == open_) ++open_;
      ++number;
    }
  }

  Server server_;
  std::vector<Piece> filled_;
  Ticks open_ = 0, free_ = 0;
};

}  // namespace forewarp::timing
