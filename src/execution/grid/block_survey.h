// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "execution/grid/block_kinds.h"
#include "execution/grid/unseen_longest.h"
#include "execution/lowering/program.h"
#include "execution/storage/execution_input.h"

namespace forewarp::execution {

/// Factor between the work of blocks that count as alike, at least.
inline constexpr double alike_work = 1.1;

/// Warp instructions of a block and of its longest warp.
struct SurveyedWork {
  double all = 0, longest = 0;
  bool ended = true;  ///< else it executes at least these
};

/// How many warp instructions blocks execute.
struct BlockSurvey {
  std::vector<BlockPlace> places;  ///< ascending; their sizes add up to the grid
  std::vector<double> work;        ///< of each place's block; infinite: more than a block may take
  std::vector<double> longest;     ///< .. of its longest warp
  double unlooked = 0;             ///< share of the grid that was not looked at
  UnseenLongest unseen;            ///< what that may hold where data or bits of the index decide
  bool by_index = false;           ///< only few were, as all between the ends were alike and
                                   ///< arguments and indices alone decide: see decided_kinds()

  [[nodiscard]] double total() const;
  /// Relative error (95 %) of the total, as far as neighbouring places tell; 0 if all were looked
  /// at.
  [[nodiscard]] double error() const;
};

/// Where a block lies, as a share of the grid along each axis.
[[nodiscard]] std::array<double, 3> place_in(const Extent& grid, std::uint64_t block);
/// Whether it is first or last along every axis.
[[nodiscard]] bool is_corner(const Extent& grid, std::uint64_t block);

/// Runs the control slice of every block, or of as many as `most` executed warp instructions allow,
/// drawn evenly. Of blocks that look alike it runs few: where only arguments and indices decide, or
/// where `most` does not suffice for half of the grid, so that one that data choose is found by
/// luck at best. nullopt: blocks cannot be looked at alone, or the first of them fail.
[[nodiscard]] std::optional<BlockSurvey> survey_blocks(const Program& program,
                                                       const ExecutionInput& input,
                                                       std::uint64_t most);

/// A block, and as much of its work as was followed.
struct CountedBlock {
  std::uint64_t block = 0;
  SurveyedWork work;
};

/// The same of single blocks, however long: of some of them, evenly spread, if these are many. For
/// `most` warp instructions of their slices; `spent` grows by those that were executed. Without
/// blocks that fail; none if they cannot be looked at alone.
[[nodiscard]] std::vector<CountedBlock> count_blocks(const Program& program,
                                                     const ExecutionInput& input,
                                                     std::span<const std::uint64_t> blocks,
                                                     std::uint64_t most, std::uint64_t& spent);

}  // namespace forewarp::execution
