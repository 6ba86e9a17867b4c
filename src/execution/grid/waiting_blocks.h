// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "execution/warp/block.h"

namespace forewarp::execution {

/// Blocks that were suspended, as what they wait for may come from another block.
class WaitingBlocks {
 public:
  /// More bytes of registers and shared memory, and more warps, than any GPU has: where blocks that
  /// hold as much all wait, on a device no further block would start, either.
  static constexpr std::size_t most_bytes = std::size_t{1} << 29, most_warps = 1 << 14;

  void add(Block&& block) {
    bytes_ += block.held_bytes();
    warps_ += block.warps.size();
    blocks_.push_back(std::make_unique<Block>(std::move(block)));
    blocks_.back()->adopt_warps();
  }
  [[nodiscard]] bool empty() const { return blocks_.empty(); }
  [[nodiscard]] bool full(std::size_t bytes = most_bytes, std::size_t warps = most_warps) const {
    return bytes_ > bytes || warps_ > warps;
  }

  /// Gives each block a turn, in order. `waits(Block&)` tells whether it still waits afterwards;
  /// the others go. Ends before the next block once `goes_on()` is false, which it returns.
  template <class Waits, class GoesOn>
  bool round(Waits&& waits, GoesOn&& goes_on) {
    for (auto& block : blocks_) {
      const std::size_t held = block->held_bytes(), warps = block->warps.size();
      if (!waits(*block)) {
        bytes_ -= held;
        warps_ -= warps;
        block.reset();
      }
      if (!goes_on()) break;
    }
    std::erase(blocks_, nullptr);
    return goes_on();
  }

  template <class Action>
  void each(Action&& action) {
    for (auto& block : blocks_) action(*block);
  }

 private:
  std::vector<std::unique_ptr<Block>> blocks_;
  std::size_t bytes_ = 0, warps_ = 0;
};

}  // namespace forewarp::execution
