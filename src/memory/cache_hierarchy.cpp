// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "memory/cache_hierarchy.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

#include "hardware/place_facts.h"

namespace forewarp::memory {
namespace {

/// Population count by table, as the baseline instruction set has no instruction for it.
constexpr std::array<std::uint8_t, 256> bit_counts = [] {
  std::array<std::uint8_t, 256> counts{};
  for (unsigned i = 0; i < counts.size(); ++i)
    counts[i] = static_cast<std::uint8_t>(std::popcount(i));
  return counts;
}();

std::uint64_t sectors_in(std::uint8_t mask) {
  return bit_counts[mask];
}

std::uint8_t joined(std::uint8_t a, std::uint8_t b) {
  return static_cast<std::uint8_t>(a | b);
}

std::uint8_t without(std::uint8_t a, std::uint8_t b) {
  return static_cast<std::uint8_t>(a & ~b);
}

double lines_of(double bytes, const Gpu& gpu, std::uint32_t sample_bits) {
  return bytes / gpu.line_bytes / static_cast<double>(std::uint64_t{1} << sample_bits);
}

/// A cache of `lines` lines; `level`: L1Facts or L2Facts. Local memory has its own ramp if the
/// GPU's data state one.
template <class Level>
RampCache cache_of(double lines, RampCache::Ramp usual, const Level& level, bool local,
                   std::uint64_t seed) {
  const RampCache::Ramp other{level.local_miss_from * lines, level.local_miss_to * lines};
  usual = {usual.from * lines, usual.to * lines};
  if (local && other.to > 0) return {usual, other, seed};
  return {usual.from, usual.to, seed};
}

RampCache::Ramp l2_ramp(const Gpu& gpu, const CacheSizes& sizes) {
  return {gpu.l2.miss_from, sizes.l2_miss_to > 0 ? sizes.l2_miss_to : gpu.l2.miss_to};
}

/// The ramp of L1 misses: for few warps, or for many whose misses overlap.
RampCache::Ramp first_level_ramp(const Gpu& gpu, std::uint32_t warps) {
  const double many = gpu.l1.many_warps;
  if (many <= 0 || warps < many) return {gpu.l1.miss_from, gpu.l1.miss_to};
  return {gpu.l1.many_miss_from, gpu.l1.many_miss_to};
}

std::vector<RampCache> first_level(const Gpu& gpu, const CacheSizes& sizes, double bytes) {
  std::vector<RampCache> caches;
  const RampCache::Ramp ramp = first_level_ramp(gpu, sizes.warps);
  const double lines = lines_of(bytes, gpu, sizes.sample_bits);
  for (std::uint32_t sm = 0; sm < sizes.sms; ++sm)
    caches.push_back(cache_of(lines, ramp, gpu.l1, sizes.local, sm + 2));
  return caches;
}

/// Lines of the sample that device memory has under way at a time; all where nobody says.
std::uint32_t lines_under_way(const Gpu& gpu, const CacheSizes& sizes) {
  const double places = places_under_way(gpu);
  const double seen = std::ldexp(places * sizes.sms_share, -static_cast<int>(sizes.sample_bits));
  constexpr auto all = std::numeric_limits<std::uint32_t>::max();
  return places > 0 ? static_cast<std::uint32_t>(std::clamp<double>(seen, 1, all)) : all;
}

bool worth_it(double bytes, const Gpu& gpu, double share, std::uint32_t sample_bits) {
  return lines_of(bytes, gpu, sample_bits) * share >= 1;
}

}  // namespace

CacheRoute cache_route(const AccessShape& shape, CacheHint hint, const Gpu& gpu) {
  CacheRoute route;
  const bool local = shape.space == MemorySpace::local;
  if (local) route.kind = RampCache::Kind::other;
  switch (shape.kind) {
    case AccessKind::atomic:
    case AccessKind::reduction:
      route.action = CacheRoute::Action::atomic;
      return route;
    case AccessKind::store:
      route.action = CacheRoute::Action::store;
      if (local || gpu.l1.caches_global) route.first = CacheRoute::First::l1;
      route.write_back = local && gpu.l1.local_write_back;
      return route;
    default:
      break;
  }
  if (local) {
    route.first = CacheRoute::First::l1;
  } else if (hint == CacheHint::read_only && gpu.l1.read_only_bytes > 0) {
    route.first = CacheRoute::First::read_only;
  } else if (hint == CacheHint::read_only || (hint == CacheHint::usual && gpu.l1.caches_global)) {
    route.first = CacheRoute::First::l1;
  }
  return route;
}

CacheHierarchy::CacheHierarchy(const Gpu& gpu, const CacheSizes& sizes)
    : sample_mask_((std::uint64_t{1} << sizes.sample_bits) - 1),
      l1_fetches_lines_(gpu.l1.fetch_bytes >= gpu.line_bytes),
      store_updates_(gpu.l1.store_updates),
      store_allocates_(gpu.l1.store_allocates),
      has_l1_(worth_it(sizes.l1_bytes, gpu, gpu.l1.miss_to, sizes.sample_bits)),
      has_read_only_(worth_it(sizes.read_only_bytes, gpu, gpu.l1.miss_to, sizes.sample_bits)),
      has_l2_(worth_it(sizes.l2_bytes, gpu, gpu.l2.miss_to, sizes.sample_bits)),
      all_sectors_(static_cast<std::uint8_t>(
          (1U << static_cast<std::uint32_t>(gpu.line_bytes / gpu.sector_bytes)) - 1)),
      fetch_sectors_(static_cast<std::uint32_t>(
          std::max(1.0, std::min(gpu.l2.fetch_bytes, gpu.line_bytes) / gpu.sector_bytes))),
      l2_lines_(lines_of(sizes.l2_bytes, gpu, sizes.sample_bits)),
      l2_ramp_(l2_ramp(gpu, sizes)),
      l2_(cache_of(l2_lines_, l2_ramp_, gpu.l2, sizes.local, 1)),
      dirty_(gpu.l2.dirty_share * l2_lines_, &RampCache::Line::dirty_since),
      parts_(gpu.l2.part_share * l2_lines_, &RampCache::Line::part_since),
      under_way_(lines_under_way(gpu, sizes)),
      beside_place_(static_cast<std::uint8_t>(
          std::lround(lone_place * std::clamp(gpu.memory.beside_share, 0.0, 1.0)))) {
  if (has_l1_) l1_ = first_level(gpu, sizes, sizes.l1_bytes);
  if (has_read_only_) read_only_ = first_level(gpu, sizes, sizes.read_only_bytes);
}

void CacheHierarchy::access(std::uint32_t sm, CacheRoute route, const LineAccess& its,
                            SectorCounts& counts) {
  const auto [line, sectors, full, beside] = its;
  place_ = beside ? beside_place_ : lone_place;
  counts.sectors += sectors_in(sectors);
  ++counts.lines;
  const std::uint64_t past_l1 = counts.l2, past_l2 = counts.fetched;
  waits_for_l2_ = waits_for_memory_ = false;
  sm_ = sm;
  RampCache* first = nullptr;
  if (route.first == CacheRoute::First::l1 && has_l1_) first = &l1_[sm];
  if (route.first == CacheRoute::First::read_only && has_read_only_) first = &read_only_[sm];
  switch (route.action) {
    case CacheRoute::Action::load:
      if (first != nullptr) {
        load(*first, route.kind, line, sectors, counts);
      } else {
        l2_read(route.kind, line, sectors, counts);
      }
      break;
    case CacheRoute::Action::store:
      store(first, route, line, sectors, full, counts);
      break;
    case CacheRoute::Action::atomic:
      l2_read(route.kind, line, sectors, counts);
      counts.l2 -= sectors_in(sectors);  // one access, not a read and a write
      l2_write(route.kind, line, sectors, sectors, counts);
      break;
  }
  if (counts.l2 != past_l1 || waits_for_l2_) ++counts.lines_past_l1;
  if (counts.fetched != past_l2 || waits_for_memory_) ++counts.lines_past_l2;
}

void CacheHierarchy::load(RampCache& cache, RampCache::Kind kind, std::uint64_t line,
                          std::uint8_t sectors, SectorCounts& counts) {
  RampCache::Left left;
  RampCache::Line* entry = cache.find(line, left, kind);
  write_back(left, counts);
  const std::uint8_t there = entry == nullptr ? std::uint8_t{0} : entry->valid;
  const std::uint8_t missing = without(sectors, there);
  counts.l1_hits += sectors_in(sectors) - sectors_in(missing);
  if (missing == 0) {
    waits_for_l2_ = entry->turn == turn_;
    waits_for_memory_ = waits_for_l2_ && entry->from_memory;
    return;
  }
  const std::uint8_t fetch = l1_fetches_lines_ ? without(all_sectors_, there) : missing;
  if (entry == nullptr) {
    RampCache::Left gone;
    entry = &cache.insert(line, gone);
    write_back(gone, counts);
  }
  entry->valid = joined(entry->valid, fetch);
  const std::uint64_t fetched = counts.fetched;
  l2_read(kind, line, fetch, counts);
  entry->turn = turn_;
  entry->from_memory = waits_for_memory_ || counts.fetched != fetched;
}

void CacheHierarchy::store(RampCache* l1, CacheRoute route, std::uint64_t line,
                           std::uint8_t sectors, std::uint8_t full, SectorCounts& counts) {
  if (l1 != nullptr) {
    RampCache::Left left, gone;
    RampCache::Line* entry = l1->find(line, left, route.kind);
    write_back(left, counts);
    const bool keeps =
        route.write_back || (entry == nullptr ? store_allocates_ && full != 0 : store_updates_);
    if (keeps && entry == nullptr) {
      entry = &l1->insert(line, gone);
      write_back(gone, counts);
    }
    if (keeps) {
      entry->valid = joined(entry->valid, full);
      if (route.write_back) entry->dirty = joined(entry->dirty, sectors);
    } else if (entry != nullptr) {
      l1->drop(line);
    }
    if (route.write_back) return;
  }
  l2_write(route.kind, line, sectors, full, counts);
}

std::uint8_t CacheHierarchy::fetched_with(std::uint8_t sectors) const {
  if (fetch_sectors_ == 1) return sectors;
  std::uint8_t result = 0;
  const std::uint32_t group = (1U << fetch_sectors_) - 1;
  for (std::uint32_t at = 0; at < 8; at += fetch_sectors_) {
    if ((std::uint32_t{sectors} >> at & group) != 0)
      result = joined(result, static_cast<std::uint8_t>(group << at));
  }
  return static_cast<std::uint8_t>(result & all_sectors_);
}

/// A line of L2, inserted if it is not there.
RampCache::Line& CacheHierarchy::l2_entry(RampCache::Kind kind, std::uint64_t line) {
  const auto leaves = [&](const RampCache::Left& left) {
    if (left.dirty_waited) dirty_.left();
    if (left.part_waited) parts_.left();
  };
  RampCache::Left left, gone;
  RampCache::Line* const entry = l2_.find(line, left, kind);
  leaves(left);
  if (entry != nullptr) return *entry;
  if (kind == RampCache::Kind::usual) ++l2_entered_;
  RampCache::Line& made = l2_.insert(line, gone);
  leaves(gone);
  return made;
}

/// Lines that waited too long are written; what one had of parts of sectors does not stay.
void CacheHierarchy::write_waiting() {
  const auto write = [](RampCache::Line& line, WaitingLines& other) {
    other.leave(line);
    line.valid = without(line.valid, line.partial);
    line.dirty = line.partial = line.visited = 0;
  };
  while (RampCache::Line* line = dirty_.next(l2_)) write(*line, parts_);
  while (RampCache::Line* line = parts_.next(l2_)) write(*line, dirty_);
}

void CacheHierarchy::l2_read(RampCache::Kind kind, std::uint64_t line, std::uint8_t sectors,
                             SectorCounts& counts) {
  counts.l2 += sectors_in(sectors);
  if (!has_l2_) {
    counts.fetched += sectors_in(sectors);
    return;
  }
  RampCache::Line& entry = l2_entry(kind, line);
  const std::uint8_t missing = without(sectors, entry.valid);
  counts.l2_hits += sectors_in(sectors) - sectors_in(missing);
  const std::uint8_t fetch = without(fetched_with(missing), entry.valid);
  counts.fetched += sectors_in(fetch);
  entry.valid = joined(entry.valid, fetch);
  if (fetch != 0) visit(entry, fetch, counts);
  if (missing != 0) {
    entry.turn = turn_;
    entry.sm = sm_;
  }
  waits_for_memory_ = entry.turn == turn_ && entry.sm == sm_;
}

/// Device memory comes to a line for some sectors. What is asked for within a turn of each other is
/// one visit, if no more than what is under way at a time lies between; one for the whole line
/// costs its bytes and nothing else.
void CacheHierarchy::visit(RampCache::Line& entry, std::uint8_t fetched, SectorCounts& counts) {
  if (turn_ - entry.visit_turn > 1 || visits_ - entry.visit > under_way_) entry.visited = 0;
  const bool begins = entry.visited == 0;
  if (begins) ++visits_;
  entry.visited = joined(entry.visited, fetched);
  entry.visit_turn = turn_;
  entry.visit = visits_;
  const bool whole = entry.visited == all_sectors_;
  if (begins) entry.read_place = whole ? std::uint8_t{0} : place_;
  if (begins) counts.read_places += entry.read_place;
  if (!begins && whole) counts.read_joined += std::exchange(entry.read_place, std::uint8_t{0});
}

/// A sector that is written in part is fetched; a second store to it counts as its other part, as
/// neighbours write one after the other, and nothing is fetched after all.
void CacheHierarchy::fill(RampCache::Line& entry, std::uint8_t sectors, std::uint8_t full,
                          SectorCounts& counts) {
  const auto completed = static_cast<std::uint8_t>(entry.partial & sectors);
  counts.fetched -= std::min(counts.fetched, sectors_in(completed));
  if (completed != 0 && entry.visited != 0) {
    entry.visited = without(entry.visited, completed);
    if (entry.visited == 0) counts.read_joined += std::exchange(entry.read_place, std::uint8_t{0});
  }
  const std::uint8_t part = without(without(sectors, full), entry.valid);
  counts.fetched += sectors_in(part);
  if (part != 0) visit(entry, part, counts);
  entry.partial = joined(without(entry.partial, completed), part);
}

void CacheHierarchy::l2_write(RampCache::Kind kind, std::uint64_t line, std::uint8_t sectors,
                              std::uint8_t full, SectorCounts& counts) {
  counts.l2 += sectors_in(sectors);
  if (!has_l2_) {
    counts.dirtied += sectors_in(sectors);
    return;
  }
  RampCache::Line& entry = l2_entry(kind, line);
  counts.dirtied += sectors_in(without(sectors, entry.dirty));
  const bool begins = entry.dirty == 0, whole = joined(entry.dirty, sectors) == all_sectors_;
  if (begins) entry.write_place = place_;
  const bool completes = !begins && whole && entry.dirty != all_sectors_;
  if (begins && !whole) counts.write_places += entry.write_place;
  if (completes) counts.write_joined += entry.write_place;
  counts.part_lines += begins && !whole ? 1 : 0;
  counts.part_lines_joined += completes ? 1 : 0;
  fill(entry, sectors, full, counts);
  entry.valid = joined(entry.valid, sectors);
  entry.dirty = joined(entry.dirty, sectors);
  dirty_.enter(entry);
  if (entry.partial != 0) {
    parts_.enter(entry);
  } else {
    parts_.leave(entry);
  }
  write_waiting();
}

/// Writes an evicted dirty L1 line to L2; only lines of local memory can be dirty in L1.
void CacheHierarchy::write_back(const RampCache::Left& left, SectorCounts& counts) {
  if (left.dirty != 0)
    l2_write(RampCache::Kind::other, left.number, left.dirty, left.dirty, counts);
}

double CacheHierarchy::l2_lost_after(double lines) const {
  return RampCache::lost_after(lines / std::max(1.0, l2_lines_), l2_ramp_);
}

void CacheHierarchy::clear_l1() {
  for (RampCache& cache : l1_) cache.clear();
  for (RampCache& cache : read_only_) cache.clear();
}

}  // namespace forewarp::memory
