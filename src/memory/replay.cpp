// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "memory/replay.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "base/mixed.h"
#include "memory/buffer_footprint.h"

namespace forewarp::memory {
namespace {

constexpr std::uint64_t lines_per_warp = std::uint64_t{1} << 24;
constexpr std::uint32_t turn_bit = 44;  // above the lines of any real address, below local memory's
constexpr std::uint64_t most_turns = (std::uint64_t{1} << 17) - 1;

/// A pseudo-random order of slots that differs each time, without ties.
std::uint64_t drawn_order(std::uint64_t slot, std::uint64_t time) {
  return mixed(slot + (time << 32));
}

/// Sorts numbers below `all`, of which the first `sorted` are sorted; where the others are many, by
/// asking which numbers are there.
template <class IsThere>
void put_in_order(std::vector<std::size_t>& numbers, std::size_t sorted, std::size_t all,
                  const IsThere& is_there) {
  constexpr std::size_t many = 8;  // one of so many
  const auto added = numbers.begin() + static_cast<std::ptrdiff_t>(sorted);
  if (many * (numbers.size() - sorted) < all) {
    std::sort(added, numbers.end());
    return std::inplace_merge(numbers.begin(), added, numbers.end());
  }
  numbers.clear();
  for (std::size_t i = 0; i < all; ++i) {
    if (is_there(i)) numbers.push_back(i);
  }
}

}  // namespace

Replay::Replay(const AccessStreams& streams, const BlockSynthesis& synthesis,
               AccessGeometry& geometry, const Gpu& gpu, const ReplayMachine& machine)
    : streams_(&streams),
      synthesis_(&synthesis),
      geometry_(&geometry),
      gpu_(&gpu),
      machine_(machine),
      caches_(gpu, machine.caches),
      begun_(machine.begun * machine.access_share) {
  for (const BufferRange& buffer : streams.buffers)
    buffer_lines_ += static_cast<double>(buffer.bytes) / gpu.line_bytes;
  buffer_lines_ /= std::exp2(machine.caches.sample_bits);
  routes_.reserve(streams.shapes.size());
  for (const AccessShape& shape : streams.shapes) {
    Route route;
    route.instruction = shape.instruction;
    route.caches = cache_route(shape, streams.hints[shape.instruction], gpu);
    route.local = shape.space == MemorySpace::local;
    route.reads = route.caches.action != CacheRoute::Action::store;
    route.writes = route.caches.action != CacheRoute::Action::load;
    routes_.push_back(route);
  }
}

void Replay::run(std::span<const std::uint64_t> order, std::size_t counted_from,
                 ReplayCounts& counts) {
  run(Queue{order, 0, order.size(), 0, counted_from}, counts);
}

void Replay::run(std::uint64_t first, std::uint64_t counted_from, std::uint64_t last,
                 ReplayCounts& counts) {
  run(Queue{{}, first, last - first, 0, counted_from - first}, counts);
}

void Replay::run(Queue queue, ReplayCounts& counts) {
  for (auto& half : counts.instructions) half.resize(streams_->hints.size());
  counts.ran.resize(streams_->hints.size());
  if (machine_.first_uses) counts.first.resize(streams_->buffers.size() + 1);
  // At most one slot per block: others would stay empty.
  std::vector<Slot> slots(std::min<std::uint64_t>(
      std::uint64_t{machine_.caches.sms} * machine_.blocks_per_sm, queue.size));
  std::vector<std::size_t> alive;
  for (std::size_t i = 0; i < slots.size(); ++i) {
    slots[i].sm = static_cast<std::uint32_t>(i % machine_.caches.sms);
    if (start_block(slots[i], i, queue, counts)) alive.push_back(i);
  }
  std::vector<std::pair<std::uint64_t, std::size_t>> ended;  // places in the order of starting
  while (!alive.empty()) {
    std::size_t kept = 0;
    ended.clear();
    for (const std::size_t number : alive) {
      Slot& slot = slots[number];
      for (Cursor& cursor : slot.warps) {
        if (cursor.at == cursor.end) continue;
        step(slot, cursor, counts);
        if (cursor.at == cursor.end) --slot.running;
      }
      if (slot.running != 0) {
        alive[kept++] = number;
      } else {
        ended.emplace_back(drawn_order(number, queue.next), number);
      }
    }
    alive.resize(kept);
    // Equal blocks end together here; on a GPU one or another ends first. Taken in slot order,
    // every n-th block would always go to the same SM.
    std::sort(ended.begin(), ended.end());
    for (const auto& [place, number] : ended) {
      if (start_block(slots[number], number, queue, counts)) alive.push_back(number);
    }
    put_in_order(alive, kept, slots.size(), [&](std::size_t i) { return slots[i].running != 0; });
    caches_.next_turn();
  }
}

/// Starts the next block that has accesses; false if there is none.
bool Replay::start_block(Slot& slot, std::size_t number, Queue& queue, ReplayCounts& counts) {
  while (queue.next < queue.size) {
    const std::uint64_t place = queue.next++;
    const std::uint64_t block = queue.order.empty() ? queue.first + place : queue.order[place];
    slot.counted = place >= queue.counted_from;
    slot.early = 2 * (place - queue.counted_from) < queue.size - queue.counted_from;
    if (slot.counted) ++counts.blocks;
    const std::uint32_t class_number = synthesis_->class_of(block);
    if (class_number == BlockSynthesis::no_class) continue;
    const BlockClass& its = synthesis_->classes()[class_number];
    const BlockStream* recorded = its.affine ? nullptr : streams_->find(block);
    if (!its.affine && recorded == nullptr) continue;
    if (begun_ < 1 && slot.ran) follow_on(slot);
    slot.index = block_index(block, streams_->grid);
    slot.running = 0;
    slot.warps.resize(its.paths.size());
    for (std::size_t warp = 0; warp < its.paths.size(); ++warp) {
      Cursor& cursor = slot.warps[warp];
      const std::vector<std::uint32_t>& path = streams_->paths[its.paths[warp]];
      cursor.shapes = path.data();
      cursor.affine = its.affine ? its.warp[warp].data() : nullptr;
      cursor.bases = its.affine ? nullptr
                                : streams_->bases.data() +
                                      streams_->warps[recorded->first_warp + warp].first_base;
      cursor.at = 0;
      const std::size_t known = std::min(path.size(), machine_.most_of_warp);
      cursor.end =
          static_cast<std::size_t>(std::ceil(static_cast<double>(known) * machine_.access_share));
      cursor.local_line = local_memory + (number * its.paths.size() + warp) * lines_per_warp;
      if (cursor.end != 0) ++slot.running;
    }
    slot.ran = slot.ran || slot.running != 0;
    if (slot.running != 0) return true;
  }
  return false;
}

/// Starts another block in a slot whose block only began. Between the two lie the lines that were
/// brought in so far, scaled up to complete blocks.
void Replay::follow_on(Slot& slot) {
  ++slot.turn;
  if (lost_known_) return;
  double lines = caches_.l2_entered() / begun_;
  if (buffer_lines_ > 0) lines = std::min(lines, buffer_lines_);
  lost_ = static_cast<std::uint64_t>(std::ldexp(caches_.l2_lost_after(lines), 32));
  lost_known_ = true;
}

/// A line's name in the caches: lines evicted in between get a new name in each turn.
std::uint64_t Replay::name_of(std::uint64_t line, const Slot& slot) const {
  if (slot.turn == 0 || is_local(line) || (drawn_order(line, 0) >> 32) >= lost_) return line;
  const std::uint64_t own = line & ((std::uint64_t{1} << turn_bit) - 1);
  return own | (slot.turn & most_turns) << turn_bit;
}

std::uint64_t Replay::base_of(const Cursor& cursor, std::size_t at, const Slot& slot) {
  return cursor.affine != nullptr ? cursor.affine[at].at(slot.index) : cursor.bases[at];
}

/// Whether the warp's access is an update in place: it writes where one of its last loads read.
/// What waits for a load follows it at once, whereas the warps that take turns here have brought in
/// their own lines meanwhile.
bool Replay::just_read(const Cursor& cursor, const Slot& slot, std::uint64_t base) const {
  constexpr std::size_t last = 4;  // accesses that a warp may have under way
  for (std::size_t back = 1; back <= std::min(last, cursor.at); ++back) {
    const Route& before = routes_[cursor.shapes[cursor.at - back]];
    if (before.reads && !before.writes && base_of(cursor, cursor.at - back, slot) == base)
      return true;
  }
  return false;
}

void Replay::count_first(const Slot& slot, const Route& route, const LinePiece& piece,
                         std::uint64_t line, std::uint64_t fetched, ReplayCounts& counts) {
  const std::uint8_t read = route.reads ? piece.sectors : std::uint8_t{0};
  const std::uint8_t written = route.writes ? piece.sectors : std::uint8_t{0};
  const LineSet::Added added = used_.add(line, read, written);
  if (added.sectors == 0 && added.written == 0) return;
  FirstUses& its = counts.first[buffer_of(streams_->buffers, line, *gpu_)];
  its.lines += added.line ? 1 : 0;
  its.sectors += static_cast<unsigned>(std::popcount(added.sectors));
  its.written += static_cast<unsigned>(std::popcount(added.written));
  its.fetched += fetched;
  if (slot.counted && fetched > 0) its.fetched_by[route.instruction] += fetched;
}

void Replay::step(Slot& slot, Cursor& cursor, ReplayCounts& counts) {
  const std::uint32_t shape = cursor.shapes[cursor.at];
  const std::uint64_t base = base_of(cursor, cursor.at, slot);
  const Route& route = routes_[shape];
  const bool updates = route.writes && just_read(cursor, slot, base);
  ++cursor.at;
  if (slot.counted) {
    counts.ran[route.instruction] = true;
    ++counts.requests;
    if (slot.early) ++counts.early_requests;
  }
  const AccessCost& cost = geometry_->cost(shape, base);
  std::uint64_t line = geometry_->first_line(route.local, base);
  if (route.local) line += cursor.local_line;
  std::uint64_t previous = ~std::uint64_t{0};
  for (const LinePiece& piece : geometry_->pieces(cost)) {
    const std::uint64_t touched = line + static_cast<std::uint64_t>(piece.line);
    const bool beside = (touched ^ previous) == 1;
    previous = touched;
    if (!caches_.sampled(touched)) continue;
    const LineAccess asked{name_of(touched, slot), piece.sectors, piece.full, beside};
    if (slot.counted && updates && piece.full != piece.sectors)
      caches_.access(slot.sm, {}, asked, not_counted_);
    SectorCounts& its = slot.counted
                            ? counts.instructions[CacheHierarchy::half(touched)][route.instruction]
                            : not_counted_;
    const std::uint64_t fetched = its.fetched;
    const bool room = !caches_.l2_full(), first = machine_.first_uses && !route.local;
    caches_.access(slot.sm, route.caches, asked, its);
    if (first)
      count_first(slot, route, piece, touched, std::max(its.fetched, fetched) - fetched, counts);
    if (!slot.counted) continue;
    if (room && !first) counts.unsure += its.fetched - fetched;
    if (machine_.buffers_known && !route.local) continue;
    const std::uint8_t read = route.reads ? piece.sectors : std::uint8_t{0};
    const std::uint8_t written = route.writes ? piece.sectors : std::uint8_t{0};
    touched_.add(touched, read, written);
    if (slot.early) touched_early_.add(touched, read, written);
  }
}

}  // namespace forewarp::memory
