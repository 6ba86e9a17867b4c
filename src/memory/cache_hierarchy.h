// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "execution/access/access_stream.h"
#include "hardware/gpu.h"
#include "memory/ramp_cache.h"
#include "memory/sector_counts.h"
#include "memory/waiting_lines.h"

namespace forewarp::memory {

/// The path of one shape's accesses through the caches of a GPU.
struct CacheRoute {
  enum class Action : std::uint8_t { load, store, atomic };
  enum class First : std::uint8_t { none, l1, read_only };
  Action action = Action::load;
  First first = First::none;
  bool write_back = false;                        ///< a store that stays in L1 until evicted
  RampCache::Kind kind = RampCache::Kind::usual;  ///< lines of local memory have their own ramps
};
[[nodiscard]] CacheRoute cache_route(const AccessShape& shape, CacheHint hint, const Gpu& gpu);

/// What one request asks of a line.
struct LineAccess {
  std::uint64_t line = 0;
  std::uint8_t sectors = 0;
  std::uint8_t full = 0;  ///< of these: written completely
  bool beside = false;    ///< the request also asks for the line before, of the same pair of lines
};

/// Sizes for a replay: the caches of `sms` SMs, for one in 2^sample_bits of the lines.
struct CacheSizes {
  double l1_bytes = 0, read_only_bytes = 0;  ///< of one SM
  double l2_bytes = 0;  ///< of the whole GPU, as far as usable for data of all SMs
  std::uint32_t sms = 1;
  std::uint32_t sample_bits = 0;
  bool local = false;    ///< whether anything accesses local memory
  double sms_share = 1;  ///< of the GPU's SMs, of which a part is modelled
  /// Ratio of footprint to L2 size from which all accesses miss; 0: the GPU's.
  double l2_miss_to = 0;
  std::uint32_t warps = 1;  ///< resident per SM
};

/// Hits and misses in the caches of a GPU: per SM an L1 and, before 5.0, a read-only cache; one L2.
/// L1 writes through, except local memory on some generations. L2 writes back and performs atomics.
/// It allocates written sectors without fetching them, unless only a part of one is written: the
/// rest is fetched, if no other store comes to it. Where the board says so, only a share of its
/// lines waits to be written, and a smaller one with parts of sectors. Only the sampled lines are
/// seen, and the caches are smaller by the same factor, which amounts to sampling their sets.
class CacheHierarchy {
 public:
  CacheHierarchy(const Gpu& gpu, const CacheSizes& sizes);

  [[nodiscard]] bool sampled(std::uint64_t line) const {
    return ((hash(line) >> 40) & sample_mask_) == 0;
  }
  /// The half of the sample that a line belongs to, for estimating the sample's error.
  [[nodiscard]] static std::size_t half(std::uint64_t line) { return (hash(line) >> 39) & 1U; }

  /// An SM accesses some sectors of a line. Adds to `counts`.
  void access(std::uint32_t sm, CacheRoute route, const LineAccess& its, SectorCounts& counts);

  /// All resident warps have made one access: data requested in earlier turns has arrived.
  void next_turn() { ++turn_; }
  void clear_l1();  ///< a new kernel starts
  /// Whether lines were evicted from L2.
  [[nodiscard]] bool l2_full() const { return l2_.full(); }
  /// Lines brought into L2 so far, without those of local memory.
  [[nodiscard]] double l2_entered() const { return static_cast<double>(l2_entered_); }
  /// Share of L2's lines that are evicted after `lines` further lines of the sample came in.
  [[nodiscard]] double l2_lost_after(double lines) const;
  [[nodiscard]] std::uint64_t l2_dirty_sectors() const { return l2_.dirty_sectors(); }

 private:
  static std::uint64_t hash(std::uint64_t line) {
    return (line ^ (line >> 29)) * 0xbf58476d1ce4e5b9U;
  }
  void load(RampCache& cache, RampCache::Kind kind, std::uint64_t line, std::uint8_t sectors,
            SectorCounts& counts);
  void store(RampCache* l1, CacheRoute route, std::uint64_t line, std::uint8_t sectors,
             std::uint8_t full, SectorCounts& counts);
  RampCache::Line& l2_entry(RampCache::Kind kind, std::uint64_t line);
  void l2_read(RampCache::Kind kind, std::uint64_t line, std::uint8_t sectors,
               SectorCounts& counts);
  void l2_write(RampCache::Kind kind, std::uint64_t line, std::uint8_t sectors, std::uint8_t full,
                SectorCounts& counts);
  void fill(RampCache::Line& entry, std::uint8_t sectors, std::uint8_t full, SectorCounts& counts);
  void write_waiting();
  void visit(RampCache::Line& entry, std::uint8_t fetched, SectorCounts& counts);
  void write_back(const RampCache::Left& left, SectorCounts& counts);
  [[nodiscard]] std::uint8_t fetched_with(std::uint8_t sectors) const;

  std::uint64_t sample_mask_;
  bool l1_fetches_lines_, store_updates_, store_allocates_;
  bool has_l1_, has_read_only_, has_l2_;
  std::uint8_t all_sectors_;
  std::uint32_t fetch_sectors_;  ///< that L2 fetches at once
  std::vector<RampCache> l1_, read_only_;
  double l2_lines_;  ///< of the sample
  RampCache::Ramp l2_ramp_;
  RampCache l2_;
  WaitingLines dirty_, parts_;  ///< of L2
  std::uint64_t l2_entered_ = 0;
  std::uint32_t turn_ = 1, sm_ = 0;
  std::uint32_t visits_ = 0, under_way_ = 0;        ///< of device memory so far, and at a time
  std::uint8_t beside_place_, place_ = lone_place;  ///< place units; of the access at hand
  bool waits_for_l2_ = false,
       waits_for_memory_ = false;  ///< of the access at hand, for others' data
};

}  // namespace forewarp::memory
