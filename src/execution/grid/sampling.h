// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "execution/grid/block_kinds.h"

namespace forewarp::execution {

/// How many blocks of a grid are executed.
struct SampleChoice {
  enum class Mode : std::uint8_t { automatic, all, count };
  Mode mode = Mode::automatic;
  std::uint64_t count = 0;  ///< Mode::count: at least so many, or all there are
};

/// Blocks that are alike by their place in the grid, of which some are executed.
struct Stratum {
  std::uint64_t size = 0;             ///< blocks in it
  std::uint32_t kind = 0;             ///< strata of one kind follow each other in one box
  std::vector<std::uint64_t> blocks;  ///< linear numbers of those executed, ascending

  /// How many blocks of the grid one executed block stands for.
  [[nodiscard]] double weight() const {
    return static_cast<double>(size) / static_cast<double>(blocks.size());
  }
};

/// Strata cover the grid without overlap. The blocks at the grid's ends, edges and corners are
/// strata of their own; the rest of each kind is divided evenly, with blocks drawn at random in
/// each part.
struct SamplePlan {
  std::vector<Stratum> strata;
  BlockKinds kinds;          ///< where blocks differ: strata are of one kind each
  std::vector<double> work;  ///< warp instructions of one block of each kind
  BlockKind apart;           ///< blocks that take too long to be executed: none of them is
  double unasked = 0;        ///< share of the grid whose kind nobody knows

  /// All blocks to execute, ascending.
  [[nodiscard]] std::vector<std::uint64_t> blocks() const;
  [[nodiscard]] std::uint64_t size() const;
};

/// `count` blocks, a few more where the grid has many edges; the same blocks for the same grid.
[[nodiscard]] SamplePlan plan_sample(const Extent& grid, std::uint64_t count);
[[nodiscard]] SamplePlan plan_all(const Extent& grid);
/// Blocks from which functions of the index are found in each part of the grid by itself: two along
/// each axis of the inner blocks, of every face, edge and corner. Ascending.
[[nodiscard]] std::vector<std::uint64_t> probing_blocks(const Extent& grid);
/// The same for blocks that differ: `count` blocks by the blocks and the work of each kind, two of
/// each kind at least. `work[i]`: of one block of kind i, in any unit.
[[nodiscard]] SamplePlan plan_kinds(const BlockKinds& kinds, const std::vector<double>& work,
                                    std::uint64_t count);

/// Estimate of a sum over all blocks from values of the executed ones, with its standard error:
/// the larger of what the blocks inside each stratum say and what the steps from stratum to stratum
/// do. Two blocks that happen to be alike hide a step between them, neighbours do not.
struct Estimate {
  double total = 0;
  double error = 0;
};
/// `value` of block number i of plan.blocks() is values[i].
[[nodiscard]] Estimate estimate_total(const SamplePlan& plan, const std::vector<double>& values);

}  // namespace forewarp::execution
