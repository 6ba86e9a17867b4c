// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "program/launch.h"

namespace forewarp::execution {

struct ExecutionInput;
struct Program;

/// A block that was looked at, and how many it stands for.
struct BlockPlace {
  std::uint64_t block = 0, size = 0;
};

/// Blocks that are alike as far as was looked.
struct BlockKind {
  std::uint64_t blocks = 0;        ///< of the grid
  double error = 0;                ///< of that number where it is drawn: relative, 95 %
  std::vector<BlockPlace> places;  ///< ascending; their sizes add up to `blocks`
};

/// Leaves one place for each of as many even parts of its places as a sample may take.
void thin(BlockKind& kind);

/// Of `places` even parts of a grid, in order of their numbers, part `i`: a block of it at random.
[[nodiscard]] BlockPlace drawn_place(std::uint64_t blocks, std::uint64_t places, std::uint64_t i);

/// Relative error of how many blocks are of a kind, 95 %, by how many were found and what share of
/// the grid was left out.
[[nodiscard]] double drawn_error(double unlooked, std::size_t found);

struct BlockKinds {
  std::vector<BlockKind> kinds;  ///< they add up to the grid; empty where nobody looked
  std::uint64_t looked_at = 0;   ///< blocks that were looked at
  double unlooked = 0;           ///< share of the grid that was drawn from and not looked at

  /// Blocks of all kinds.
  [[nodiscard]] std::uint64_t all() const;
  /// Whether a good part of the blocks is of another kind than the others.
  [[nodiscard]] bool differ() const;
};

/// Places spread over a grid. Along each axis the first and the last block are looked at, and some
/// between them that stand for their neighbours.
struct BlockLattice {
  std::array<std::vector<std::uint32_t>, 3> places;  ///< along each axis, ascending
  std::array<std::vector<std::uint64_t>, 3> sizes;   ///< blocks that each place stands for
};

/// About `most` places at most.
[[nodiscard]] BlockLattice block_lattice(const Extent& grid, std::uint64_t most);

/// Kinds by how blocks begin: those of a lattice run up to their first access to memory. Surplus
/// blocks that leave at once are a kind of their own; kinds beyond a few are one. Of about `most`
/// places, or of fewer where those are alike.
[[nodiscard]] BlockKinds find_block_kinds(const Program& program, const ExecutionInput& input,
                                          std::uint64_t most);

}  // namespace forewarp::execution
