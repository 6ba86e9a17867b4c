// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "timing/machine/ticks.h"
#include "timing/units/server.h"

namespace forewarp::timing {

/// A server for the requests of one SM, which come in order, or of several, which do not: an SM is
/// simulated ahead of the others, or has a queue of its own in front of the server. For several,
/// time is filled piece by piece, so that an early request does not wait behind a late one.
class SharedServer {
 public:
  static constexpr Ticks piece = 32 * cycle;  ///< by at most so much are requests out of order

  explicit SharedServer(bool ordered = true) : filled_(ordered ? 0 : pieces, Piece{}) {}

  /// Serves a request that arrives at `at` for `time`; returns when it begins.
  Ticks take(Ticks at, Ticks time) {
    const Ticks begin = filled_.empty() ? server_.take(at, time) : fill(at, time);
    free_ = std::max(free_, begin + time);
    return begin;
  }
  /// When all requests so far have been served.
  [[nodiscard]] Ticks free() const { return free_; }

 private:
  static constexpr std::size_t pieces = 4096;
  struct Piece {
    Ticks number = -1, used = 0;
  };

  /// The first piece from `at` on with room takes the request; what exceeds the piece's length is
  /// carried over to the next one.
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
