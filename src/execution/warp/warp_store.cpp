// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "execution/warp/warp_access.h"

namespace forewarp::execution::warp_operation {
namespace {

/// Copies one lane's data registers to memory.
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

/// Lanes for which the stored data is unknown.
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

/// Stores whole words to one page.
void store_to_page(Warp& warp, const MicroOp& op, LaneMask lanes, LaneMask unknown,
                   const MemoryAccess& access, MemoryPage& page) {
  const std::uint64_t* address = access.address.data();
  const auto first = static_cast<unsigned>(std::countr_zero(lanes)) & 31U;
  const std::uint64_t origin = address[first] & ~(MemoryPage::bytes - 1);
  warp.block->environment->rows->scatter(page.data.data(), address, origin, lanes, op.bytes,
                                         plain_source(warp, op.source[1]));
  const bool tracked = page.any_unknown || (unknown & lanes) != 0;
  for (unsigned i = 0; i < lane_count; ++i) {
    if (!has_lane(lanes, i)) continue;
    const auto offset = static_cast<std::uint32_t>(address[i] % MemoryPage::bytes);
    if (tracked) page.mark_unknown(offset, op.bytes, has_lane(unknown, i));
    page.set_written(offset, op.bytes);
  }
}

/// The most frequent case: whole words of one buffer. False if the store is not of that form.
bool store_words(Warp& warp, const MicroOp& op, LaneMask lanes, LaneMask unknown,
                 const MemoryAccess& access) {
  if (op.bytes < 4 || common_buffer(warp, lanes, access) == GlobalMemory::no_buffer) return false;
  GlobalMemory& memory = *warp.block->environment->memory;
  if (memory.in_place()) {
    const std::uint32_t hint = warp.block->environment->buffer_hint[access.instruction];
    const ExecutionBuffer& buffer = memory.buffer(hint);
    memory.touch(hint, buffer_use::written);
    warp.block->environment->rows->scatter(buffer.place, access.address.data(), buffer.address,
                                           lanes, op.bytes, plain_source(warp, op.source[1]));
    if ((unknown & lanes) != 0) memory.lose();
    return true;
  }
  if (on_one_page(warp, lanes, access)) {
    const auto first = static_cast<unsigned>(std::countr_zero(lanes)) & 31U;
    store_to_page(warp, op, lanes, unknown, access, *memory.page(access.address[first]));
  } else {
    for_each_page(warp, lanes, access, buffer_use::written,
                  [&](unsigned i, MemoryPage& page, std::uint32_t offset) {
                    take_value(warp, op, i, page.data.data() + offset);
                    const bool lost = has_lane(unknown, i);
                    if (lost || page.any_unknown) page.mark_unknown(offset, op.bytes, lost);
                    page.set_written(offset, op.bytes);
                  });
  }
  return true;
}

void store_global(Warp& warp, const MicroOp& op, LaneMask lanes, const MemoryAccess& access) {
  const LaneMask unknown = unknown_data(warp, op);
  if (store_words(warp, op, lanes, unknown, access)) return;
  Locator locator(warp, op, access.instruction);
  for (unsigned i = 0; i < lane_count; ++i) {
    if (!has_lane(lanes, i)) continue;
    const Location at = locator.global(access.address[i], i, buffer_use::written);
    if (at.state != Location::State::found) continue;
    take_value(warp, op, i, at.data);
    locator.set_unknown(access.address[i], MemorySpace::global, has_lane(unknown, i));
  }
}

/// Stores whole words to shared memory.
void store_shared_words(Warp& warp, const MicroOp& op, LaneMask lanes, const MemoryAccess& access) {
  const LaneMask unknown = unknown_data(warp, op);
  Block& block = *warp.block;
  const RowFunctions& rows = *block.environment->rows;
  const std::uint64_t* address = access.address.data();
  rows.scatter(block.shared.data(), address, 0, lanes, op.bytes, plain_source(warp, op.source[1]));
  if ((unknown & lanes) != 0 && block.shared_unknown.empty())
    block.shared_unknown.assign(block.shared.size(), 0);
  if (block.shared_unknown.empty()) return;
  std::array<std::uint32_t, 4 * cell::words> marks;
  for (std::uint32_t i = 0; i < marks.size(); ++i)
    marks[i] = has_lane(unknown, i % lane_count) ? 0x01010101U : 0U;
  rows.scatter(block.shared_unknown.data(), address, 0, lanes, op.bytes, marks.data());
}

void store_shared_lanes(Warp& warp, const MicroOp& op, LaneMask lanes, const MemoryAccess& access) {
  const LaneMask unknown = unknown_data(warp, op);
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

void store_shared(Warp& warp, const MicroOp& op, LaneMask lanes, const MemoryAccess& access) {
  const bool words = op.bytes >= 4 && in_shared(warp, op, lanes, access);
  (words ? store_shared_words : store_shared_lanes)(warp, op, lanes, access);
}

/// Fast path: all lanes write the same word of their own stacks, as for spilled registers.
bool store_local_row(Warp& warp, const MicroOp& op, LaneMask lanes, LaneMask unknown,
                     const MemoryAccess& access, Locator& locator) {
  const std::uint32_t first = local_row_word(warp, op, lanes, access, locator);
  if (first == no_word) return false;
  for (std::uint32_t k = 0; k < words_of(op); ++k) {
    const std::uint32_t* s = plain_source(warp, op.source[1], k);
    std::uint32_t* row = warp.local.data() + std::size_t{first - k} * lane_count;
    for (unsigned i = 0; i < lane_count; ++i) row[i] = has_lane(lanes, i) ? s[i] : row[i];
    LaneMask& mark = warp.local_unknown[first - k];
    mark = (mark & ~lanes) | (unknown & lanes);
  }
  return true;
}

void store_local(Warp& warp, const MicroOp& op, LaneMask lanes, const MemoryAccess& access) {
  Locator locator(warp, op, access.instruction);
  const LaneMask unknown = unknown_data(warp, op);
  if (store_local_row(warp, op, lanes, unknown, access, locator)) return;
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

void store_to(Warp& warp, const MicroOp& op, LaneMask lanes, MemoryAccess& access,
              const NearReach& reach) {
  switch (op.space) {
    case MemorySpace::global:
      return store_global(warp, op, lanes, access);
    case MemorySpace::local:
      return store_local(warp, op, lanes, access);
    case MemorySpace::shared:
      if (op.bytes >= 4 && reach.inside(warp.block->shared_bytes, op.bytes)) {
        store_shared_words(warp, op, lanes, access);
      } else {
        store_shared_lanes(warp, op, lanes, access);
      }
      if (op.has(flag::merge)) write_predicate(warp, op, 0, lanes, all_lanes);
      return;
    default:
      return by_space(warp, op, access, store_global, store_shared, store_local);
  }
}

}  // namespace

void store_at(Warp& warp, const MicroOp& op, LaneMask lanes, const MemoryAccess& access) {
  store_global(warp, op, lanes, access);
}

void store(Warp& warp, const MicroOp& op, LaneMask lanes) {
  MemoryAccess& access = warp.access[0];
  NearReach reach = compute_addresses(warp, op, 0, lanes, access);
  access.kind = AccessKind::store;
  const LaneMask unknown = unknown_address(warp, op, 0, lanes);
  if (unknown != 0) {
    if (!draw_addresses(warp, op, unknown, access)) return;
    reach = {};
  }
  warp.access_count = 1;
  // Data stored to an unknown address is dropped, so that no load finds it at the drawn address.
  if ((lanes & ~unknown) != 0) store_to(warp, op, lanes & ~unknown, access, reach);
  access.lanes = lanes;
}

}  // namespace forewarp::execution::warp_operation
