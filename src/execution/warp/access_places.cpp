// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Accesses to memory whose content nothing needs: they have places, but move nothing.
#include "execution/state/warp_handlers.h"
#include "execution/warp/warp_access.h"

namespace forewarp::execution {
namespace warp_operation {
namespace {

// Each notes what is wrong with the places of `lanes`, as an access that moves data does.

void find_global(Warp& warp, const MicroOp& op, LaneMask lanes, const MemoryAccess& access) {
  if (common_buffer(warp, lanes, access) != GlobalMemory::no_buffer) return;
  Locator locator(warp, op, access.instruction);
  for (unsigned i = 0; i < lane_count; ++i) {
    if (has_lane(lanes, i)) (void)locator.global_place(access.address[i], i);
  }
}

void find_shared(Warp& warp, const MicroOp& op, LaneMask lanes, const MemoryAccess& access) {
  if (in_shared(warp, op, lanes, access)) return;
  Locator locator(warp, op, access.instruction);
  for (unsigned i = 0; i < lane_count; ++i) {
    if (has_lane(lanes, i)) (void)locator.shared(access.address[i], i);
  }
}

void find_local(Warp& warp, const MicroOp& op, LaneMask lanes, const MemoryAccess& access) {
  Locator locator(warp, op, access.instruction);
  if (local_row_word(warp, op, lanes, access, locator) != no_word) return;
  for (unsigned i = 0; i < lane_count; ++i) {
    if (has_lane(lanes, i)) (void)local_word(warp, op, access.address[i], i, locator);
  }
}

void find(Warp& warp, const MicroOp& op, LaneMask lanes, MemoryAccess& access) {
  switch (op.space) {
    case MemorySpace::global:
      return find_global(warp, op, lanes, access);
    case MemorySpace::shared:
      return find_shared(warp, op, lanes, access);
    case MemorySpace::local:
      return find_local(warp, op, lanes, access);
    default:
      return by_space(warp, op, access, find_global, find_shared, find_local);
  }
}

/// Places of one operand, drawn where they are unknown.
void access_places(Warp& warp, const MicroOp& op, LaneMask lanes, AccessKind kind) {
  MemoryAccess& access = warp.access[0];
  NearReach reach = compute_addresses(warp, op, 0, lanes, access);
  access.kind = kind;
  const LaneMask unknown = unknown_address(warp, op, 0, lanes);
  if (unknown != 0) {
    if (!draw_addresses(warp, op, unknown, access)) return;
    reach = {};
  }
  warp.access_count = 1;
  const bool inside =
      op.space == MemorySpace::shared && reach.inside(warp.block->shared_bytes, op.bytes);
  if (!inside && (lanes & ~unknown) != 0) find(warp, op, lanes & ~unknown, access);
  access.lanes = lanes;
}

void load_places(Warp& warp, const MicroOp& op, LaneMask lanes) {
  access_places(warp, op, lanes, AccessKind::load);
}

void store_places(Warp& warp, const MicroOp& op, LaneMask lanes) {
  access_places(warp, op, lanes, AccessKind::store);
}

void atomic_places(Warp& warp, const MicroOp& op, LaneMask lanes) {
  if (op.has(flag::uniform)) lanes = warp.active & (~warp.active + 1);
  access_places(warp, op, lanes,
                op.has(flag::returns) ? AccessKind::atomic : AccessKind::reduction);
}

void constant_places(Warp& warp, const MicroOp& op, LaneMask lanes) {
  if (address_fault(warp, op, 0, lanes)) return;
  MemoryAccess& access = warp.access[0];
  compute_addresses(warp, op, 0, lanes, access);
  access.kind = AccessKind::load;
  warp.access_count = 1;
}

void matrix_places(Warp& warp, const MicroOp& op, LaneMask lanes) {
  if (address_fault(warp, op, 0, lanes)) return;
  MemoryAccess& access = warp.access[0];
  const LaneMask rows = row_lanes(op);
  compute_addresses(warp, op, 0, lanes & rows, access);
  access.kind = op.operation == Operation::store_matrix ? AccessKind::store : AccessKind::load;
  warp.access_count = 1;
  find_shared(warp, op, rows, access);
}

void places_to_shared(Warp& warp, const MicroOp& op, LaneMask lanes) {
  if (address_fault(warp, op, 0, lanes) || address_fault(warp, op, 1, lanes)) return;
  (void)copy_places(warp, op, lanes);
  const MemoryAccess &from = warp.access[0], &to = warp.access[1];
  LaneMask arrive = lanes;  // only they read
  if (!in_shared(warp, op, lanes, to)) {
    Locator target(warp, op, to.instruction);
    for (unsigned i = 0; i < lane_count; ++i) {
      const bool asks = has_lane(lanes, i);
      if (asks && target.shared(to.address[i], i).state != Location::State::found)
        arrive &= ~lane_bit(i);
    }
  }
  if ((from.lanes & arrive) != 0) find_global(warp, op, from.lanes & arrive, from);
}

}  // namespace
}  // namespace warp_operation

Handler place_handler(const MicroOp& op) {
  using namespace warp_operation;
  const bool answers = op.predicate_out[0] != predicate::sink || op.has(flag::merge);
  switch (op.operation) {
    case Operation::load:
      return answers ? nullptr : load_places;
    case Operation::store:
      return answers ? nullptr : store_places;
    case Operation::atomic:
      return answers || op.space == MemorySpace::generic ? nullptr : atomic_places;
    case Operation::load_constant:
      return constant_places;
    case Operation::load_matrix:
    case Operation::store_matrix:
      return matrix_places;
    case Operation::copy_to_shared:
      return places_to_shared;
    default:
      return nullptr;
  }
}

}  // namespace forewarp::execution
