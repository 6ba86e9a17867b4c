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
  double elsewhere = 0;                           ///< bytes in the shared memory of other blocks
  double distant = 0;                             ///< requests that go there
  double most_transactions = 0, most_passes = 0;  ///< of one access

  void add(const AccessCost& cost, double times);
  void add(const Traffic& other, double times);
};

/// Accesses of one instruction by destination; cp.async has both.
struct InstructionTraffic {
  Traffic memory;  ///< global, local and constant memory, textures
  Traffic shared;
};

/// Traffic of one block.
struct BlockTraffic {
  std::vector<InstructionTraffic> instructions;  ///< by place in TrafficSum::accessing()
  double sectors = 0;                            ///< of all memory accesses
  double passes = 0;                             ///< of all shared accesses
  double pieces = 0;                             ///< lines requested from the caches
};

/// Adds up the traffic of the recorded blocks of a sample.
class TrafficSum {
 public:
  TrafficSum(const AccessStreams& streams, const BlockSynthesis& synthesis,
             AccessGeometry& geometry);

  /// Instructions that access memory, ascending.
  [[nodiscard]] const std::vector<std::uint32_t>& accessing() const { return accessing_; }
  /// The traffic of the whole grid, extrapolated. `error` receives the relative error of sectors
  /// and passes, 95 %.
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
  std::vector<std::uint32_t> place_;  ///< by instruction: into accessing_
  /// For classes whose blocks all cost the same.
  std::vector<std::optional<BlockTraffic>> of_class_;
  std::vector<std::optional<bool>> repeats_;  ///< by class: whether they do
  BlockTraffic scratch_;
};

/// The recorded blocks of a plan, weighted to represent those that were not recorded.
[[nodiscard]] SamplePlan recorded_plan(const SamplePlan& plan, const AccessStreams& streams);

}  // namespace forewarp::memory
