// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "binding/path.h"

namespace forewarp::binding {

/// Follows a path instruction by instruction, repeating loops; keeps one frame per open loop.
class PathWalker {
 public:
  /// `share`: of the iterations of outermost loops that are executed; at least one each.
  explicit PathWalker(const WarpPath& path, double share = 1) : path_(&path), share_(share) {
    frames_.push_back({&path.steps, 0, 1, false});
    settle();
  }

  [[nodiscard]] bool at_end() const { return frames_.empty(); }
  [[nodiscard]] std::uint32_t instruction() const { return instruction_; }
  /// Whether the instruction is a branch that is taken.
  [[nodiscard]] bool jumps() const {
    const PathStep& run = step();
    if (!run.jumps || instruction_ + 1 != run.last) return false;
    const Frame& frame = frames_.back();
    const bool last_of_pass = frame.step + 1 == frame.steps->size();
    return !(frame.leaves_at_end && last_of_pass && frame.passes <= 1);
  }

  void advance() {
    if (++instruction_ < step().last) return;
    ++frames_.back().step;
    settle();
  }

 private:
  struct Frame {
    const std::vector<PathStep>* steps;
    std::size_t step;
    double passes;  ///< remaining, including this one
    bool leaves_at_end;
  };

  [[nodiscard]] const PathStep& step() const {
    return (*frames_.back().steps)[frames_.back().step];
  }

  /// Advances to the next step that is a run with instructions.
  void settle() {
    while (!frames_.empty()) {
      Frame& frame = frames_.back();
      if (frame.step == frame.steps->size()) {
        if (--frame.passes >= 1) {
          frame.step = 0;
        } else {
          frames_.pop_back();
          if (!frames_.empty()) ++frames_.back().step;
        }
        continue;
      }
      const PathStep& next = step();
      if (next.is_loop()) {
        const double all = path_->loops[next.loop].trips;
        const bool outermost = frames_.size() == 1;
        const double trips = std::round(outermost && all >= 1 ? std::max(1.0, all * share_) : all);
        if (trips >= 1 && !next.body.empty()) {
          frames_.push_back({&next.body, 0, trips, next.leaves_at_end});
        } else {
          ++frame.step;
        }
      } else if (next.first < next.last) {
        instruction_ = next.first;
        return;
      } else {
        ++frame.step;
      }
    }
  }

  const WarpPath* path_;
  double share_;
  std::vector<Frame> frames_;
  std::uint32_t instruction_ = 0;
};

}  // namespace forewarp::binding
