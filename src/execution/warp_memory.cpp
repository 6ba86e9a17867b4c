// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "execution/warp_memory.h"

#include <cstring>

#include "execution/address_space.h"

namespace forewarp::warp_operation {
namespace {

std::uint32_t words_of(const MicroOp& op) {
  return op.bytes > 4 ? op.bytes / 4U : 1U;
}

std::uint32_t extended(const MicroOp& op, std::uint32_t value) {
  switch (op.type) {
    case ValueType::s8:
      return static_cast<std::uint32_t>(static_cast<std::int8_t>(value));
    case ValueType::s16:
      return static_cast<std::uint32_t>(static_cast<std::int16_t>(value));
    default:
      return value;
  }
}

/// Memory to the destination registers of one lane.
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

bool memory_fault(Warp& warp, const MicroOp& op, Fault::Kind kind) {
  warp.fault.kind = kind;
  warp.fault.instruction = index_of(warp, op);
  return true;
}

/// All lanes read neighbouring words of one page that is fully known.
bool load_row(Warp& warp, const MicroOp& op, LaneMask lanes, const MemoryAccess& access) {
  if (lanes != all_lanes || op.bytes != 4 || warp.unknown.any) return false;
  const std::uint64_t first = access.address[0];
  std::uint64_t apart = 0;
  for (unsigned i = 0; i < lane_count; ++i) apart |= access.address[i] ^ (first + 4 * i);
  constexpr std::uint64_t row = 4 * lane_count;
  if (apart != 0 || first % 4 != 0 || first % MemoryPage::bytes > MemoryPage::bytes - row)
    return false;
  Environment& environment = *warp.block->environment;
  std::uint32_t& hint = environment.buffer_hint[access.instruction];
  const std::uint32_t buffer = environment.memory->buffer_of(first, row, hint);
  if (buffer == GlobalMemory::no_buffer) return false;
  const MemoryPage* page = environment.memory->page(first);
  if (page == nullptr || page->any_unknown) return false;
  hint = buffer;
  std::memcpy(destination(warp, op), page->data.data() + first % MemoryPage::bytes, row);
  return true;
}

void load_global(Warp& warp, const MicroOp& op, LaneMask lanes, const MemoryAccess& access) {
  if (load_row(warp, op, lanes, access)) return;
  Locator locator(warp, op, access.instruction);
  LaneMask unknown = 0;
  for (unsigned i = 0; i < lane_count; ++i) {
    if (!has_lane(lanes, i)) continue;
    const Location at = locator.global(access.address[i], i);
    if (at.state == Location::State::no_memory) {
      memory_fault(warp, op, Fault::Kind::memory_limit);
      return;
    }
    if (at.state != Location::State::found) {
      put_zero(warp, op, i);
      unknown |= lane_bit(i);
      continue;
    }
    put_value(warp, op, i, at.data);
    if (at.unknown) unknown |= lane_bit(i);
  }
  if (unknown != 0) warp.block->environment->unknown_buffer[access.instruction] = locator.buffer();
  mark_result(warp, op, lanes, unknown, words_of(op));
}

void load_shared(Warp& warp, const MicroOp& op, LaneMask lanes, const MemoryAccess& access) {
  Locator locator(warp, op, access.instruction);
  LaneMask unknown = 0;
  for (unsigned i = 0; i < lane_count; ++i) {
    if (!has_lane(lanes, i)) continue;
    const Location at = locator.shared(access.address[i], i);
    if (at.state != Location::State::found) {
      put_zero(warp, op, i);
      unknown |= lane_bit(i);
      continue;
    }
    put_value(warp, op, i, at.data);
    if (at.unknown) unknown |= lane_bit(i);
  }
  mark_result(warp, op, lanes, unknown, words_of(op));
}

/// First word (from the top of the stack) of a local access; none when it lies outside.
constexpr std::uint32_t no_word = 0xffffffffU;

std::uint32_t local_word(Warp& warp, const MicroOp& op, std::uint64_t address, unsigned lane,
                         Locator& locator) {
  const bool misaligned = address % op.bytes != 0;
  const std::uint64_t depth = address_space::stack_top - address;
  if (misaligned || address >= address_space::stack_top ||
      depth > address_space::most_local_bytes) {
    locator.note(misaligned ? AccessFinding::Kind::misaligned : AccessFinding::Kind::out_of_bounds,
                 MemorySpace::local, address, lane);
    return no_word;
  }
  const auto word = static_cast<std::uint32_t>((depth - 1) / 4);
  if (warp.local_unknown.size() <= word) {
    warp.local_unknown.resize(word + 1, 0);
    warp.local.resize(std::size_t{word + 1} * lane_count, 0);
  }
  return word;
}

void load_local(Warp& warp, const MicroOp& op, LaneMask lanes, const MemoryAccess& access) {
  Locator locator(warp, op, access.instruction);
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

void store_global(Warp& warp, const MicroOp& op, LaneMask lanes, const MemoryAccess& access) {
  Locator locator(warp, op, access.instruction);
  const LaneMask unknown = unknown_data(warp, op);
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

void store_shared(Warp& warp, const MicroOp& op, LaneMask lanes, const MemoryAccess& access) {
  Locator locator(warp, op, access.instruction);
  const LaneMask unknown = unknown_data(warp, op);
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

/// Of the lanes that want the same word, the first one gets its lock.
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

using SpaceFunction = void (*)(Warp&, const MicroOp&, LaneMask, const MemoryAccess&);

/// Sends the lanes of a generic access to the spaces that their addresses lie in.
void by_space(Warp& warp, const MicroOp& op, MemoryAccess& access, SpaceFunction global,
              SpaceFunction shared, SpaceFunction local) {
  LaneMask in_shared = 0, in_local = 0;
  for (unsigned i = 0; i < lane_count; ++i) {
    const std::uint64_t address = access.address[i];
    const MemorySpace space = space_of_generic(address);
    if (space == MemorySpace::shared) in_shared |= lane_bit(i);
    if (space == MemorySpace::local) in_local |= lane_bit(i);
    if (space != MemorySpace::global) access.address[i] = address % address_space::window_bytes;
  }
  const LaneMask lanes = access.lanes;
  in_shared &= lanes;
  in_local &= lanes;
  const LaneMask in_global = lanes & ~in_shared & ~in_local;
  if (in_global == lanes) access.space = MemorySpace::global;
  if (in_shared == lanes) access.space = MemorySpace::shared;
  if (in_local == lanes) access.space = MemorySpace::local;
  if (in_global != 0) global(warp, op, in_global, access);
  if (in_shared != 0) shared(warp, op, in_shared, access);
  if (in_local != 0) local(warp, op, in_local, access);
}

}  // namespace

MemorySpace space_of_generic(std::uint64_t address) {
  using namespace address_space;
  if (address - shared_window < window_bytes) return MemorySpace::shared;
  return address - local_window < window_bytes ? MemorySpace::local : MemorySpace::global;
}

void load(Warp& warp, const MicroOp& op, LaneMask lanes) {
  if (address_fault(warp, op, 0, lanes)) return;
  MemoryAccess& access = warp.access[0];
  compute_addresses(warp, op, 0, lanes, access);
  access.kind = AccessKind::load;
  warp.access_count = 1;
  switch (op.space) {
    case MemorySpace::global:
      return load_global(warp, op, lanes, access);
    case MemorySpace::local:
      return load_local(warp, op, lanes, access);
    case MemorySpace::shared:
      load_shared(warp, op, lanes, access);
      if (op.has(flag::merge)) lock_winners(warp, op, lanes, access);
      return;
    default:
      return by_space(warp, op, access, load_global, load_shared, load_local);
  }
}

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

void copy_to_shared(Warp& warp, const MicroOp& op, LaneMask lanes) {
  if (address_fault(warp, op, 0, lanes) || address_fault(warp, op, 1, lanes)) return;
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
  Locator source(warp, op, from.instruction), target(warp, op, from.instruction);
  // A false trailing predicate fills with zeros and reads nothing.
  const LaneMask reads = predicate_source(warp, op, 0);
  from.lanes = lanes & reads;
  for (unsigned i = 0; i < lane_count; ++i) {
    if (!has_lane(lanes, i)) continue;
    const Location shared = target.shared(to.address[i], i);
    if (shared.state != Location::State::found) continue;
    bool unknown = false;
    if (!has_lane(reads, i)) {
      std::memset(shared.data, 0, op.bytes);
    } else {
      const Location global = source.global(from.address[i], i);
      if (global.state == Location::State::no_memory) {
        memory_fault(warp, op, Fault::Kind::memory_limit);
        return;
      }
      unknown = global.state != Location::State::found || global.unknown;
      if (global.state == Location::State::found) std::memcpy(shared.data, global.data, op.bytes);
    }
    target.set_unknown(to.address[i], MemorySpace::shared, unknown);
  }
}

/// Lane t gets, of each 8x8 matrix, row t/4 and the columns 2(t%4) and the next; transposed with
/// `left`. The rows' addresses come from lanes 8m to 8m+7.
void load_matrix(Warp& warp, const MicroOp& op, LaneMask lanes) {
  if (address_fault(warp, op, 0, lanes)) return;
  MemoryAccess& access = warp.access[0];
  const LaneMask rows = op.second >= 4 ? all_lanes : lane_bit(8 * op.second) - 1;
  compute_addresses(warp, op, 0, lanes & rows, access);
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

/// Recorded with the bits of the first coordinate as its address; results unknown.
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
  for (const std::uint32_t at : warp.block->environment->program->writes(index)) {
    warp.unknown.mark(at, lanes, lanes, index);
  }
}

void load_constant(Warp& warp, const MicroOp& op, LaneMask lanes) {
  if (address_fault(warp, op, 0, lanes)) return;
  MemoryAccess& access = warp.access[0];
  compute_addresses(warp, op, 0, lanes, access);
  access.kind = AccessKind::load;
  warp.access_count = 1;
  const LaunchImage& image = *warp.block->environment->image;
  LaneMask unknown = 0;
  const std::uint32_t bytes = op.bytes < 4 ? op.bytes : 4;
  for (unsigned i = 0; i < lane_count; ++i) {
    if (!has_lane(lanes, i)) continue;
    for (std::uint32_t word = 0; word < words_of(op); ++word) {
      const LaunchImage::Word value = image.word(op.bank, access.address[i] + 4 * word, bytes);
      destination(warp, op, word)[i] = extended(op, value.value);
      if (!value.known) unknown |= lane_bit(i);
    }
  }
  mark_result(warp, op, lanes, unknown, words_of(op));
}

void indexed_constant(Warp& warp, const MicroOp& op, LaneMask lanes) {
  MicroOp fetch;
  fetch.bank = op.bank;
  fetch.offset = op.offset;
  fetch.bytes = 8;
  const std::uint32_t* index = warp.cell_at(op.uniform_cell);
  const LaunchImage& image = *warp.block->environment->image;
  for (std::uint32_t word = 0; word < 2; ++word) {
    std::uint32_t* d = warp.cell_at(cell::scratch + 6 + word);
    for (unsigned i = 0; i < lane_count; ++i) {
      const std::uint64_t at =
          std::uint64_t{index[i]} + static_cast<std::uint64_t>(op.offset) + 4 * word;
      d[i] = image.word(op.bank, at & 0xffffffffU).value;
    }
  }
  op.inner(warp, op, lanes);
}

}  // namespace forewarp::warp_operation
