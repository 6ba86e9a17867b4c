// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "execution/access/access_stream.h"

namespace forewarp::execution {

/// Address of one access of one warp as a function of the block's index: start + step * index.
struct AffineBase {
  std::uint64_t start = 0;
  std::array<std::int64_t, 3> step{};

  [[nodiscard]] std::uint64_t at(const Extent& index) const {
    return start + static_cast<std::uint64_t>(step[0]) * index[0] +
           static_cast<std::uint64_t>(step[1]) * index[1] +
           static_cast<std::uint64_t>(step[2]) * index[2];
  }
};

/// Blocks whose warps took the same paths; within one part of the grid if they agree only there.
struct BlockClass {
  std::vector<std::uint32_t> paths;    ///< by warp
  std::vector<std::uint32_t> members;  ///< into AccessStreams::blocks, ascending
  bool affine = false;                 ///< every address is a function of the block's index
  bool verified = false;               ///< has more members than the fit needed
  bool contradicted = false;           ///< has more members than a fit needs, and no fit holds
  std::vector<std::vector<AffineBase>> warp;  ///< affine: by warp and access
  /// Warps and their accesses that no function fitted, in whichever shape of the grid.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> odd;
  /// Axes along which all members agree: only blocks with that index are described.
  std::array<std::optional<std::uint32_t>, 3> fixed;
  std::uint64_t accesses = 0;  ///< of one block
};

/// The accesses of blocks that were not executed. Most kernels compute addresses that are affine in
/// the block's index, over the whole grid or among inner blocks and along each edge. The function
/// is found from a few recorded blocks of a class and verified on the others.
class BlockSynthesis {
 public:
  explicit BlockSynthesis(const AccessStreams& streams);

  static constexpr std::uint32_t no_class = 0xffffffffU;
  /// Class of a recorded block. Another block has the class of its recorded neighbours in the same
  /// part of the grid (first, inner or last blocks of each axis), of the nearer if they differ.
  [[nodiscard]] std::uint32_t class_of(std::uint64_t block) const;
  /// The class shared by all blocks in the part of the grid that contains `block`; no_class if
  /// there are several.
  [[nodiscard]] std::uint32_t part_class(std::uint64_t block) const;
  [[nodiscard]] const std::vector<BlockClass>& classes() const { return classes_; }
  /// Whether the accesses of a block are recorded or follow from its class.
  [[nodiscard]] bool knows(std::uint64_t block) const;
  /// Whether that holds for every block.
  [[nodiscard]] bool complete() const { return complete_; }
  /// Whether some block's addresses are no function of its index: more blocks would not help.
  [[nodiscard]] bool follows_data() const;
  /// Another shape of the grid, of as many blocks, in whose index those addresses are affine: many
  /// kernels divide one index into the place of a tile. Its first axes are parts of the grid's.
  [[nodiscard]] std::optional<Extent> folded() const;
  /// Whether neighbours were of different classes, or a fit could not be verified.
  [[nodiscard]] bool guessed() const { return guessed_; }

  /// Addresses of one warp's accesses; `block` must be known.
  void bases(std::uint64_t block, std::uint32_t warp, std::vector<std::uint64_t>& out) const;

 private:
  struct Member {
    std::uint64_t block = 0;
    std::uint32_t block_class = no_class;
  };

  void group();
  void split_by_part();
  [[nodiscard]] const std::uint64_t* bases_of(const BlockClass& block_class, std::size_t member,
                                              std::size_t warp) const;
  void fit(BlockClass& block_class, const Extent& grid) const;
  [[nodiscard]] bool fits(BlockClass& block_class, const Extent& grid) const;
  void judge();
  [[nodiscard]] std::size_t part_of(const Extent& index) const;
  [[nodiscard]] std::size_t part_of_block(std::uint32_t recorded) const;
  [[nodiscard]] bool described(const BlockClass& block_class, const Extent& index) const;

  const AccessStreams* streams_;
  std::vector<BlockClass> classes_;
  std::vector<std::uint32_t> recorded_class_;  ///< by place in AccessStreams::blocks
  std::array<std::vector<Member>, 27> parts_;  ///< recorded blocks by part of the grid
  bool complete_ = false;
  bool guessed_ = false;
};

}  // namespace forewarp::execution
