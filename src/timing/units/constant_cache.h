// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "timing/machine/ticks.h"

namespace forewarp::timing {

/// The first-level constant cache of one sub-core: replaces its least recently used line.
class ConstantCache {
 public:
  explicit ConstantCache(std::uint32_t lines) : lines_(lines) {}

  [[nodiscard]] bool limits() const { return !lines_.empty(); }

  /// When `line` is there for an instruction that needs it at `at`; on a miss `miss` later.
  Ticks at(std::uint32_t line, Ticks at, Ticks miss) {
    if (lines_[last_].number == line) return hit(lines_[last_], at);  // mostly the same again
    Line* oldest = lines_.data();
    for (Line& held : lines_) {
      if (held.number == line) {
        last_ = static_cast<std::size_t>(&held - lines_.data());
        return hit(held, at);
      }
      if (held.used < oldest->used) oldest = &held;
    }
    *oldest = {line, at, at + miss};
    return oldest->arrives;
  }

 private:
  struct Line {
    std::uint32_t number = 0xffffffff;
    Ticks used = -1, arrives = 0;
  };
  static Ticks hit(Line& held, Ticks at) {
    held.used = at;
    return held.arrives > at ? held.arrives : at;
  }

  std::vector<Line> lines_;
  std::size_t last_ = 0;  ///< of a hit
};

}  // namespace forewarp::timing
