// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "base/expected.h"
#include "execution/access/access_run.h"
#include "execution/grid/block_survey.h"
#include "execution/grid/profile_run.h"
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
  SurveyedWork work;      ///< apart: what the block comes to
  std::vector<WarpTrace> warps;  ///< its warps, apart: how they begin; empty: there is none

  /// How much longer the block's longest warp is than that of `warps`, and all of them together.
  [[nodiscard]] double beyond_longest() const;
  [[nodiscard]] double beyond_all() const;
};

/// A block with the longest warp, and how many blocks are far longer than the typical one; none of
/// either if the longest warp is a typical one. Without its warps.
[[nodiscard]] LongBlocks longest_blocks(const ExecutedProfile& executed,
                                        const std::vector<WarpTrace>& typical);

/// Executes the beginning of a block that is too long and counts the rest by what decides it.
/// Fails as trace_warps().
Expected<void> begin_longest(const Program& program, const ExecutionInput& input,
                             const ProfileOptions& options, LongBlocks& longest);

}  // namespace forewarp::prediction
