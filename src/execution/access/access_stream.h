// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "execution/state/memory_access.h"
#include "program/kernel.h"
#include "program/launch.h"

namespace forewarp::execution {

/// Which caches an access may use, by its modifiers.
enum class CacheHint : std::uint8_t {
  usual,
  read_only,  ///< .CI, .CONSTANT, LDU: nobody writes the data while the kernel runs
  shared,     ///< .CG, .CV, .STRONG except .SM and .CTA: visible to all SMs, so not from L1
};
[[nodiscard]] CacheHint cache_hint(const Instruction& instruction);

/// One access without its place: which lanes take part, and their offsets from the first of them.
struct AccessShape {
  std::uint32_t instruction = 0;  ///< index in the kernel
  MemorySpace space = MemorySpace::global;
  AccessKind kind = AccessKind::load;
  std::uint8_t bytes = 4;  ///< per lane
  bool affine = true;  ///< lane i accesses stride * (i - first lane) bytes behind the first lane
  bool wide = false;   ///< not affine: offsets are in AccessStreams::wide_offsets
  std::uint8_t elsewhere = 0;  ///< lanes in the shared memory of other blocks of the cluster
  LaneMask lanes = 0;
  std::int64_t stride = 0;
  std::uint32_t first_offset = 0;  ///< not affine: into AccessStreams::offsets, one per lane
};

/// How many accesses of a block have one shape and phase. Used where their order does not matter.
struct AccessTally {
  std::uint32_t shape = 0;
  std::uint32_t phase = 0;  ///< address of the first lane modulo AccessStreams::phase_bytes
  std::uint64_t times = 0;
  bool operator==(const AccessTally&) const = default;
};

/// Accesses of one warp to global and local memory, in order.
struct WarpStream {
  std::uint32_t path = 0;        ///< into AccessStreams::paths: the shapes of its accesses
  std::uint64_t first_base = 0;  ///< into AccessStreams::bases: their first lanes' addresses
};

/// A buffer of known size: nothing is accessed beyond its end.
struct BufferRange {
  std::uint64_t address = 0, bytes = 0;
};

struct BlockStream {
  std::uint64_t block = 0;       ///< linear number
  std::uint32_t tally = 0;       ///< into AccessStreams::tallies
  std::uint32_t first_warp = 0;  ///< into AccessStreams::warps
  std::uint32_t warp_count = 0;
  double recorded_share = 1;  ///< share of the block's accesses; below 1 where a limit was reached
};

/// Accesses of the executed blocks; independent of the GPU. Accesses to global and local memory are
/// kept in order for each warp; accesses to shared and constant memory and fetches through textures
/// and surfaces are counted by shape. Repeated shapes, paths and tallies are stored once.
struct AccessStreams {
  /// Addresses of counted accesses are kept modulo this, a multiple of the period of all banks.
  static constexpr std::uint32_t phase_bytes = 1024;

  Extent grid{1, 1, 1};  ///< perhaps folded: the blocks, in order, in another shape of as many
  std::vector<CacheHint> hints;  ///< by instruction
  std::vector<AccessShape> shapes;
  std::vector<std::int32_t> offsets;
  std::vector<std::int64_t> wide_offsets;
  std::vector<std::vector<std::uint32_t>> paths;
  std::vector<std::vector<AccessTally>> tallies;
  std::vector<std::uint64_t> bases;
  std::vector<WarpStream> warps;
  std::vector<BlockStream> blocks;   ///< ascending
  std::uint64_t skipped_blocks = 0;  ///< blocks that ran after the memory for records was used up
  std::vector<BufferRange> buffers;  ///< by address
  /// Blocks of `blocks` that ran, in windows of consecutive blocks, for the caches alone: they are
  /// not part of the sample.
  std::vector<std::uint64_t> window_blocks;
  bool follow_data = false;  ///< some addresses in global memory follow from what was loaded there

  /// Offsets of the lanes of a shape from the first one, one per bit of `lanes`, in order.
  std::size_t lane_offsets(const AccessShape& shape,
                           std::array<std::int64_t, lane_count>& out) const;
  [[nodiscard]] std::span<const WarpStream> warps_of(const BlockStream& block) const {
    return std::span(warps).subspan(block.first_warp, block.warp_count);
  }
  /// nullptr where the block was not recorded.
  [[nodiscard]] const BlockStream* find(std::uint64_t block) const;
};

}  // namespace forewarp::execution
