// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "timing/stages/barrier.h"

#include <algorithm>

#include "timing/stages/ready.h"

namespace forewarp::timing {

void release_barrier(SmState& sm, std::uint32_t block) {
  const Ticks released = sm.blocks[block].barrier.release();
  for (std::uint32_t s = 0; s < sm.cores.size(); ++s) {
    SubCore& core = sm.cores[s];
    bool any = false;
    for (std::uint32_t p = 0; p < core.places; ++p) {
      Warp& warp = core.warps[p];
      if ((core.used >> p & 1U) == 0 || warp.block != block || !warp.at_barrier) continue;
      warp.at_barrier = false;
      let_go(warp.state, {released, Cause::barrier});
      core.ready.set(p, warp.own_ready = own_ready(sm, warp));
      any = true;
    }
    if (any) sm.find_next(s, core.port);
  }
}

void arrive(SmState& sm, SubCore& core, std::uint32_t place, Ticks at) {
  Warp& warp = core.warps[place];
  BlockBarrier<Ticks>& barrier = sm.blocks[warp.block].barrier;
  warp.at_barrier = true;
  core.ready.set(place, never);
  barrier.arrive(at);
  if (barrier.complete()) release_barrier(sm, warp.block);
}

bool release_stuck(SmState& sm) {
  for (std::uint32_t b = 0; b < sm.blocks.size(); ++b) {
    BlockPlace& block = sm.blocks[b];
    if (!block.used || block.barrier.arrived == 0) continue;
    block.barrier.last = std::max(block.barrier.last, sm.end);
    release_barrier(sm, b);
    return true;
  }
  return false;
}

}  // namespace forewarp::timing
