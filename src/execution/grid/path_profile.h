// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "analysis/loops.h"
#include "base/diagnostic.h"
#include "execution/grid/block_loads.h"
#include "execution/state/findings.h"
#include "execution/state/lanes.h"

namespace forewarp::execution {

/// How often one instruction ran, over the whole grid (extrapolated where blocks were sampled).
struct InstructionCount {
  double warps = 0;   ///< warp instructions, predicated-off ones included
  double active = 0;  ///< lanes that were active
  double lanes = 0;   ///< active lanes whose guard held
};

/// Outcomes of one branch, exit or break.
struct BranchCount {
  double executed = 0;   ///< warps that reached it
  double active = 0;     ///< their active lanes
  double taken = 0;      ///< lanes that took it
  double divergent = 0;  ///< warps in which some lanes took it and others did not
};

/// Iterations of one loop per entry by a warp: iterations -> number of entries.
struct LoopTrips {
  LoopId loop = no_loop;
  std::map<std::uint64_t, double> histogram;
  /// Mean iterations per entry; 0 without entries.
  [[nodiscard]] double mean() const;
};

/// Warps that took the same path with the same lanes: they differ only in addresses and values.
struct PathGroup {
  std::uint64_t signature = 0;
  double warps = 0;
  std::uint64_t instructions = 0;  ///< warp instructions of each of them
  std::uint64_t block = 0;         ///< the first of them: linear block number ..
  std::uint32_t warp = 0;          ///< .. and its warp within that block
};

/// What a kernel's warps did; independent of the GPU.
struct PathProfile {
  std::vector<InstructionCount> instructions;  ///< by index in the kernel
  std::map<std::uint32_t, BranchCount> branches;
  std::vector<LoopTrips> loops;
  std::vector<PathGroup> groups;  ///< most frequent first; rare ones are left out
  std::vector<BlockLoad> loads;   ///< of all its blocks; empty: alike, too many, or not all known
  std::uint64_t typical = 0;      ///< block, see typical_block()
  double left_out_warps = 0;      ///< warps whose group is not in the list
  double warp_instructions = 0;
  double thread_instructions = 0;  ///< lanes whose guard held
  std::uint64_t executed_blocks = 0;
  std::uint64_t blocks = 0;                 ///< of the grid
  std::uint64_t executed_instructions = 0;  ///< warp instructions actually executed
  double relative_error = 0;  ///< of warp_instructions, 95 % bound; 0 if every block ran
  /// Set when the budget ran out: counts cover only the beginning of blocks, not to be
  /// extrapolated.
  std::optional<Diagnostic> cut;
  /// It was cut because blocks wait, maybe for some that were not executed.
  bool waits = false;
  /// Why there are no counts, and why none from elsewhere may replace them: the kernel faults by
  /// itself, waits for ever, or its blocks must run together and that takes too long.
  std::optional<Diagnostic> stopped;
  /// The sample exceeded the budget: a few blocks represent all, although blocks differ.
  bool uneven = false;
  /// How many blocks were searched for the code behind `unseen_branch` without reaching it. Data
  /// decide that branch, so other blocks may reach it.
  std::uint64_t looked_for_code = 0;
  std::uint32_t unseen_branch = 0;
  /// Share of the grid whose blocks were not asked what their index decides, as there are too many.
  double unasked = 0;
  std::vector<std::uint32_t> waiting_loops;  ///< as in Program
  bool ordered = false;                      ///< what blocks write, or a clock, steers other blocks
  std::vector<AccessFinding> findings;
  /// Instructions whose unknown condition was assumed, and calls of functions outside the kernel,
  /// which are assumed to return at once.
  std::vector<std::uint32_t> assumed;
  std::vector<std::uint32_t> halved;  ///< branches on unknown data: half of the lanes go each way
  std::vector<std::uint32_t> scattered;  ///< accesses whose unknown addresses were drawn at random
  std::vector<std::uint32_t> unmet;      ///< where lanes meet that went on without the others
  /// More memory was touched than is kept: what was stored beyond that counts as unknown.
  bool forgets = false;

  [[nodiscard]] bool complete() const { return executed_blocks == blocks; }
  /// Share of executed branches whose lanes all went the same way; 1 without branches.
  [[nodiscard]] double branch_efficiency() const;
};

}  // namespace forewarp::execution
