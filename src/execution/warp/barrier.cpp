// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "execution/warp/barrier.h"

#include "execution/warp/flow.h"

namespace forewarp::execution {
namespace {

bool is_complete(const Block& block, const NamedBarrier& barrier) {
  if (barrier.arrived_warps == 0) return false;
  if (barrier.expected_threads != 0) {
    return barrier.arrived_warps * lane_count >= barrier.expected_threads;
  }
  std::uint32_t running = 0;
  for (const Warp& warp : block.warps) running += warp.alive != 0 ? 1U : 0U;
  return barrier.arrived_warps >= running;
}

void release(Block& block, std::uint32_t number) {
  NamedBarrier& barrier = block.barriers[number];
  block.reduced_count = barrier.count;
  block.reduced = barrier.asks_all ? barrier.all : barrier.any;
  barrier = NamedBarrier{};
  for (Warp& warp : block.warps) {
    if (warp.waits_at_barrier && warp.barrier == number) pass_barrier(warp);
  }
}

}  // namespace

void arrive_at_barrier(Block& block, Warp& warp) {
  NamedBarrier& barrier = block.barriers[warp.barrier];
  warp.waits_at_barrier = true;
  ++barrier.arrived_warps;
  ++barrier.waiting_warps;
  if (is_complete(block, barrier)) release(block, warp.barrier);
}

void release_complete_barriers(Block& block) {
  for (std::uint32_t i = 0; i < Block::barrier_count; ++i) {
    if (block.barriers[i].waiting_warps != 0 && is_complete(block, block.barriers[i]))
      release(block, i);
  }
}

}  // namespace forewarp::execution
