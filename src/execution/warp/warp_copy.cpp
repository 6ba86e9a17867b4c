// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Accesses that are neither plain loads nor stores: asynchronous copies, matrices.
#include "execution/warp/warp_access.h"

namespace forewarp::execution::warp_operation {

CopyPlaces copy_places(Warp& warp, const MicroOp& op, LaneMask lanes) {
  CopyPlaces places;
  MemoryAccess& from = warp.access[0];
  compute_addresses(warp, op, 0, lanes, from);
  from.kind = AccessKind::copy_to_shared;
  MemoryAccess& to = warp.access[1];
  to = from;
  to.space = MemorySpace::shared;
  to.kind = AccessKind::store;
  const std::uint32_t* base = plain_source(warp, op.source[1]);
  const std::uint32_t* uniform = plain_source(warp, op.source[2]);
  for (unsigned i = 0; i < lane_count; ++i) to.address[i] = base[i] + uniform[0] + op.second;
  warp.access_count = 2;
  places.reads = predicate_source(warp, op, 0);
  for (unsigned i = 0; op.has(flag::merge) && i < lane_count; ++i) {
    places.zeros[i] = static_cast<std::uint32_t>(from.address[i]) & (op.bytes - 1U);
    from.address[i] -= places.zeros[i];
  }
  from.lanes = lanes & places.reads;
  return places;
}

void copy_to_shared(Warp& warp, const MicroOp& op, LaneMask lanes) {
  if (address_fault(warp, op, 0, lanes) || address_fault(warp, op, 1, lanes)) return;
  const auto [reads, zeros] = copy_places(warp, op, lanes);
  const MemoryAccess &from = warp.access[0], &to = warp.access[1];
  Locator source(warp, op, from.instruction), target(warp, op, from.instruction);
  for (unsigned i = 0; i < lane_count; ++i) {
    if (!has_lane(lanes, i)) continue;
    const Location shared = target.shared(to.address[i], i);
    if (shared.state != Location::State::found) continue;
    bool unknown = false;
    if (!has_lane(reads, i)) {
      std::memset(shared.data, 0, op.bytes);
    } else {
      const Location global = source.global(from.address[i], i, buffer_use::read);
      unknown = global.state != Location::State::found || global.unknown;
      if (global.state == Location::State::found) {
        std::memcpy(shared.data, global.data, op.bytes);
        std::memset(shared.data + op.bytes - zeros[i], 0, zeros[i]);
      }
    }
    target.set_unknown(to.address[i], MemorySpace::shared, unknown);
  }
}

/// Of each 8x8 matrix, lane t gets columns 2(t%4) and 2(t%4)+1 of row t/4, transposed with `left`.
/// Lanes 8m to 8m+7 give the row addresses of matrix m.
void load_matrix(Warp& warp, const MicroOp& op, LaneMask lanes) {
  if (address_fault(warp, op, 0, lanes)) return;
  MemoryAccess& access = warp.access[0];
  compute_addresses(warp, op, 0, lanes & row_lanes(op), access);
  access.kind = AccessKind::load;
  warp.access_count = 1;
  Locator locator(warp, op, access.instruction);
  for (std::uint32_t matrix = 0; matrix < op.second; ++matrix) {
    std::uint16_t element[8][8] = {};
    bool unknown = false;
    for (unsigned row = 0; row < 8; ++row) {
      const unsigned lane = 8 * matrix + row;
      const Location at = locator.shared(access.address[lane], lane);
      unknown = unknown || at.state != Location::State::found || at.unknown;
      if (at.state == Location::State::found) std::memcpy(element[row], at.data, 16);
    }
    std::uint32_t* d = destination(warp, op, matrix);
    for (unsigned i = 0; i < lane_count; ++i) {
      const unsigned row = i / 4, column = 2 * (i % 4);
      const bool across = op.has(flag::left);
      const std::uint32_t low = across ? element[column][row] : element[row][column];
      const std::uint32_t high = across ? element[column + 1][row] : element[row][column + 1];
      if (has_lane(lanes, i)) d[i] = high << 16 | low;
    }
    if (op.destination != cell::sink && (unknown || warp.unknown.any)) {
      warp.unknown.mark(op.destination + matrix, lanes, unknown ? lanes : 0, access.instruction);
    }
  }
}

/// The inverse of load_matrix().
void store_matrix(Warp& warp, const MicroOp& op, LaneMask lanes) {
  if (address_fault(warp, op, 0, lanes)) return;
  MemoryAccess& access = warp.access[0];
  compute_addresses(warp, op, 0, lanes & row_lanes(op), access);
  access.kind = AccessKind::store;
  warp.access_count = 1;
  Locator locator(warp, op, access.instruction);
  for (std::uint32_t matrix = 0; matrix < op.second; ++matrix) {
    std::uint16_t element[8][8] = {};
    const std::uint32_t* from = plain_source(warp, op.source[1], matrix);
    const bool unknown = warp.unknown.any && !op.source[1].pool &&
                         warp.unknown.cells[op.source[1].cell + matrix] != 0;
    for (unsigned i = 0; i < lane_count; ++i) {
      for (unsigned part = 0; part < 2; ++part) {
        const unsigned row = i / 4, column = 2 * (i % 4) + part;
        const auto value = static_cast<std::uint16_t>(from[i] >> 16 * part);
        (op.has(flag::left) ? element[column][row] : element[row][column]) = value;
      }
    }
    for (unsigned row = 0; row < 8; ++row) {
      const unsigned lane = 8 * matrix + row;
      const Location at = locator.shared(access.address[lane], lane);
      if (at.state != Location::State::found) continue;
      std::memcpy(at.data, element[row], 16);
      locator.set_unknown(access.address[lane], MemorySpace::shared, unknown);
    }
  }
}

}  // namespace forewarp::execution::warp_operation
