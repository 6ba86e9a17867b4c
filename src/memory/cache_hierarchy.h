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

namespace forewarp::memory {

/// How accesses of one shape go through the caches of a GPU.
struct CacheRoute {
  enum class Action : std::uint8_t { load, store, atomic };
  enum class First : std::uint8_t { none, l1, read_only };
  Action action = Action::load;
  First first = First::none;
  bool write_back = false;                        ///< a store that stays in L1
  RampCache::Kind kind = RampCache::Kind::usual;  ///< local memory's lines have their own ramps
};
[[nodiscard]] CacheRoute cache_route(const AccessShape& shape, CacheHint hint, const Gpu& gpu);

/// Sizes of a replay: the caches of `sms` SMs, for one of 2^sample_bits of the lines.
struct CacheSizes {
  double l1_bytes = 0, read_only_bytes = 0;  ///< of one SM
  double l2_bytes = 0;                       ///< of the whole GPU, as data of all SMs can use it
  std::uint32_t sms = 1;
  std::uint32_t sample_bits = 0;
  bool local = false;       ///< whether anything accesses local memory
  double l2_share = 1;      ///< that `l2_bytes` are of the GPU's L2: less for a part of the SMs
  double l2_miss_to = 0;    ///< footprint over L2 size where all miss; 0: the GPU's
  std::uint32_t warps = 1;  ///< resident on an SM
};

/// The caches of a GPU as far as hits go: L1 and, before 5.0, a read-only cache for each SM; one
/// L2. L1 writes through but for local memory on some generations; L2 writes back, allocates
/// written sectors without fetching them and does atomics. Only lines of the sample are seen: the
/// caches are as much smaller, which is what a sample of their sets is.
class CacheHierarchy {
 public:
  CacheHierarchy(const Gpu& gpu, const CacheSizes& sizes);

  [[nodiscard]] bool sampled(std::uint64_t line) const {
    return ((hash(line) >> 40) & sample_mask_) == 0;
  }
  /// Which half of the sample a line is in, for judging the sample's error.
  [[nodiscard]] static std::size_t half(std::uint64_t line) { return (hash(line) >> 39) & 1U; }

  /// An access of an SM to some sectors of a line; `full` are those written whole. Adds to
  /// `counts`.
  void access(std::uint32_t sm, CacheRoute route, std::uint64_t line, std::uint8_t sectors,
              std::uint8_t full, SectorCounts& counts);

  /// All resident warps made one access: what they sent for is there.
  void next_turn() { ++turn_; }
  void clear_l1();  ///< a new kernel starts
  /// Whether lines had to leave L2, the whole one where the caches are those of a part of the GPU.
  [[nodiscard]] bool l2_full() const {
    return l2_.full() && static_cast<double>(l2_entered_ + l2_others_) >= l2_whole_;
  }
  /// Lines that came into L2 so far, local memory's apart.
  [[nodiscard]] double l2_entered() const { return static_cast<double>(l2_entered_); }
  /// Share of L2's lines that are gone when so many of the sample came after them.
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
  void l2_write(RampCache::Kind kind, std::uint64_t line, std::uint8_t sectors,
                SectorCounts& counts);
  void write_back(const RampCache::Left& left, SectorCounts& counts);
  [[nodiscard]] std::uint8_t fetched_with(std::uint8_t sectors) const;

  std::uint64_t sample_mask_;
  bool l1_fetches_lines_, store_updates_, store_allocates_;
  bool has_l1_, has_read_only_, has_l2_;
  std::uint8_t all_sectors_;
  std::uint32_t fetch_sectors_;  ///< that L2 fetches together
  std::vector<RampCache> l1_, read_only_;
  double l2_lines_;  ///< of the sample
  RampCache::Ramp l2_ramp_;
  double l2_whole_;  ///< lines that fill the L2 of the whole GPU; 0: this one's
  RampCache l2_;
  std::uint64_t l2_entered_ = 0, l2_others_ = 0;
  std::uint32_t turn_ = 1, sm_ = 0;
  bool waits_for_l2_ = false,
       waits_for_memory_ = false;  ///< of the access at hand, for others' data
};

}  // namespace forewarp::memory
