// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "execution/access/block_synthesis.h"
#include "memory/access_geometry.h"
#include "memory/cache_hierarchy.h"
#include "memory/line_set.h"

namespace forewarp::memory {

/// The machine that blocks are replayed on.
struct ReplayMachine {
  CacheSizes caches;
  std::uint32_t blocks_per_sm = 1;
  double access_share = 1;  ///< each warp stops after this share of its accesses
  double begun = 1;         ///< share of a block's accesses that are known: less where they began
  /// Accesses of a warp, at most: blocks that ran to their end go no further than those that began.
  std::size_t most_of_warp = std::numeric_limits<std::size_t>::max();
};

/// What counted blocks did.
struct ReplayCounts {
  std::array<std::vector<SectorCounts>, 2> instructions;  ///< by half of the sample, by index
  std::vector<bool> ran;                                  ///< by index: replayed, sampled or not
  std::uint64_t unsure = 0;  ///< fetched while L2 still had room: may be a reuse
  std::uint64_t blocks = 0;
};

/// Runs blocks of a grid on the SMs, as far as their accesses go: in order, the first ones one to
/// each SM in turn, each further one where one ends. All resident warps take turns, one access
/// each. Where blocks only begin, those that follow on them find in L2 what the whole of the first
/// ones would have left there; those that run together share what they do share.
class Replay {
 public:
  Replay(const AccessStreams& streams, const BlockSynthesis& synthesis, AccessGeometry& geometry,
         const Gpu& gpu, const ReplayMachine& machine);

  /// Blocks `order`; those before place `counted_from` only warm the caches.
  void run(std::span<const std::uint64_t> order, std::size_t counted_from, ReplayCounts& counts);
  /// Blocks first .. last - 1 of the grid; those before `counted_from` only warm the caches.
  void run(std::uint64_t first, std::uint64_t counted_from, std::uint64_t last,
           ReplayCounts& counts);
  void start_kernel() { caches_.clear_l1(); }

  [[nodiscard]] const LineSet& touched() const { return touched_; }  ///< lines of the sample
  [[nodiscard]] static bool is_local(std::uint64_t line) { return line >= local_memory; }
  [[nodiscard]] const CacheHierarchy& caches() const { return caches_; }

 private:
  /// Local memory lies apart from everything that a kernel can name.
  static constexpr std::uint64_t local_memory = std::uint64_t{1} << 62;

  struct Route {
    std::uint32_t instruction = 0;
    CacheRoute caches;
    bool local = false;
    bool reads = false, writes = false;
  };
  struct Cursor {
    const std::uint32_t* shapes = nullptr;
    const AffineBase* affine = nullptr;
    const std::uint64_t* bases = nullptr;
    std::size_t at = 0, end = 0;
    std::uint64_t local_line = 0;  ///< where the warp's local memory begins
  };
  struct Slot {
    std::uint32_t sm = 0;
    Extent index{};
    bool counted = false, ran = false;  ///< ran: a block that accesses anything was here
    std::size_t running = 0;            ///< warps that are not done
    std::uint64_t turn = 0;             ///< how many blocks ran here before
    std::vector<Cursor> warps;
  };
  /// Blocks still to start.
  struct Queue {
    std::span<const std::uint64_t> order;  ///< empty: consecutive blocks from `first` on
    std::uint64_t first = 0;
    std::uint64_t size = 0, next = 0, counted_from = 0;
  };

  void run(Queue queue, ReplayCounts& counts);
  bool start_block(Slot& slot, std::size_t number, Queue& queue, ReplayCounts& counts);
  void step(Slot& slot, Cursor& cursor, ReplayCounts& counts);
  void follow_on(Slot& slot);
  [[nodiscard]] std::uint64_t name_of(std::uint64_t line, const Slot& slot) const;

  const AccessStreams* streams_;
  const BlockSynthesis* synthesis_;
  AccessGeometry* geometry_;
  ReplayMachine machine_;
  CacheHierarchy caches_;
  std::vector<Route> routes_;  ///< by shape
  double begun_;               ///< share of a block's accesses that is replayed
  double buffer_lines_ = 0;    ///< of all buffers, in the sample; 0: not known
  std::uint64_t lost_ =
      0;  ///< of 2^32 lines: not in the caches any more for the next block of a slot
  bool lost_known_ = false;
  SectorCounts not_counted_;
  LineSet touched_;
};

}  // namespace forewarp::memory
