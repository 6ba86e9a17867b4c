// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "timing/stages/dispatch.h"

#include <algorithm>
#include <bit>

#include "timing/stages/barrier.h"

namespace forewarp::timing {
namespace {

/// The scheduler with the fewest warps takes the next one; among equals in turn.
std::uint32_t emptiest(SmState& sm) {
  const std::uint32_t count = sm.machine->schedulers;
  std::uint32_t best = sm.turn % count;
  for (std::uint32_t s = 0; s < count; ++s) {
    const std::uint32_t at = (sm.turn + s) % count;
    if (sm.cores[at].resident < sm.cores[best].resident) best = at;
  }
  sm.turn = best + 1;
  return best;
}

void place_warp(SmState& sm, const Stream& stream, std::uint32_t block, std::uint32_t number,
                Ticks at) {
  const std::uint32_t scheduler = emptiest(sm);
  SubCore& core = sm.cores[scheduler];
  const auto place = static_cast<std::uint32_t>(std::countr_one(core.used));
  if (sm.recorder != nullptr) sm.recorder->residency.change(at, 1);
  core.used |= std::uint64_t{1} << place;
  core.places = std::max(core.places, place + 1);
  ++core.resident;
  core.age[place] = sm.serial;
  Warp& warp = core.warps[place];
  warp = Warp{};
  warp.cursor = Cursor(stream);
  warp.events = stream.events;
  warp.block = block;
  warp.number = number;
  warp.draw = 0x80000000U + sm.seed * other_even_step + even_step * sm.serial++;
  warp.state.next = {at, Cause::idle};
  warp.issued = at;
  if (sm.kernel->slot_count > 0) {
    warp.state.ready.resize(sm.kernel->slot_count, {0, Cause::dependence});
  }
  if (warp.cursor.at_end()) {
    leave(sm, core, place, at);
    return;
  }
  warp.own_ready = at;
  core.ready.set(place, at);
  Ticks& next = sm.next[scheduler];
  next = std::min(next, std::max(core.port, slot_from(at, sm.machine->issue_interval)));
}

}  // namespace

bool start_block(SmState& sm, Ticks at) {
  if (sm.supply->empty()) return false;
  const auto place = std::find_if(sm.blocks.begin(), sm.blocks.end(),
                                  [](const BlockPlace& block) { return !block.used; });
  if (place == sm.blocks.end()) return false;
  const auto [number, plan, start] = sm.supply->take(at);
  *place = BlockPlace{number, {static_cast<std::uint32_t>(plan->size()), 0, 0}, true, {}};
  const auto index = static_cast<std::uint32_t>(place - sm.blocks.begin());
  sm.last_start = at;
  sm.issued_at_last_start = sm.issued;
  for (std::uint32_t w = 0; w < plan->size(); ++w) {
    place_warp(sm, *(*plan)[w], index, w, start + w * sm.machine->warp_start);
  }
  return true;
}

void leave(SmState& sm, SubCore& core, std::uint32_t place, Ticks now) {
  const std::uint32_t index = core.warps[place].block;
  BlockPlace& block = sm.blocks[index];
  core.ready.set(place, never);
  core.used &= ~(std::uint64_t{1} << place);
  --core.resident;
  if (sm.recorder != nullptr) sm.recorder->residency.change(now, -1);
  block.barrier.leave(now);
  if (block.barrier.alive > 0) {
    if (block.barrier.complete()) release_barrier(sm, index);
    return;
  }
  block.used = false;
  ++sm.finished;
  if (sm.marks.size() < 2 * sm.blocks.size()) sm.marks.push_back({now, sm.issued});
  if (sm.recorder != nullptr) sm.recorder->block_ends.add(now);
  start_block(sm, now + sm.machine->refill + sm.machine->start);
}

}  // namespace forewarp::timing
