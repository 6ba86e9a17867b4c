// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Copies by the copy engine: rows of bytes (UBLKCP) and boxes of arrays (UTMALDG, UTMASTG). They
// are complete at once here; how long they take is for timing.
#include <algorithm>
#include <bit>
#include <cstring>

#include "execution/storage/tensor_map_bytes.h"
#include "execution/warp/box.h"
#include "execution/warp/phase_barrier.h"
#include "execution/warp/warp_access.h"

namespace forewarp::execution::warp_operation {
namespace {

constexpr std::uint32_t offset_mask =
    0x00ffffffU;  // of a shared address: the block's rank is above

std::uint32_t value_of(const Warp& warp, const Source& source, std::uint32_t word = 0) {
  return plain_source(warp, source, word)[0];
}

std::uint64_t pair_of(const Warp& warp, const Source& source) {
  return std::uint64_t{value_of(warp, source, 1)} << 32 | value_of(warp, source);
}

/// Whether one of the registers is unknown; then the warp's fault says so.
bool unknown_register(Warp& warp, const MicroOp& op, const Source& source, std::uint32_t words) {
  if (!warp.unknown.any || source.pool) return false;
  for (std::uint32_t i = 0; i < words; ++i) {
    if (warp.unknown.cells[source.cell + i] == 0) continue;
    warp.fault.kind = Fault::Kind::unknown_address;
    warp.fault.lanes = warp.unknown.cells[source.cell + i];
    warp.fault.instruction = index_of(warp, op);
    warp.fault.origin = warp.unknown.origins[source.cell + i];
    return true;
  }
  return false;
}

/// Collects the pieces of a copy as accesses of 32 lanes.
class Accesses {
 public:
  Accesses(Warp& warp, const MicroOp& op, MemorySpace space, AccessKind kind)
      : list_(warp.bulk), kind_(kind), space_(space), instruction_(index_of(warp, op)) {}

  void add(std::uint64_t address) {
    if (filled_ == 0) {
      MemoryAccess& access = list_.emplace_back();
      access.instruction = instruction_;
      access.space = space_;
      access.kind = kind_;
      access.bytes = piece_bytes;
      at_ = list_.size() - 1;
    }
    MemoryAccess& access = list_[at_];
    access.address[filled_] = address;
    access.lanes |= lane_bit(filled_);
    filled_ = (filled_ + 1) % lane_count;
  }

 private:
  std::vector<MemoryAccess>& list_;
  AccessKind kind_;
  MemorySpace space_;
  std::uint32_t instruction_;
  std::size_t at_ = 0;
  unsigned filled_ = 0;
};

/// Moves the bytes of pieces between the memories, as far as they are known.
class Mover {
 public:
  Mover(Warp& warp, const MicroOp& op)
      : block_(*warp.block),
        memory_(*warp.block->environment->memory),
        source_(warp, op, index_of(warp, op)),
        target_(warp, op, index_of(warp, op)) {}

  /// Whether the array's values are known, so that moving them is worth while.
  [[nodiscard]] bool known(std::uint64_t address) const {
    if (memory_.in_place()) return true;
    const std::uint32_t at = memory_.buffer_of(address, 1);
    return at != GlobalMemory::no_buffer &&
           memory_.buffer(at).content.kind != BufferContent::Kind::unknown;
  }

  void unknown(std::uint32_t at, std::uint64_t bytes) {
    const std::uint64_t size = block_.shared.size();
    if (at >= size) return;
    block_.set_shared_unknown(at, static_cast<std::uint32_t>(std::min(bytes, size - at)), true);
  }

  void load(std::uint32_t to, std::uint64_t from, std::uint32_t inside, std::uint8_t outside) {
    const Location shared = target_.shared(to, 0);
    if (shared.state != Location::State::found) return;
    std::memset(shared.data, outside, piece_bytes);
    bool unknown = false;
    if (inside != 0) {
      const Location global = source_.global(from, 0, buffer_use::read);
      unknown = global.state != Location::State::found || global.unknown;
      if (global.state == Location::State::found) std::memcpy(shared.data, global.data, inside);
    }
    target_.set_unknown(to, MemorySpace::shared, unknown);
  }

