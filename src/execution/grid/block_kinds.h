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

/// A block that was looked at, and how many blocks it represents.
struct BlockPlace {
  std::uint64_t block = 0, size = 0;
  /// Warp instructions of the block and of its longest warp, where a survey knows them; else 0.
  double work = 0, longest = 0;
};

/// Blocks that are alike as far as they were compared.
struct BlockKind {
  std::uint64_t blocks = 0;        ///< of the grid
  double error = 0;                ///< relative error of `blocks` where it is drawn, 95 %
  std::vector<BlockPlace> places;  ///< ascending; their sizes add up to `blocks`
};

/// Blocks that take too long to be executed.
struct BlocksApart {
  std::uint64_t blocks = 0;
  std::uint64_t block = 0;               ///< one of the longest of them
  std::uint64_t last = 0;                ///< of them
  double mean_share = 1;                 ///< their mean work over that of `block`
  std::vector<std::uint64_t> uncounted;  ///< places of which nobody knows the work
  std::uint64_t of_uncounted = 0;        ///< blocks that those stand for
};

/// Of these places, ascending: those whose work nobody knows count as longer than all others.
[[nodiscard]] BlocksApart blocks_apart(const std::vector<BlockPlace>& places);

/// Reduces `places` to as many as a sample may take, one per even part; their total remains.
void thin(BlockKind& kind);

/// Divides `blocks` consecutive blocks into `places` even parts and draws one block of part `i`.
[[nodiscard]] BlockPlace drawn_place(std::uint64_t blocks, std::uint64_t places, std::uint64_t i);

/// Relative error (95 %) of the number of blocks of a kind, from how many were found and the share
/// of the grid that was not looked at.
[[nodiscard]] double drawn_error(double unlooked, std::size_t found);

struct BlockKinds {
  std::vector<BlockKind> kinds;  ///< they add up to the grid; empty where none were compared
  std::uint64_t looked_at = 0;   ///< blocks that were looked at
  double unlooked = 0;           ///< share of the grid that was sampled but not looked at

  /// Blocks of all kinds.
  [[nodiscard]] std::uint64_t all() const;
  /// Whether a considerable share of the blocks differs from the most frequent kind.
  [[nodiscard]] bool differ() const;
};

/// Places spread over a grid. Along each axis: the first block, the last one, and some between them
/// that represent their neighbours.
struct BlockLattice {
  std::array<std::vector<std::uint32_t>, 3> places;  ///< along each axis, ascending
  std::array<std::vector<std::uint64_t>, 3> sizes;   ///< blocks that each place stands for
};

/// A lattice of about `most` places at most.
[[nodiscard]] BlockLattice block_lattice(const Extent& grid, std::uint64_t most);

/// Kinds by how blocks begin: the blocks of a lattice run up to their first memory access. Surplus
/// blocks that exit at once are a kind of their own; kinds beyond a maximum are merged. Looks at
/// about `most` places, or at fewer if those are alike.
[[nodiscard]] BlockKinds find_block_kinds(const Program& program, const ExecutionInput& input,
                                          std::uint64_t most);

}  // namespace forewarp::execution
