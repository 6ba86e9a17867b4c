// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "execution/warp/unknown_names.h"
#include "execution/warp/warp_access.h"

namespace forewarp::execution::warp_operation {
namespace {

/// Writes one lane's loaded bytes to its destination registers.
void put_value(Warp& warp, const MicroOp& op, unsigned lane, const std::uint8_t* data) {
  std::uint32_t* d = destination(warp, op) + lane;
  if (op.bytes < 4) {
    std::uint32_t value = 0;
    std::memcpy(&value, data, op.bytes);
    *d = extended(op, value);
    return;
  }
  for (std::uint32_t word = 0; word < op.bytes / 4U; ++word) {
    std::memcpy(d + std::size_t{word} * cell::words, data + 4 * word, 4);
  }
}

void put_zero(Warp& warp, const MicroOp& op, unsigned lane) {
  for (std::uint32_t word = 0; word < words_of(op); ++word) destination(warp, op, word)[lane] = 0;
}

/// Loads whole words from one page.
LaneMask load_from_page(Warp& warp, const MicroOp& op, LaneMask lanes, const MemoryAccess& access,
                        const MemoryPage& page) {
  const std::uint64_t* address = access.address.data();
  const auto first = static_cast<unsigned>(std::countr_zero(lanes)) & 31U;
  const std::uint64_t origin = address[first] & ~(MemoryPage::bytes - 1);
  warp.block->environment->rows->gather(page.data.data(), address, origin, lanes, op.bytes,
                                        destination(warp, op));
  if (!page.any_unknown) return 0;
  LaneMask unknown = 0;
  for (unsigned i = 0; i < lane_count; ++i) {
    const auto offset = static_cast<std::uint32_t>(address[i] % MemoryPage::bytes);
    if (has_lane(lanes, i) && page.is_unknown(offset, op.bytes)) unknown |= lane_bit(i);
  }
  return unknown;
}

/// The most frequent case: whole words of one buffer. False if the load is not of that form.
bool load_words(Warp& warp, const MicroOp& op, LaneMask lanes, const MemoryAccess& access) {
  if (op.bytes < 4 || common_buffer(warp, lanes, access) == GlobalMemory::no_buffer) return false;
  Environment& environment = *warp.block->environment;
  if (environment.memory->in_place()) {
    const std::uint32_t hint = environment.buffer_hint[access.instruction];
    const ExecutionBuffer& buffer = environment.memory->buffer(hint);
    environment.memory->touch(hint, buffer_use::read);
    environment.rows->gather(buffer.place, access.address.data(), buffer.address, lanes, op.bytes,
                             destination(warp, op));
    mark_result(warp, op, lanes, 0, words_of(op));
    return true;
  }
  LaneMask unknown = 0;
  if (on_one_page(warp, lanes, access)) {
    const auto first = static_cast<unsigned>(std::countr_zero(lanes)) & 31U;
    const MemoryPage& page = *environment.memory->page(access.address[first], buffer_use::read);
    unknown = load_from_page(warp, op, lanes, access, page);
  } else {
    for_each_page(warp, lanes, access, buffer_use::read,
                  [&](unsigned i, const MemoryPage& page, std::uint32_t offset) {
                    put_value(warp, op, i, page.data.data() + offset);
                    if (page.any_unknown && page.is_unknown(offset, op.bytes))
                      unknown |= lane_bit(i);
                  });
  }
  if (unknown != 0)
    environment.unknown_buffer[access.instruction] = environment.buffer_hint[access.instruction];
  mark_result(warp, op, lanes, unknown, words_of(op));
  return true;
}

void load_global(Warp& warp, const MicroOp& op, LaneMask lanes, const MemoryAccess& access) {
  if (load_words(warp, op, lanes, access)) return;
  Locator locator(warp, op, access.instruction);
  LaneMask unknown = 0;
  for (unsigned i = 0; i < lane_count; ++i) {
    if (!has_lane(lanes, i)) continue;
    const Location at = locator.global(access.address[i], i, buffer_use::read);
    if (at.state != Location::State::found) {
      put_zero(warp, op, i);
      // What lies there is unknown; in a program's memory it is a fault that was found.
      if (!warp.block->environment->memory->in_place()) unknown |= lane_bit(i);
      continue;
    }
    put_value(warp, op, i, at.data);
    if (at.unknown) unknown |= lane_bit(i);
  }
  if (unknown != 0) warp.block->environment->unknown_buffer[access.instruction] = locator.buffer();
  mark_result(warp, op, lanes, unknown, words_of(op));
}

/// Whole words inside the block's shared memory.
void load_shared_words(Warp& warp, const MicroOp& op, LaneMask lanes, const MemoryAccess& access) {
  const Block& block = *warp.block;
  const RowFunctions& rows = *block.environment->rows;
  const std::uint64_t* address = access.address.data();
  rows.gather(block.shared.data(), address, 0, lanes, op.bytes, destination(warp, op));
  LaneMask unknown = 0;
  if (!block.shared_unknown.empty())
    unknown = rows.any_set(block.shared_unknown.data(), address, lanes, op.bytes);
  mark_result(warp, op, lanes, unknown, words_of(op));
}

void load_shared_lanes(Warp& warp, const MicroOp& op, LaneMask lanes, const MemoryAccess& access) {
  Locator locator(warp, op, access.instruction);
  LaneMask unknown = 0;
  for (unsigned i = 0; i < lane_count; ++i) {
    if (!has_lane(lanes, i)) continue;
    const Location at = locator.shared(access.address[i], i);
    if (at.state != Location::State::found) {
      // Beyond the block's own shared memory lies another block's, or nothing.
      put_zero(warp, op, i);
      if (at.state == Location::State::misaligned) unknown |= lane_bit(i);
      continue;
    }
    put_value(warp, op, i, at.data);
    if (at.unknown) unknown |= lane_bit(i);
  }
  mark_result(warp, op, lanes, unknown, words_of(op));
}

void load_shared(Warp& warp, const MicroOp& op, LaneMask lanes, const MemoryAccess& access) {
  const bool words = op.bytes >= 4 && in_shared(warp, op, lanes, access);
  (words ? load_shared_words : load_shared_lanes)(warp, op, lanes, access);
}

/// Fast path: all lanes read the same word of their own stacks, as for spilled registers.
bool load_local_row(Warp& warp, const MicroOp& op, LaneMask lanes, const MemoryAccess& access,
                    Locator& locator) {
  const std::uint32_t first = local_row_word(warp, op, lanes, access, locator);
  if (first == no_word) return false;
  LaneMask unknown = 0;
  for (std::uint32_t k = 0; k < words_of(op); ++k) {
    const std::uint32_t* row = warp.local.data() + std::size_t{first - k} * lane_count;
    std::uint32_t* d = destination(warp, op, k);
    for (unsigned i = 0; i < lane_count; ++i) d[i] = has_lane(lanes, i) ? row[i] : d[i];
    unknown |= warp.local_unknown[first - k] & lanes;
  }
  mark_result(warp, op, lanes, unknown, words_of(op));
  return true;
}

void load_local(Warp& warp, const MicroOp& op, LaneMask lanes, const MemoryAccess& access) {
  Locator locator(warp, op, access.instruction);
  if (load_local_row(warp, op, lanes, access, locator)) return;
  LaneMask unknown = 0;
  for (unsigned i = 0; i < lane_count; ++i) {
    if (!has_lane(lanes, i)) continue;
    const std::uint32_t first = local_word(warp, op, access.address[i], i, locator);
    if (first == no_word) {
      put_zero(warp, op, i);
      unknown |= lane_bit(i);
      continue;
    }
    std::uint32_t words[4] = {};
    for (std::uint32_t k = 0; k < words_of(op); ++k) {
      words[k] = warp.local[std::size_t{first - k} * lane_count + i];
      unknown |= warp.local_unknown[first - k] & lane_bit(i);
    }
    words[0] >>= 8 * (access.address[i] % 4);
    put_value(warp, op, i, reinterpret_cast<const std::uint8_t*>(words));
  }
  mark_result(warp, op, lanes, unknown, words_of(op));
}

/// Among lanes that access the same word, the first takes its lock.
void lock_winners(Warp& warp, const MicroOp& op, LaneMask lanes, const MemoryAccess& access) {
  LaneMask winners = 0;
  for (unsigned i = 0; i < lane_count; ++i) {
    if (!has_lane(lanes, i)) continue;
    bool first = true;
    for (unsigned k = 0; k < i && first; ++k)
      first = !has_lane(winners, k) || access.address[k] != access.address[i];
    if (first) winners |= lane_bit(i);
  }
  write_predicate(warp, op, 0, lanes, winners);
}

void load_from(Warp& warp, const MicroOp& op, LaneMask lanes, MemoryAccess& access,
               const NearReach& reach) {
  switch (op.space) {
    case MemorySpace::global:
      return load_global(warp, op, lanes, access);
    case MemorySpace::local:
      return load_local(warp, op, lanes, access);
    case MemorySpace::shared:
      if (op.bytes >= 4 && reach.inside(warp.block->shared_bytes, op.bytes)) {
        load_shared_words(warp, op, lanes, access);
      } else {
        load_shared_lanes(warp, op, lanes, access);
      }
      if (op.has(flag::merge)) lock_winners(warp, op, lanes, access);
      return;
    default:
      return by_space(warp, op, access, load_global, load_shared, load_local);
  }
}

}  // namespace

void load_at(Warp& warp, const MicroOp& op, LaneMask lanes, const MemoryAccess& access) {
  load_global(warp, op, lanes, access);
}

void load(Warp& warp, const MicroOp& op, LaneMask lanes) {
  MemoryAccess& access = warp.access[0];
  NearReach reach = compute_addresses(warp, op, 0, lanes, access);
  access.kind = AccessKind::load;
  const LaneMask unknown = unknown_address(warp, op, 0, lanes);
  if (unknown != 0) {
    if (!draw_addresses(warp, op, unknown, access)) return;
    reach = {};
  }
  warp.access_count = 1;
  load_from(warp, op, lanes, access, reach);
  if (op.destination == cell::sink) return;
  for (std::uint32_t i = 0; i < words_of(op) && unknown != 0; ++i)
    warp.unknown.mark(op.destination + i, unknown, unknown, access.instruction);
  if (warp.unknown.any && names_results(warp, access.instruction))
    name_loaded(warp, op, lanes, unknown, access);
}

}  // namespace forewarp::execution::warp_operation
