// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

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
    Line* oldest = lines_.data();
    for (Line& held : lines_) {
      if (held.number == line) {
        held.used = at;
        return held.arrives > at ? held.arrives : at;
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
  std::vector<Line> lines_;
};

}  // namespace forewarp::timing
