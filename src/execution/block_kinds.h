// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "program/launch.h"

namespace forewarp {

struct ExecutionInput;
struct Program;

/// Blocks that begin alike, found by running blocks spread over the grid up to their first access
/// to memory: surplus blocks that leave at once are a kind of their own. Along each axis the first
/// and the last block are looked at, and some between them that stand for their neighbours.
struct BlockKinds {
  Extent grid{1, 1, 1};
  std::array<std::vector<std::uint32_t>, 3> places;  ///< along each axis, ascending
  std::array<std::vector<std::uint64_t>, 3> sizes;   ///< blocks that each place stands for
  std::vector<std::uint32_t> kind;                   ///< by place, x fastest
  std::vector<std::uint64_t> blocks;                 ///< of each kind; they add up to the grid

  /// Kind of a block: that of the place which stands for it. 0 for all where none was looked at.
  [[nodiscard]] std::uint32_t of(std::uint64_t block) const;
  /// Whether a good part of the blocks begins in another way than the others.
  [[nodiscard]] bool differ() const;
};

/// Runs the beginning of `most` blocks, about, or of fewer where those are alike, edges among them.
/// Kinds beyond a few are one.
[[nodiscard]] BlockKinds find_block_kinds(const Program& program, const ExecutionInput& input,
                                          std::uint64_t most);

/// The places to look at, all of one kind.
[[nodiscard]] BlockKinds block_lattice(const Extent& grid, std::uint64_t most);

}  // namespace forewarp
