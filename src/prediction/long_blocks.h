// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "execution/access/access_run.h"
#include "execution/grid/block_survey.h"
#include "execution/grid/profile_run.h"
#include "execution/grid/unseen_longest.h"
#include "execution/grid/warp_trace.h"

namespace forewarp::prediction {

/// Blocks that take longer than the typical one.
struct LongBlocks {
  double blocks = 0;        ///< far longer ones; there are few, or they would be typical
  double beyond = 0;        ///< warp instructions of those, less what typical ones have
  std::uint64_t block = 0;  ///< one of the longest
  std::uint64_t last = 0;   ///< the last that is about as long: the launch waits for that one
  bool longer = false;      ///< it issues more than the typical one; known in small grids
  bool apart = false;     ///< they are too long to be executed: the launch's counts leave them out
  double mean_share = 1;  ///< apart: mean work of such a block over that of `block`
  UnseenLongest unseen;   ///< of the blocks that nobody looked at
  double length = 0;      ///< warp instructions of the longest warp of `block`, as far as known
  SurveyedWork work;      ///< apart: what `block` comes to; not ended: at least
  bool counted = false;   ///< apart: .. as far as what decides its branches was followed
  std::vector<WarpTrace>
      warps;  ///< its warps, apart: how they begin; empty: none could be executed

  /// Whether the launch may have to wait for such a block, or for one that nobody looked at.
  [[nodiscard]] bool decides() const { return blocks > 0 || unseen_beyond(unseen.most) > 1; }
  /// The longest that nobody looked at over `block`: unseen.expected or unseen.most; 1 at least.
  [[nodiscard]] double unseen_beyond(double instructions) const {
    return length > 0 && instructions > length ? instructions / length : 1;
  }
  /// How much longer the block's longest warp is than that of `warps`, and all of them together.
  [[nodiscard]] double beyond_longest() const;
  [[nodiscard]] double beyond_all() const;
  /// Warp instructions of the blocks that the launch's counts leave out, as far as known.
  [[nodiscard]] double left_out() const { return apart ? blocks * mean_share * work.all : 0; }
};

/// A block with the longest warp, and how many blocks are far longer than the typical one; none of
/// either if the longest warp is a typical one. Without its warps.
[[nodiscard]] LongBlocks longest_blocks(const ExecutedProfile& executed,
                                        const std::vector<WarpTrace>& typical);

/// Executes the beginning of a block that is too long and counts the rest by what decides it: of
/// those that nobody counted of the longest that it finds. For as long as `left` warp instructions
/// take; returns how many of them it took.
std::uint64_t begin_longest(const Program& program, const ExecutionInput& input,
                            const ProfileOptions& options, std::uint64_t left,
                            const BlocksApart& apart, LongBlocks& longest);

}  // namespace forewarp::prediction