  void store(std::uint64_t to, std::uint32_t from, std::uint32_t inside) {
    if (inside == 0) return;
    const Location shared = source_.shared(from, 0);
    if (shared.state != Location::State::found) return;
    const Location global = target_.global(to, 0, buffer_use::written);
    if (global.state != Location::State::found) return;
    std::memcpy(global.data, shared.data, inside);
    target_.set_unknown(to, MemorySpace::global, shared.unknown);
  }

 private:
  Block& block_;
  GlobalMemory& memory_;
  Locator source_, target_;
};

void note_event(Warp& warp, const MicroOp& op, AsyncEvent::Kind kind, std::uint32_t barrier,
                std::uint64_t bytes, std::uint32_t count = 1) {
  warp.events.push_back(
      {kind, index_of(warp, op), barrier, count, static_cast<std::int64_t>(bytes), false});
}

/// Bytes have come for the barrier. `mask`: blocks of the cluster that get them, each at the same
/// place; 0: this one.
void arrived(Warp& warp, const MicroOp& op, std::uint64_t bytes, std::uint32_t mask) {
  Block& own = *warp.block;
  const std::uint32_t barrier = value_of(warp, op.source[0], 1) & offset_mask;
  const auto size = static_cast<std::int64_t>(bytes);
  const bool mine = mask == 0 || (mask >> own.cluster_rank & 1U) != 0;
  if (mine) {
    complete_bytes(warp, own, barrier, size);
    note_event(warp, op, AsyncEvent::Kind::copy, barrier, bytes);
  } else {
    note_event(warp, op, AsyncEvent::Kind::store, 0, bytes);
  }
  const std::uint32_t to = value_of(warp, op.source[0]) & offset_mask;
  for (std::uint32_t rank = 0; rank < own.peers.size(); ++rank) {
    Block& peer = *own.peers[rank];
    if ((mask >> rank & 1U) == 0 || &peer == &own || to >= peer.shared.size()) continue;
    const std::uint64_t room = peer.shared.size() - to;
    const auto moved = static_cast<std::uint32_t>(std::min<std::uint64_t>(bytes, room));
    if (own.shared.size() >= to + std::uint64_t{moved})
      std::copy_n(own.shared.begin() + to, moved, peer.shared.begin() + to);
    const bool unknown = !own.shared_unknown.empty() && own.shared_unknown[to] != 0;
    if (unknown || !peer.shared_unknown.empty()) peer.set_shared_unknown(to, moved, unknown);
    complete_bytes(warp, peer, barrier, size);
  }
}

/// The map that a generic address leads to; null, with the warp's fault, where there is none.
const TensorMap* map_at(Warp& warp, const MicroOp& op, std::uint64_t address) {
  const LaunchImage& image = *warp.block->environment->image;
  std::array<std::uint8_t, 16> bytes{};
  const std::uint64_t offset = address - address_space::parameter_window;
  warp.fault.instruction = index_of(warp, op);
  if (offset < address_space::parameter_window_bytes) {
    const std::uint64_t at = image.parameter_base() + offset;
    for (std::uint32_t i = 0; i < bytes.size(); i += 4) {
      const LaunchImage::Word word = image.word(0, at + i);
      if (!word.known) {
        warp.fault.kind = Fault::Kind::unknown_map;
        warp.fault.origin = image.origin(0, at);
        return nullptr;
      }
      std::memcpy(bytes.data() + i, &word.value, sizeof word.value);
    }
  } else if (!warp.block->environment->memory->read(address, bytes)) {
    warp.fault.kind = Fault::Kind::unknown_map;
    return nullptr;
  }
  const auto number = tensor_map_number(bytes);
  if (number && *number < image.input().tensor_maps.size())
    return &image.input().tensor_maps[*number];
  warp.fault.kind = Fault::Kind::unknown_map;
  if (offset < address_space::parameter_window_bytes)
    warp.fault.origin = image.origin(0, image.parameter_base() + offset);
  return nullptr;
}

}  // namespace

/// UBLKCP.S.G [to, barrier], [from], 16-byte pieces; .G.S [to], [from]; .S.S; UBLKPF [from].
void bulk_copy(Warp& warp, const MicroOp& op, LaneMask) {
  const auto way = static_cast<BulkWay>(op.immediate);
  const bool into_shared = way == BulkWay::to_shared || way == BulkWay::within_shared;
  if (unknown_register(warp, op, op.source[0], 2) || unknown_register(warp, op, op.source[1], 2) ||
      unknown_register(warp, op, op.source[2], 1)) {
    return;
  }
  constexpr std::uint32_t pieces_mask = 0xffff;  // the upper half holds the mask of a multicast
  const std::uint64_t bytes =
      std::uint64_t{value_of(warp, op.source[2]) & pieces_mask} * piece_bytes;
  const std::uint32_t inner =
      (into_shared ? value_of(warp, op.source[0]) : value_of(warp, op.source[1])) & offset_mask;
  const std::uint64_t outer =
      way == BulkWay::to_shared || way == BulkWay::prefetch ? pair_of(warp, op.source[1])
      : way == BulkWay::within_shared ? value_of(warp, op.source[1]) & offset_mask
                                      : pair_of(warp, op.source[0]);
  if (way != BulkWay::within_shared) {
    const AccessKind kind = way == BulkWay::to_shared  ? AccessKind::copy_to_shared
                            : way == BulkWay::prefetch ? AccessKind::load
                            : (op.second & 1U) != 0    ? AccessKind::reduction
                                                       : AccessKind::store;
    Accesses accesses(warp, op, MemorySpace::global, kind);
    for (std::uint64_t at = 0; at < bytes; at += piece_bytes) accesses.add(outer + at);
  }
  if (way == BulkWay::prefetch) return note_event(warp, op, AsyncEvent::Kind::store, 0, 0);
  Accesses accesses(warp, op, MemorySpace::shared,
                    into_shared ? AccessKind::store : AccessKind::load);
  for (std::uint64_t at = 0; at < bytes; at += piece_bytes) accesses.add(inner + at);
  Mover mover(warp, op);
  if (way == BulkWay::to_shared && mover.known(outer) && (op.second & 1U) == 0) {
    for (std::uint32_t at = 0; at < bytes; at += piece_bytes)
      mover.load(inner + at, outer + at, piece_bytes, 0);
  } else if (into_shared) {
    mover.unknown(inner, bytes);
  } else if (mover.known(outer) && (op.second & 1U) == 0) {
    for (std::uint32_t at = 0; at < bytes; at += piece_bytes)
      mover.store(outer + at, inner + at, piece_bytes);
  }
  if (!into_shared) return note_event(warp, op, AsyncEvent::Kind::store, 0, bytes);
  const std::uint32_t mask = value_of(warp, op.source[2]) >> 16;
  arrived(warp, op, bytes, (op.second & 16U) != 0 ? mask : 0);
}

/// Of the filter's element for which columns are copied: in half a register, as many bits each.
BoxIndex pixel_offsets(const Warp& warp, const MicroOp& op, std::uint32_t rank) {
  constexpr std::uint32_t of_all = 16;
  const std::uint32_t spatial = rank - 2, bits = of_all / spatial;
  const std::uint32_t packed = value_of(warp, op.source[2]);
  BoxIndex offset{};
  for (std::uint32_t d = 0; d < spatial; ++d)
    offset[d + 1] = static_cast<std::int32_t>(packed >> d * bits & ((1U << bits) - 1));
  return offset;
}

/// UTMALDG.nD [to, barrier, coordinates], [map]; UTMASTG.nD [from, coordinates], [map].
void tensor_copy(Warp& warp, const MicroOp& op, LaneMask) {
  const auto way = static_cast<BulkWay>(op.immediate);
  const std::uint32_t rank = op.second & 7U;
  const bool load = way == BulkWay::to_shared;
  const std::uint32_t before = load ? 2 : way == BulkWay::prefetch ? 0 : 1;
  if (unknown_register(warp, op, op.source[0], before + rank) ||
      unknown_register(warp, op, op.source[1], 2)) {
    return;
  }
  const bool third =
      (op.second & 16U) != 0 || ((op.second & 32U) != 0 && way != BulkWay::to_global);
  if (third && unknown_register(warp, op, op.source[2], 1)) return;
  const TensorMap* map = map_at(warp, op, pair_of(warp, op.source[1]));
  if (map == nullptr) return;
  if (map->rank != rank) {
    warp.fault.kind = Fault::Kind::bad_map;
    warp.fault.detail = "copies boxes of " + std::to_string(rank) +
                        " dimensions, but its tensor map has " + std::to_string(map->rank);
    return;
  }
  const bool columns = (op.second & 32U) != 0;
  if (columns != (map->pixels != 0)) {
    warp.fault.kind = Fault::Kind::bad_map;
    warp.fault.detail = columns ? "copies columns of pixels (im2col), but its tensor map has boxes"
                                : "copies boxes, but its tensor map has columns of pixels (im2col)";
    return;
  }
  BoxPlace place;
  for (std::uint32_t d = 0; d < rank; ++d)
    place.first[d] = static_cast<std::int32_t>(value_of(warp, op.source[0], before + d));
  if (columns && way != BulkWay::to_global) place.offset = pixel_offsets(warp, op, rank);
  const std::uint32_t inner =
      way == BulkWay::prefetch ? 0 : value_of(warp, op.source[0]) & offset_mask;
  const bool reduces = (op.second & 8U) != 0;
  const AccessKind kind = load                       ? AccessKind::copy_to_shared
                          : way == BulkWay::prefetch ? AccessKind::load
                          : reduces                  ? AccessKind::reduction
                                                     : AccessKind::store;
  Accesses outside(warp, op, MemorySpace::global, kind);
  for_each_piece(*map, place, [&](const BoxPiece& piece) {
    if (piece.inside != 0) outside.add(piece.global);
  });
  const std::uint64_t bytes = map->box_bytes();
  if (way == BulkWay::prefetch) return note_event(warp, op, AsyncEvent::Kind::store, 0, 0);
  Accesses inside(warp, op, MemorySpace::shared, load ? AccessKind::store : AccessKind::load);
  for (std::uint64_t at = 0; at < bytes; at += piece_bytes) inside.add(inner + at);
  Mover mover(warp, op);
  const bool known = mover.known(map->address) && !reduces;
  if (load && !known) mover.unknown(inner, bytes);
  if (known) {
    const std::uint8_t filling = map->fill_nan ? 0xff : 0;
    for_each_piece(*map, place, [&](const BoxPiece& piece) {
      const std::uint32_t at = swizzled(inner + piece.shared, map->swizzle);
      if (load) return mover.load(at, piece.global, piece.inside, filling);
      mover.store(piece.global, at, piece.inside);
    });
  }
  if (!load) return note_event(warp, op, AsyncEvent::Kind::store, 0, bytes);
  const std::uint32_t mask = value_of(warp, op.source[2]) >> 16;
  arrived(warp, op, bytes, (op.second & 16U) != 0 ? mask : 0);
}

/// ELECT P, UR: P holds for the first of the lanes, UR has its number.
void elect(Warp& warp, const MicroOp& op, LaneMask lanes) {
  const LaneMask first = lanes & (~lanes + 1);
  write_predicate(warp, op, 0, lanes, first);
  const auto leader = static_cast<std::uint32_t>(std::countr_zero(lanes));
  std::uint32_t* d = destination(warp, op);
  for (unsigned i = 0; i < lane_count; ++i) d[i] = leader;
}

/// USETMAXREG: a warp gives registers away, or takes some once others have given enough away.
void grant(Warp& warp, const MicroOp& op, LaneMask lanes) {
  write_predicate(warp, op, 0, all_lanes, all_lanes);
  if (lanes == 0 || warp.registers == 0 || op.second == 0) return;
  Block& block = *warp.block;
  std::vector<std::int64_t>& given = block.given_registers;
  const std::int64_t more = std::int64_t{op.second} - warp.registers;
  warp.registers = op.second;
  if (more < 0) {
    given.push_back((given.empty() ? 0 : given.back()) - more);
    note_event(warp, op, AsyncEvent::Kind::arrive, program::spare_registers, 0);
  } else if (more > 0 && op.predicate_out[0] != predicate::sink) {
    block.taken_registers += more;
    const auto enough = std::ranges::lower_bound(given, block.taken_registers);
    note_event(warp, op, AsyncEvent::Kind::wait, program::spare_registers, 0,
               static_cast<std::uint32_t>(enough - given.begin()) + 1);
  }
}

}  // namespace forewarp::execution::warp_operation
