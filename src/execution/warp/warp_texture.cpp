// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Textures: always recorded; computed where a running program has them.
#include <array>
#include <bit>

#include "execution/state/fetch_form.h"
#include "execution/warp/fetch_handle.h"
#include "execution/warp/warp_access.h"

namespace forewarp::execution::warp_operation {
namespace {

using Words = std::array<std::uint32_t, 4>;

/// The cell of word `i` of a group of registers that begins at `first`.
std::uint32_t cell_of(std::uint32_t first, unsigned i) {
  return first == cell::zero || first == cell::sink ? first : first + i;
}

/// The cells of the coordinates, a layer first.
Words coordinate_cells(const MicroOp& op, const FetchForm& form) {
  Words cells{};
  for (unsigned i = 0; i < form.coordinates(); ++i) {
    const bool second = i >= form.in_first;
    cells[i] =
        second ? cell_of(op.source[1].cell, i - form.in_first) : cell_of(op.source[0].cell, i);
  }
  return cells;
}

/// The cells of the returned channels, in order; the sink for those that are not.
Words result_cells(const MicroOp& op, const FetchForm& form) {
  Words cells{};
  cells.fill(cell::sink);
  unsigned next = 0;
  for (unsigned channel = 0; channel < 4; ++channel) {
    if ((form.channels >> channel & 1U) == 0) continue;
    const unsigned i = next++;
    cells[channel] =
        i < 2 || form.one_destination ? cell_of(op.destination, i) : cell_of(op.second, i - 2);
  }
  return cells;
}

/// One lane's fetch.
Texel fetch(const Texture& texture, const FetchForm& form, const Words& words) {
  const unsigned first = form.layered;
  const std::uint32_t layer = words[0] & 0xffffU;
  if (form.by_element) {
    std::array<std::int32_t, 3> at{};
    for (unsigned i = 0; i < form.dimensions; ++i)
      at[i] = static_cast<std::int32_t>(words[first + i]);
    if (form.layered) at[2] = static_cast<std::int32_t>(layer);
    return fetch_element(texture, at);
  }
  std::array<float, 3> at{};
  for (unsigned i = 0; i < form.dimensions; ++i) at[i] = std::bit_cast<float>(words[first + i]);
  if (form.gather) return gather_texture(texture, at, form.component, form.layered, layer);
  if (!form.cube) return fetch_texture(texture, at, form.dimensions, form.layered, layer);
  CubePlace place = cube_place(at);
  if (!texture.normalized) {
    place.at[0] *= static_cast<float>(texture.width);
    place.at[1] *= static_cast<float>(texture.height);
  }
  return fetch_texture(texture, place.at, 2, true, place.face);
}

/// Notes that memory was read which no load names.
void touch(Warp& warp, const Texture& texture) {
  GlobalMemory& memory = *warp.block->environment->memory;
  if (const std::uint32_t at = memory.buffer_of(texture.address, 1); at != GlobalMemory::no_buffer)
    memory.touch(at, buffer_use::read);
}

/// False: the texture or its coordinates are not known, or nothing computes this form.
bool fetch_lanes(Warp& warp, const MicroOp& op, const FetchForm& form, LaneMask lanes) {
  const FetchHandles handles(warp, op);
  if (!form.computed || !handles.known(lanes)) return false;
  const Words cells = coordinate_cells(op, form);
  // Results may be registers of the coordinates: all lanes are read first.
  std::array<Words, lane_count> words{};
  for (unsigned k = 0; k < form.coordinates(); ++k) {
    if (warp.unknown.any && (warp.unknown.cells[cells[k]] & lanes) != 0) return false;
    const std::uint32_t* from = warp.cell_at(cells[k]);
    for (unsigned i = 0; i < lane_count; ++i) words[i][k] = from[i];
  }
  const Texture* last = nullptr;
  std::array<const Texture*, lane_count> texture{};
  for (unsigned i = 0; i < lane_count; ++i) {
    if (!has_lane(lanes, i)) continue;
    texture[i] = handles.of(i);
    if (texture[i] == nullptr) return false;
    if (texture[i] != last) touch(warp, *texture[i]);
    last = texture[i];
  }
  const Words results = result_cells(op, form);
  for (unsigned i = 0; i < lane_count; ++i) {
    if (!has_lane(lanes, i)) continue;
    const Texel texel = fetch(*texture[i], form, words[i]);
    for (unsigned channel = 0; channel < 4; ++channel) {
      if (results[channel] != cell::sink) warp.cell_at(results[channel])[i] = texel[channel];
    }
  }
  for (const std::uint32_t at : results) {
    if (at != cell::sink && warp.unknown.any) warp.unknown.mark(at, lanes, 0, no_origin);
  }
  return true;
}

}  // namespace

/// Records the bits of the first coordinate as the address.
void texture(Warp& warp, const MicroOp& op, LaneMask lanes) {
  MemoryAccess& access = warp.access[0];
  const std::uint32_t index = index_of(warp, op);
  const std::uint32_t* coordinate = plain_source(warp, op.source[0]);
  for (unsigned i = 0; i < lane_count; ++i) access.address[i] = coordinate[i];
  access.instruction = index;
  access.space = op.space;
  access.kind = AccessKind::fetch;
  access.bytes = op.bytes;
  access.lanes = lanes;
  warp.access_count = 1;
  if (fetch_lanes(warp, op, std::bit_cast<FetchForm>(op.immediate), lanes)) return;
  for (const std::uint32_t at : warp.block->environment->program->writes(index)) {
    warp.unknown.mark(at, lanes, lanes, index);
  }
}

}  // namespace forewarp::execution::warp_operation
