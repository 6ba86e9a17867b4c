// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "execution/warp_access.h"

namespace forewarp::warp_operation {
namespace {

/// The data registers of one lane to memory.
void take_value(const Warp& warp, const MicroOp& op, unsigned lane, std::uint8_t* data) {
  const std::uint32_t* s = plain_source(warp, op.source[1]) + lane;
  if (op.bytes < 4) {
    std::memcpy(data, s, op.bytes);
    return;
  }
  for (std::uint32_t word = 0; word < op.bytes / 4U; ++word) {
    std::memcpy(data + 4 * word, s + std::size_t{word} * cell::words, 4);
  }
}

/// Lanes of a store whose data is not known.
LaneMask unknown_data(const Warp& warp, const MicroOp& op) {
  if (!warp.unknown.any) return 0;
  LaneMask unknown = 0;
  const Source& data = op.source[1];
  if (data.pool) {
    const auto& pool = warp.block->environment->image->unknown_pool();
    return !pool.empty() && pool[data.cell] != no_origin ? all_lanes : 0;
  }
  for (std::uint32_t word = 0; word < words_of(op); ++word)
    unknown |= warp.unknown.cells[data.cell + word];
  return unknown;
}

/// The usual store: whole words of one buffer. False when it is another.
bool store_words(Warp& warp, const MicroOp& op, LaneMask lanes, LaneMask unknown,
                 const MemoryAccess& access) {
  if (op.bytes < 4 || common_buffer(warp, lanes, access) == GlobalMemory::no_buffer) return false;
  const std::uint32_t* s = plain_source(warp, op.source[1]);
  bool enough = true;
  with_words(op.bytes, [&]<unsigned Bytes>() {
    enough =
        for_each_page(warp, lanes, access, [&](unsigned i, MemoryPage& page, std::uint32_t offset) {
          cells_to_words<Bytes>(page.data.data() + offset, s + i);
          const bool lost = has_lane(unknown, i);
          if (lost || page.any_unknown) page.mark_unknown(offset, Bytes, lost);
          page.set_written(offset, Bytes);
        });
  });
  if (!enough) memory_fault(warp, op, Fault::Kind::memory_limit);
  return true;
}

void store_global(Warp& warp, const MicroOp& op, LaneMask lanes, const MemoryAccess& access) {
  const LaneMask unknown = unknown_data(warp, op);
  if (store_words(warp, op, lanes, unknown, access)) return;
  Locator locator(warp, op, access.instruction);
  for (unsigned i = 0; i < lane_count; ++i) {
    if (!has_lane(lanes, i)) continue;
    const Location at = locator.global(access.address[i], i);
    if (at.state == Location::State::no_memory) {
      memory_fault(warp, op, Fault::Kind::memory_limit);
      return;
    }
    if (at.state != Location::State::found) continue;
    take_value(warp, op, i, at.data);
    locator.set_unknown(access.address[i], MemorySpace::global, has_lane(unknown, i));
  }
}

/// Whole words into shared memory. False when it is another case.
bool store_shared_words(Warp& warp, const MicroOp& op, LaneMask lanes, LaneMask unknown,
                        const MemoryAccess& access) {
  Block& block = *warp.block;
  if (op.bytes < 4 || block.shared.size() < op.bytes) return false;
  if (!all_inside(access, lanes, 0, block.shared.size())) return false;
  if ((unknown & lanes) != 0 && block.shared_unknown.empty())
    block.shared_unknown.assign(block.shared.size(), 0);
  const std::uint32_t* s = plain_source(warp, op.source[1]);
  std::uint8_t* shared = block.shared.data();
  with_words(op.bytes, [&]<unsigned Bytes>() {
    for_lanes(lanes, [&](unsigned i) { cells_to_words<Bytes>(shared + access.address[i], s + i); });
    if (block.shared_unknown.empty()) return;
    for (unsigned i = 0; i < lane_count; ++i) {
      if (!has_lane(lanes, i)) continue;
      std::memset(block.shared_unknown.data() + access.address[i], has_lane(unknown, i) ? 1 : 0,
                  Bytes);
    }
  });
  return true;
}

void store_shared(Warp& warp, const MicroOp& op, LaneMask lanes, const MemoryAccess& access) {
  const LaneMask unknown = unknown_data(warp, op);
  if (store_shared_words(warp, op, lanes, unknown, access)) return;
  Locator locator(warp, op, access.instruction);
  const bool tracked = unknown != 0 || !warp.block->shared_unknown.empty();
  for (unsigned i = 0; i < lane_count; ++i) {
    if (!has_lane(lanes, i)) continue;
    const Location at = locator.shared(access.address[i], i);
    if (at.state != Location::State::found) continue;
    take_value(warp, op, i, at.data);
    if (tracked) locator.set_unknown(access.address[i], MemorySpace::shared, has_lane(unknown, i));
  }
}

void store_local(Warp& warp, const MicroOp& op, LaneMask lanes, const MemoryAccess& access) {
  Locator locator(warp, op, access.instruction);
  const LaneMask unknown = unknown_data(warp, op);
  for (unsigned i = 0; i < lane_count; ++i) {
    if (!has_lane(lanes, i)) continue;
    const std::uint32_t first = local_word(warp, op, access.address[i], i, locator);
    if (first == no_word) continue;
    std::uint32_t words[4] = {};
    for (std::uint32_t k = 0; k < words_of(op); ++k)
      words[k] = warp.local[std::size_t{first - k} * lane_count + i];
    take_value(warp, op, i, reinterpret_cast<std::uint8_t*>(words) + access.address[i] % 4);
    for (std::uint32_t k = 0; k < words_of(op); ++k) {
      warp.local[std::size_t{first - k} * lane_count + i] = words[k];
      LaneMask& mark = warp.local_unknown[first - k];
      mark = (mark & ~lane_bit(i)) | (unknown & lane_bit(i));
    }
  }
}

}  // namespace

void store(Warp& warp, const MicroOp& op, LaneMask lanes) {
  if (address_fault(warp, op, 0, lanes)) return;
  MemoryAccess& access = warp.access[0];
  compute_addresses(warp, op, 0, lanes, access);
  access.kind = AccessKind::store;
  warp.access_count = 1;
  switch (op.space) {
    case MemorySpace::global:
      return store_global(warp, op, lanes, access);
    case MemorySpace::local:
      return store_local(warp, op, lanes, access);
    case MemorySpace::shared:
      store_shared(warp, op, lanes, access);
      if (op.has(flag::merge)) write_predicate(warp, op, 0, lanes, all_lanes);
      return;
    default:
      return by_space(warp, op, access, store_global, store_shared, store_local);
  }
}

}  // namespace forewarp::warp_operation
