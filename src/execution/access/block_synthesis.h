// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
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

/// Blocks whose warps took the same paths; those of one part of the grid where only they agree.
struct BlockClass {
  std::vector<std::uint32_t> paths;           ///< by warp
  std::vector<std::uint32_t> members;         ///< into AccessStreams::blocks, ascending
  bool affine = false;                        ///< every address follows from the block's index
  bool verified = false;                      ///< more members than the fit needed
  bool contradicted = false;                  ///< more members than a fit needs, and none holds
  std::vector<std::vector<AffineBase>> warp;  ///< affine: by warp and access
  /// Axes along which no member differs: only blocks with this index there are described.
  std::array<std::optional<std::uint32_t>, 3> fixed;
  std::uint64_t accesses = 0;  ///< of one block
};

/// What blocks that were not executed access. Most kernels compute addresses that are affine in the
/// block's index, or are so among the inner blocks and along each edge; that is found from some of
/// the recorded blocks of a class and verified on all the others.
class BlockSynthesis {
 public:
  explicit BlockSynthesis(const AccessStreams& streams);

  static constexpr std::uint32_t no_class = 0xffffffffU;
  /// Class of a recorded block; of another block that of its recorded neighbours in the same part
  /// of the grid (first, inner or last blocks of each axis), of the nearer one where they differ.
  [[nodiscard]] std::uint32_t class_of(std::uint64_t block) const;
  /// The class of every block of the part of the grid that `block` lies in; no_class where there
  /// are several.
  [[nodiscard]] std::uint32_t part_class(std::uint64_t block) const;
  [[nodiscard]] const std::vector<BlockClass>& classes() const { return classes_; }
  /// Whether the accesses of a block are recorded or follow from its class.
  [[nodiscard]] bool knows(std::uint64_t block) const;
  /// Whether those of every block are.
  [[nodiscard]] bool complete() const { return complete_; }
  /// Whether some block's addresses are no function of its index: more blocks would not help.
  [[nodiscard]] bool follows_data() const;
  /// Whether neighbours of different classes left a choice, or a fit could not be verified.
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
  void fit(BlockClass& block_class) const;
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
