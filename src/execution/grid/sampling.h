// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "execution/grid/block_kinds.h"
#include "execution/grid/unseen_longest.h"

namespace forewarp::execution {

/// How many blocks of a grid are executed.
struct SampleChoice {
  enum class Mode : std::uint8_t { automatic, all, count };
  Mode mode = Mode::automatic;
  std::uint64_t count = 0;  ///< Mode::count: at least this many, or all if there are fewer
};

/// Blocks that are alike by their place in the grid; some of them are executed.
struct Stratum {
  std::uint64_t size = 0;             ///< blocks in it
  std::uint32_t kind = 0;             ///< strata of one kind are consecutive parts of one box
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
  BlocksApart apart;         ///< none of them is executed
  double unasked = 0;        ///< share of the grid whose kind is unknown
  /// Blocks whose work a survey knows, each for those around it, ascending; empty: none does.
  std::vector<BlockPlace> surveyed;
  UnseenLongest unseen;  ///< what the rest of the grid may hold, by these
  /// Relative error (95 %) of the work of all blocks, where a survey knows that of single ones.
  std::optional<double> work_error;

  /// All blocks to execute, ascending.
  [[nodiscard]] std::vector<std::uint64_t> blocks() const;
  [[nodiscard]] std::uint64_t size() const;
};

/// A plan of `count` blocks, a few more where the grid has many edges; deterministic for a grid.
[[nodiscard]] SamplePlan plan_sample(const Extent& grid, std::uint64_t count);
[[nodiscard]] SamplePlan plan_all(const Extent& grid);
/// Blocks from which addresses are fitted as functions of the index, separately for each part of
/// the grid: two along each axis of the inner blocks, of every face, edge and corner. Ascending.
[[nodiscard]] std::vector<std::uint64_t> probing_blocks(const Extent& grid);
/// As plan_sample for blocks that differ: `count` is divided by the number of blocks and the work
/// of each kind, with at least two blocks per kind. `work[i]`: of one block of kind i, in any unit.
/// Where the work of every place is known, each part is represented by the block nearest to its
/// mean.
[[nodiscard]] SamplePlan plan_kinds(const BlockKinds& kinds, const std::vector<double>& work,
                                    std::uint64_t count);

/// A sum over all blocks, estimated from the executed ones, with its standard error: the larger of
/// the error seen inside strata and the one seen between neighbouring strata. Two drawn blocks that
/// happen to be alike hide a step inside their stratum; the neighbouring strata show it.
struct Estimate {
  double total = 0;
  double error = 0;
};
/// `values[i]` belongs to plan.blocks()[i].
[[nodiscard]] Estimate estimate_total(const SamplePlan& plan, const std::vector<double>& values);

}  // namespace forewarp::execution
