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

/// What the code says about the caches that an access may use.
enum class CacheHint : std::uint8_t {
  usual,
  read_only,  ///< .CI, .CONSTANT, LDU: nobody writes the data while the kernel runs
  shared,     ///< .CG, .CV, .STRONG but for .SM and .CTA: as all SMs see it, past a cache of one SM
};
[[nodiscard]] CacheHint cache_hint(const Instruction& instruction);

/// One access but for the place: which lanes, and how far each is from the first of them.
struct AccessShape {
  std::uint32_t instruction = 0;  ///< index in the kernel
  MemorySpace space = MemorySpace::global;
  AccessKind kind = AccessKind::load;
  std::uint8_t bytes = 4;  ///< per lane
  bool affine = true;      ///< lane i lies stride * (i - first lane) behind the first lane
  bool wide = false;       ///< not affine: offsets are in AccessStreams::wide_offsets
  LaneMask lanes = 0;
  std::int64_t stride = 0;
  std::uint32_t first_offset = 0;  ///< not affine: into AccessStreams::offsets, one per lane
};

/// Accesses of a block whose order nobody asks for.
struct AccessTally {
  std::uint32_t shape = 0;
  std::uint32_t phase = 0;  ///< address of the first lane modulo AccessStreams::phase_bytes
  std::uint64_t times = 0;
  bool operator==(const AccessTally&) const = default;
};

/// Accesses of one warp to global and local memory, in order.
struct WarpStream {
  std::uint32_t path = 0;        ///< into AccessStreams::paths: the shapes
  std::uint64_t first_base = 0;  ///< into AccessStreams::bases: the first lanes' addresses
};

/// A buffer of known size: nothing is accessed behind its end.
struct BufferRange {
  std::uint64_t address = 0, bytes = 0;
};

struct BlockStream {
  std::uint64_t block = 0;       ///< linear number
  std::uint32_t tally = 0;       ///< into AccessStreams::tallies
  std::uint32_t first_warp = 0;  ///< into AccessStreams::warps
  std::uint32_t warp_count = 0;
  double recorded_share = 1;  ///< of the block's accesses; less where a limit was reached
};

/// What executed blocks accessed, whatever GPU they run on. Accesses to global and local memory are
/// kept in order for every warp; those to shared and constant memory and fetches through textures
/// and surfaces are counted by shape. Shapes, paths and tallies that occur again are kept once.
struct AccessStreams {
  /// Counted addresses are kept modulo this, a multiple of whatever banks and lines repeat after.
  static constexpr std::uint32_t phase_bytes = 1024;

  Extent grid{1, 1, 1};
  std::vector<CacheHint> hints;  ///< by instruction
  std::vector<AccessShape> shapes;
  std::vector<std::int32_t> offsets;
  std::vector<std::int64_t> wide_offsets;
  std::vector<std::vector<std::uint32_t>> paths;
  std::vector<std::vector<AccessTally>> tallies;
  std::vector<std::uint64_t> bases;
  std::vector<WarpStream> warps;
  std::vector<BlockStream> blocks;   ///< ascending
  std::uint64_t skipped_blocks = 0;  ///< that ran when the memory for records was used up
  std::vector<BufferRange> buffers;  ///< by address
  /// Runs of consecutive blocks of `blocks`, executed for caches alone: not part of the sample.
  std::vector<std::uint64_t> window_blocks;

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
