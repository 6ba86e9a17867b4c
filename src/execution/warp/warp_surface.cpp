// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Surfaces: loads and stores of bytes at coordinates, where a running program has them. What lies
// in memory there is accessed as any memory, so that the traffic is known.
#include <bit>

#include "execution/state/fetch_form.h"
#include "execution/warp/fetch_handle.h"
#include "execution/warp/warp_access.h"

namespace forewarp::execution::warp_operation {
namespace {

/// The place that a lane's coordinates say; a layer is the last of them.
SurfacePlace place_of(const Warp& warp, const MicroOp& op, const FetchForm& form, unsigned lane) {
  SurfacePlace at{};
  const bool none = op.source[0].cell == cell::zero;
  const auto coordinate = [&](unsigned i) {
    const std::uint32_t bits = plain_source(warp, op.source[0], none ? 0 : i)[lane];
    return static_cast<std::int64_t>(static_cast<std::int32_t>(bits));
  };
  for (unsigned i = 0; i < form.dimensions; ++i) at[i] = coordinate(i);
  if (form.layered) at[2] = coordinate(form.dimensions);
  return at;
}

void put_zeros(Warp& warp, const MicroOp& op, LaneMask lanes) {
  if (op.destination == cell::sink) return;
  for (std::uint32_t word = 0; word < words_of(op); ++word) {
    for (unsigned i = 0; i < lane_count; ++i) {
      if (has_lane(lanes, i)) destination(warp, op, word)[i] = 0;
    }
  }
  mark_result(warp, op, lanes, 0, words_of(op));
}

/// Addresses of the lanes whose places lie in their surfaces; the other lanes do nothing, read
/// zeros, or are findings. False: the surface or its coordinates are not known.
bool find_lanes(Warp& warp, const MicroOp& op, const FetchForm& form, LaneMask lanes,
                MemoryAccess& access) {
  const FetchHandles handles(warp, op);
  if (!handles.known(lanes)) return false;
  const unsigned words = op.source[0].cell == cell::zero ? 1 : form.coordinates();
  if ((unknown_words(warp, op.source[0], words) & lanes) != 0) return false;
  Locator locator(warp, op, access.instruction);
  access.lanes = 0;
  for (unsigned i = 0; i < lane_count; ++i) {
    if (!has_lane(lanes, i)) continue;
    const Texture* surface = handles.of(i);
    if (surface == nullptr) return false;
    SurfacePlace at = place_of(warp, op, form, i);
    const auto mode = static_cast<FetchForm::Mode>(form.mode);
    if (mode == FetchForm::Mode::clamp) at = clamped(*surface, at, op.bytes);
    if (in_surface(*surface, at, op.bytes)) {
      access.address[i] = surface_address(*surface, at);
      access.lanes |= lane_bit(i);
    } else if (mode == FetchForm::Mode::trap) {
      locator.note(AccessFinding::Kind::out_of_bounds, MemorySpace::surface,
                   static_cast<std::uint64_t>(at[0]), i);
    }
  }
  return true;
}

}  // namespace

void surface(Warp& warp, const MicroOp& op, LaneMask lanes) {
  MemoryAccess& access = warp.access[0];
  const std::uint32_t index = index_of(warp, op);
  access.instruction = index;
  access.bytes = op.bytes;
  warp.access_count = 1;
  const auto form = std::bit_cast<FetchForm>(op.immediate);
  const Kernel& kernel = *warp.block->environment->program->kernel;
  const bool stores =
      kernel.instructions[index].instruction_class == InstructionClass::surface_store;
  if (form.computed && find_lanes(warp, op, form, lanes, access)) {
    access.space = MemorySpace::global;
    access.kind = stores ? AccessKind::store : AccessKind::load;
    if (!stores) put_zeros(warp, op, lanes & ~access.lanes);
    if (access.lanes != 0) (stores ? store_at : load_at)(warp, op, access.lanes, access);
    return;
  }
  const std::uint32_t* coordinate = plain_source(warp, op.source[0]);
  for (unsigned i = 0; i < lane_count; ++i) access.address[i] = coordinate[i];
  access.space = op.space;
  access.kind = AccessKind::fetch;
  access.lanes = lanes;
  GlobalMemory& memory = *warp.block->environment->memory;
  if (stores && memory.in_place()) memory.lose();
  for (const std::uint32_t at : warp.block->environment->program->writes(index))
    warp.unknown.mark(at, lanes, lanes, index);
}

}  // namespace forewarp::execution::warp_operation
