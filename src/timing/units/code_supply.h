// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "timing/machine/ticks.h"

namespace forewarp::timing {

/// The SM's instruction cache. Code that fits is always there; of code that does not, lines are
/// fetched in order at a steady pace, ahead of the first warp that needs them.
class CodeSupply {
 public:
  CodeSupply(std::uint32_t lines, std::uint32_t cached, Ticks line_time)
      : cached_(cached), line_time_(line_time) {
    if (cached > 0 && line_time > 0 && lines > cached) fetched_.resize(lines, 0);
  }

  [[nodiscard]] bool limits() const { return !fetched_.empty(); }

  /// When `line` is there for a warp that needs it at `at`.
  Ticks at(std::uint32_t line, Ticks at) {
    // Lines are replaced in the order in which they arrived.
    const bool held = fetched_[line] > 0 && count_ - fetched_[line] < cached_;
    if (held) return line == newest_ ? std::max(at, arrives_) : at;
    const bool follows = line == newest_ + 1;
    arrives_ =
        (follows ? std::max(arrives_, at - line_time_) : std::max(arrives_, at)) + line_time_;
    fetched_[line] = ++count_;
    newest_ = line;
    return std::max(at, arrives_);
  }

 private:
  std::uint32_t cached_;
  Ticks line_time_;
  std::vector<std::uint64_t> fetched_;  ///< by line: its place in the order of arrival; 0: none
  std::uint64_t count_ = 0;
  std::uint32_t newest_ = 0xfffffffe;
  Ticks arrives_ = 0;
};

}  // namespace forewarp::timing
