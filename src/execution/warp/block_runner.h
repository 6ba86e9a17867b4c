// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <vector>

#include "execution/warp/barrier.h"
#include "execution/warp/lane_groups.h"
#include "execution/warp/warp_runner.h"

namespace forewarp::execution {

/// `waits`: no warp moves until another block of its cluster does.
enum class BlockState : std::uint8_t { ended, suspended, faulted, waits };

/// Instructions after which a warp yields, so that a polling one lets others run, or a block stops.
struct Turns {
  std::uint64_t warp = 1 << 15;
  std::uint64_t block = ~std::uint64_t{0};  ///< instructions after which a block is suspended
  /// Those of a warp's first turns behind a barrier, as on a board all warps go on together there:
  /// a late reader of what another warp overwrites soon would read too late; 0: as any.
  std::uint64_t behind_barrier = 0;
  /// Whether lanes that run apart take turns, too, at the end of one that is not short. Within a
  /// few instructions they must not: uniform registers are all lanes' own.
  bool lanes_too = true;
};

/// Runs a warp. Where its lanes wait for a phase, others of its lanes run first.
template <class Sink>
WarpState run_turn(Warp& warp, Sink& sink, std::uint64_t& budget) {
  WarpState state = run_warp(warp, sink, budget);
  for (std::size_t others = warp.divergence.groups.size();
       state == WarpState::at_phase && others > 0 && budget > 0 && lane_groups::rotate(warp);
       --others) {
    state = run_warp(warp, sink, budget);
  }
  if (state == WarpState::gives_way) lane_groups::give_way(warp);
  return state;
}

/// Runs a block, warp by warp, until it ends, faults, or has used up its turn.
template <class Sink>
BlockState run_block(Block& block, Sink& sink, const Turns& turns, BlockFault& failed) {
  std::uint64_t left = turns.block;
  constexpr std::uint8_t short_turns = 8;
  std::vector<std::uint8_t> behind(turns.behind_barrier != 0 ? block.warps.size() : 0);
  while (true) {
    bool alive = false, moved = false;
    for (Warp& warp : block.warps) {
      if (warp.alive == 0) continue;
      alive = true;
      if (warp.waits_at_barrier) continue;
      const bool is_short = !behind.empty() && behind[warp.number] > 0;
      if (is_short) --behind[warp.number];
      std::uint64_t budget = std::min(is_short ? turns.behind_barrier : turns.warp, left);
      const std::uint64_t turn = budget;
      const WarpState state = run_turn(warp, sink, budget);
      block.executed += turn - budget;
      if (budget != turn || state != WarpState::at_phase) moved = true;
      left -= turn - budget;
      if (state == WarpState::faulted) {
        failed = {warp.fault, warp.number};
        return BlockState::faulted;
      }
      if (state == WarpState::at_barrier) {
        arrive_at_barrier(block, warp);
        if (!behind.empty()) behind[warp.number] = short_turns;
      }
      if (state == WarpState::runs && turns.lanes_too && !is_short) lane_groups::rotate(warp);
      if (state == WarpState::ended) {
        sink.warp_ended(warp);
        release_complete_barriers(block);
      }
      if (left == 0) return BlockState::suspended;
    }
    if (!alive) return BlockState::ended;
    release_complete_barriers(block);  // where the last to come did not wait
    if (!moved) {
      failed = deadlock_of(block);
      if (!block.peers.empty()) return BlockState::waits;
      return BlockState::faulted;
    }
  }
}

}  // namespace forewarp::execution
