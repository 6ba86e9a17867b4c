// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "timing/machine/stream.h"
#include "timing/units/server.h"

namespace forewarp::timing {

/// What each warp of a block executes, by the warp's number in the block.
using BlockPlan = std::vector<const Stream*>;

/// Hands out the blocks of a grid, or of one SM's part of it, in order of their numbers.
class BlockSupply {
 public:
  /// `interval`: least time between the starts of two blocks.
  explicit BlockSupply(std::vector<const BlockPlan*> kinds, std::uint64_t blocks,
                       Ticks interval = 0)
      : kinds_(std::move(kinds)), blocks_(blocks), interval_(interval) {}

  [[nodiscard]] bool empty() const { return next_ == blocks_; }
  [[nodiscard]] std::uint64_t taken() const { return next_; }
  /// No more than `blocks` are handed out in all, and none of those that are not yet.
  void end_at(std::uint64_t blocks) { blocks_ = std::clamp(blocks, next_, blocks_); }
  /// A block's number and warps, and when it may start.
  struct Work {
    std::uint64_t number = 0;
    const BlockPlan* plan = nullptr;
    Ticks start = 0;
  };
  Work take(Ticks at) {
    const std::uint64_t number = next_++;
    return {number, kinds_[number % kinds_.size()], front_end_.take(at, interval_)};
  }

 private:
  std::vector<const BlockPlan*> kinds_;
  std::uint64_t blocks_, next_ = 0;
  Ticks interval_;
  Server front_end_;
};

}  // namespace forewarp::timing
