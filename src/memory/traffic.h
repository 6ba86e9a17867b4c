// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "execution/access/block_synthesis.h"
#include "execution/grid/sampling.h"
#include "memory/access_geometry.h"

namespace forewarp::memory {

/// Sums over the accesses of one instruction.
struct Traffic {
  double requests = 0, lanes = 0;
  double sectors = 0, lines = 0, transactions = 0;
  double passes = 0, tag_passes = 0, stage = 0, degree = 0, turns = 0, visits = 0;
  double most_transactions = 0, most_passes = 0;  ///< of one access

  void add(const AccessCost& cost, double times);
  void add(const Traffic& other, double times);
};

/// Accesses of one instruction by where they go: cp.async has both.
struct InstructionTraffic {
  Traffic memory;  ///< global, local and constant memory, textures
  Traffic shared;
};

/// What one block asks for.
struct BlockTraffic {
  std::vector<InstructionTraffic> instructions;  ///< by place in TrafficSum::accessing()
  double sectors = 0;                            ///< of all memory accesses
  double passes = 0;                             ///< of all shared accesses
  double pieces = 0;                             ///< lines that caches are asked for
};

/// Adds up what the recorded blocks of a sample ask for.
class TrafficSum {
 public:
  TrafficSum(const AccessStreams& streams, const BlockSynthesis& synthesis,
             AccessGeometry& geometry);

  /// Instructions that access memory, ascending.
  [[nodiscard]] const std::vector<std::uint32_t>& accessing() const { return accessing_; }
  /// The whole grid, extrapolated; `error` becomes the 95 % bound on sectors and passes, relative.
  BlockTraffic grid(const SamplePlan& plan, double& error);

 private:
  const BlockTraffic& of(std::size_t recorded);
  void add_warps(const BlockStream& block, BlockTraffic& traffic);
  void add_tally(const BlockStream& block, BlockTraffic& traffic);
  [[nodiscard]] bool repeats(const BlockClass& block_class) const;
  void add(std::uint32_t shape, std::uint64_t base, double times, BlockTraffic& traffic);

  const AccessStreams* streams_;
  const BlockSynthesis* synthesis_;
  AccessGeometry* geometry_;
  std::vector<std::uint32_t> accessing_;
  std::vector<std::uint32_t> place_;                   ///< by instruction: into accessing_
  std::vector<std::optional<BlockTraffic>> of_class_;  ///< where all blocks of a class ask alike
  std::vector<std::optional<bool>> repeats_;           ///< by class: whether they do
  BlockTraffic scratch_;
};

/// The recorded blocks of a plan, each standing for more where others were not recorded.
[[nodiscard]] SamplePlan recorded_plan(const SamplePlan& plan, const AccessStreams& streams);

}  // namespace forewarp::memory
