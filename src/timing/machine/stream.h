// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "binding/path.h"

namespace forewarp::timing {

/// The instructions of one kind of warp as a flat list: runs of instructions, loop begins and ends.
struct Stream {
  struct Step {
    std::uint32_t first = 0, last = 0;  ///< the run's instructions; empty: a loop begins or ends
    std::uint32_t trips = 0;            ///< loop begin: passes to make
    std::uint32_t other = 0;            ///< begin: step after the loop; end: first step of the body
    bool jumps = false;                 ///< the run's last instruction is a branch that is taken
    bool falls_at_end = false;          ///< that branch falls through on the last pass of the loop
    bool is_end = false;
  };
  static constexpr std::size_t deepest = 24;

  std::vector<Step> steps;
  const std::vector<AsyncEvent>* events = nullptr;  ///< of the path; nullptr: none
  double instructions = 0;
  bool too_deep = false;  ///< loops nested beyond `deepest` are passed through once

  /// Outermost loops make `share` of their passes, but at least `least` if they have so many.
  Stream(const WarpPath& path, double share, double least);

 private:
  void add(const std::vector<PathStep>& pieces, const WarpPath& path, double share, double least,
           std::size_t depth, double times);
};

/// A warp's position in a stream; advances by one instruction.
class Cursor {
 public:
  Cursor() = default;
  explicit Cursor(const Stream& stream) : steps_(stream.steps.data()) {
    end_ = static_cast<std::uint32_t>(stream.steps.size());
    settle();
  }

  [[nodiscard]] bool at_end() const { return step_ == end_; }
  [[nodiscard]] std::uint32_t instruction() const { return instruction_; }
  [[nodiscard]] bool jumps() const {
    const Stream::Step& run = steps_[step_];
    if (!run.jumps || instruction_ + 1 != run.last) return false;
    return !run.falls_at_end || depth_ == 0 || left_[depth_ - 1] > 1;
  }
  void advance() {
    if (++instruction_ < steps_[step_].last) return;
    ++step_;
    settle();
  }

 private:
  void settle() {
    while (step_ != end_) {
      const Stream::Step& step = steps_[step_];
      if (step.first < step.last) {
        instruction_ = step.first;
        return;
      }
      if (!step.is_end) {
        left_[depth_++] = step.trips;
        ++step_;
      } else if (--left_[depth_ - 1] > 0) {
        step_ = step.other;
      } else {
        --depth_;
        ++step_;
      }
    }
  }

  const Stream::Step* steps_ = nullptr;
  std::uint32_t step_ = 0, end_ = 0, instruction_ = 0, depth_ = 0;
  std::array<std::uint32_t, Stream::deepest> left_{};
};

}  // namespace forewarp::timing
