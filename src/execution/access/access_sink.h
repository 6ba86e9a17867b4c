// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <memory>
#include <unordered_map>
#include <vector>

#include "execution/access/access_stream.h"
#include "execution/warp/block_runner.h"

namespace forewarp::execution {

struct AccessLimits {
  std::uint64_t most_bytes = std::uint64_t{256} << 20;       ///< of records, all blocks
  std::uint64_t most_block_bytes = std::uint64_t{64} << 20;  ///< of one block
};

/// Records the accesses of running blocks: a sink for run_grid, alone or in BothSinks. Its result
/// does not depend on the number of threads. Each block that starts adds its share of the limit, of
/// which a part is granted ahead; a block that starts when more than the sum so far is used up is
/// not recorded. The recorded blocks are thus spread over all.
class AccessSink {
 public:
  /// `blocks`: how many will run in all.
  AccessSink(const Program& program, const Extent& grid, std::uint64_t blocks,
             const AccessLimits& limits = {});

  [[nodiscard]] AccessSink empty() const {
    return {*program_, streams_.grid, expected_blocks_, limits_};
  }
  /// Adds the records of `later`, which may be taken out of it.
  void merge(AccessSink& later);

  void block_started(Block& block);
  void executed(const Warp&, std::uint32_t /*instruction*/, LaneMask /*active*/,
                LaneMask /*lanes*/) {}
  void branched(const Warp&, std::uint32_t /*instruction*/, LaneMask /*active*/,
                LaneMask /*taken*/) {}
  void accessed(const Warp& warp, const MemoryAccess& access);
  void warp_ended(const Warp&) {}
  void block_ended(const Block& block);

  /// What was recorded so far, without hints; blocks in the order in which they were merged.
  [[nodiscard]] const AccessStreams& recorded() const { return streams_; }
  /// States the grid's blocks in another shape of as many (BlockSynthesis::folded).
  void fold(const Extent& grid) { streams_.grid = grid; }
  /// Moves the records out; the sink is empty afterwards.
  [[nodiscard]] AccessStreams take();

 private:
  struct WarpRecord {
    std::vector<std::uint32_t> shapes;
    std::vector<std::uint64_t> bases;
    std::uint64_t hash = 0;
  };
  struct Running {
    std::uint64_t block = 0;
    std::uint64_t serial = 0;  ///< number of blocks that had started
    bool recorded = true;
    std::vector<WarpRecord> warps;
    std::unordered_map<std::uint64_t, std::uint64_t> tally;  ///< (shape, phase) -> times
    std::uint64_t accesses = 0, kept = 0;
  };
  /// The last shape of an instruction, expanded for comparison.
  struct Recent {
    std::uint32_t shape = 0xffffffffU;
    MemorySpace space = MemorySpace::global;
    std::uint8_t elsewhere = 0;
    LaneMask lanes = 0;
    std::array<std::uint64_t, lane_count> offset{};
    std::uint64_t serial = 0, key = 0;  ///< of its last tally: the block's serial and the key ..
    std::uint64_t* times = nullptr;     ///< .. and its counter
  };

  Running& running_of(const Block& block);
  Recent& recent_of(const MemoryAccess& access);
  std::uint32_t shape_of(const Warp& warp, const MemoryAccess& access, std::uint64_t base);
  std::uint32_t add_shape(const AccessShape& shape, std::span<const std::int64_t> offsets);
  std::uint32_t add_path(std::vector<std::uint32_t> shapes, std::uint64_t hash);
  void take_over(AccessSink& later);
  std::uint32_t add_tally(std::vector<AccessTally> tally);

  const Program* program_;
  std::uint64_t expected_blocks_;
  AccessLimits limits_;
  AccessStreams streams_;
  std::uint64_t seen_blocks_ = 0;
  std::uint64_t used_bytes_ = 0;
  /// Places in recent_, counted from 1; two per instruction: what it reads and, for copies, writes.
  std::vector<std::uint32_t> recent_places_;
  std::deque<Recent> recent_;  ///< of instructions that have accessed memory
  std::unordered_map<std::uint64_t, std::unique_ptr<Running>> running_;
  Running* last_running_ = nullptr;
  std::unordered_multimap<std::uint64_t, std::uint32_t> shape_index_, path_index_, tally_index_;
};

}  // namespace forewarp::execution
