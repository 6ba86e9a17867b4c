// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <span>
#include <vector>

#include "execution/access/block_synthesis.h"
#include "memory/access_geometry.h"
#include "memory/cache_hierarchy.h"
#include "memory/line_set.h"

namespace forewarp::memory {

/// The SMs and caches on which blocks are replayed.
struct ReplayMachine {
  CacheSizes caches;
  std::uint32_t blocks_per_sm = 1;
  double access_share = 1;  ///< share of each warp's accesses that is replayed
  /// Share of a block's accesses that was recorded; below 1 where blocks only began.
  double begun = 1;
  /// Most accesses per warp: blocks that ran to their end go no further than those that began.
  std::size_t most_of_warp = std::numeric_limits<std::size_t>::max();
  bool buffers_known = false;  ///< nobody asks which lines are touched, but those of local memory
  bool first_uses = false;     ///< what is touched for the first time is counted by buffer
};

/// What a replay touched of one buffer for the first time, before blocks are counted too.
struct FirstUses {
  std::uint64_t lines = 0, sectors = 0, written = 0;  ///< sectors
  std::uint64_t fetched = 0;                          ///< sectors, by L2 for them
  /// The same of counted blocks, by instruction.
  std::map<std::uint32_t, std::uint64_t> fetched_by;
};

/// Results for the counted blocks.
struct ReplayCounts {
  /// By half of the sample, then by instruction.
  std::array<std::vector<SectorCounts>, 2> instructions;
  std::vector<bool> ran;     ///< by instruction: whether it was replayed, in the sample or not
  std::uint64_t unsure = 0;  ///< sectors fetched while L2 had free space: may be a reuse on the GPU
  std::uint64_t blocks = 0;
  std::uint64_t requests = 0, early_requests = 0;  ///< of warps, in the sample or not
  std::vector<FirstUses> first;  ///< by buffer, if asked for; the last: outside all of them
};

/// Runs the accesses of blocks on the SMs. The first blocks, in order, go to each SM in turn, each
/// later one to where a block ends. Resident warps take turns, one access each. If blocks only
/// began, a later block of a slot finds in L2 what complete predecessors would have left; blocks
/// that run together share what they do share.
class Replay {
 public:
  Replay(const AccessStreams& streams, const BlockSynthesis& synthesis, AccessGeometry& geometry,
         const Gpu& gpu, const ReplayMachine& machine);

  /// Replays the blocks in `order`; those before place `counted_from` only warm the caches.
  void run(std::span<const std::uint64_t> order, std::size_t counted_from, ReplayCounts& counts);
  /// Replays blocks first .. last - 1 of the grid; those before `counted_from` only warm caches.
  void run(std::uint64_t first, std::uint64_t counted_from, std::uint64_t last,
           ReplayCounts& counts);
  void start_kernel() { caches_.clear_l1(); }

  /// Lines of the sample that counted blocks touched: all of them, the first half of them.
  [[nodiscard]] const LineSet& touched() const { return touched_; }
  [[nodiscard]] const LineSet& touched_early() const { return touched_early_; }
  [[nodiscard]] const CacheHierarchy& caches() const { return caches_; }

 private:
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
    std::uint64_t local_line = 0;  ///< first line of the warp's local memory
  };
  struct Slot {
    std::uint32_t sm = 0;
    Extent index{};
    bool counted = false, ran = false;  ///< ran: a block with accesses was here
    bool early = false;                 ///< one of the first half of the counted blocks
    std::size_t running = 0;            ///< warps with accesses left
    std::uint64_t turn = 0;             ///< number of blocks that ran here before
    std::vector<Cursor> warps;
  };
  /// The blocks still to start.
  struct Queue {
    std::span<const std::uint64_t> order;  ///< empty: consecutive blocks from `first` on
    std::uint64_t first = 0;
    std::uint64_t size = 0, next = 0, counted_from = 0;
  };

  void run(Queue queue, ReplayCounts& counts);
  bool start_block(Slot& slot, std::size_t number, Queue& queue, ReplayCounts& counts);
  void step(Slot& slot, Cursor& cursor, ReplayCounts& counts);
  [[nodiscard]] static std::uint64_t base_of(const Cursor& cursor, std::size_t at,
                                             const Slot& slot);
  [[nodiscard]] bool just_read(const Cursor& cursor, const Slot& slot, std::uint64_t base) const;
  void follow_on(Slot& slot);
  void count_first(const Slot& slot, const Route& route, const LinePiece& piece, std::uint64_t line,
                   std::uint64_t fetched, ReplayCounts& counts);
  [[nodiscard]] std::uint64_t name_of(std::uint64_t line, const Slot& slot) const;

  const AccessStreams* streams_;
  const BlockSynthesis* synthesis_;
  AccessGeometry* geometry_;
  const Gpu* gpu_;
  ReplayMachine machine_;
  CacheHierarchy caches_;
  std::vector<Route> routes_;  ///< by shape
  double begun_;               ///< share of a block's accesses that is replayed
  double buffer_lines_ = 0;    ///< of all buffers, as far as in the sample; 0: unknown
  /// Lines, of each 2^32, that are evicted before the next block of a slot begins.
  std::uint64_t lost_ = 0;
  bool lost_known_ = false;
  SectorCounts not_counted_;
  LineSet touched_, touched_early_;
  LineSet used_;  ///< by any block, if first uses are asked for
};

}  // namespace forewarp::memory
