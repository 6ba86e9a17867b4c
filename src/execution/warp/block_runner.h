// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "execution/warp/barrier.h"
#include "execution/warp/warp_runner.h"

namespace forewarp::execution {

enum class BlockState : std::uint8_t { ended, suspended, faulted };

/// Instructions after which a warp yields, so that a polling one lets others run, or a block stops.
struct Turns {
  std::uint64_t warp = 1 << 15;
  std::uint64_t block = ~std::uint64_t{0};  ///< instructions after which a block is suspended
};

/// Why a block failed, and which of its warps did.
struct BlockFault {
  Fault fault;
  std::uint32_t warp = 0;
};

/// Runs a block, warp by warp, until it ends, faults, or has used up its turn.
template <class Sink>
BlockState run_block(Block& block, Sink& sink, const Turns& turns, BlockFault& failed) {
  std::uint64_t left = turns.block;
  while (true) {
    bool alive = false, moved = false;
    for (Warp& warp : block.warps) {
      if (warp.alive == 0) continue;
      alive = true;
      if (warp.waits_at_barrier) continue;
      moved = true;
      std::uint64_t budget = std::min(turns.warp, left);
      const std::uint64_t turn = budget;
      const WarpState state = run_warp(warp, sink, budget);
      block.executed += turn - budget;
      left -= turn - budget;
      if (state == WarpState::faulted) {
        failed = {warp.fault, warp.number};
        return BlockState::faulted;
      }
      if (state == WarpState::at_barrier) arrive_at_barrier(block, warp);
      if (state == WarpState::runs) rotate_groups(warp);
      if (state == WarpState::ended) {
        sink.warp_ended(warp);
        release_complete_barriers(block);
      }
      if (left == 0) return BlockState::suspended;
    }
    if (!alive) return BlockState::ended;
    if (!moved) {
      failed.fault = {Fault::Kind::deadlock, 0, block.warps.front().pc, no_origin, {}};
      return BlockState::faulted;
    }
  }
}

}  // namespace forewarp::execution
