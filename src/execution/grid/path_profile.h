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
#include "execution/state/findings.h"
#include "execution/state/lanes.h"

namespace forewarp::execution {

/// How often one instruction ran, over the whole grid (extrapolated where blocks were sampled).
struct InstructionCount {
  double warps = 0;   ///< warp instructions, predicated-off ones included
  double active = 0;  ///< lanes that were there
  double lanes = 0;   ///< of them those whose guard held
};

/// Outcomes of one branch, exit or break.
struct BranchCount {
  double executed = 0;   ///< warps that came there
  double active = 0;     ///< lanes of them
  double taken = 0;      ///< lanes that took it
  double divergent = 0;  ///< warps of which some lanes took it and some did not
};

/// Passes of one loop per entry of a warp: passes -> entries.
struct LoopTrips {
  LoopId loop = no_loop;
  std::map<std::uint64_t, double> histogram;
  /// Mean passes per entry; 0 without entries.
  [[nodiscard]] double mean() const;
};

/// Warps that took the same path with the same lanes: they differ in addresses and values only.
struct PathGroup {
  std::uint64_t signature = 0;
  double warps = 0;
  std::uint64_t instructions = 0;  ///< warp instructions of one of them
  std::uint64_t block = 0;         ///< the first of them: linear block number ..
  std::uint32_t warp = 0;          ///< .. and warp in it
};

/// What a kernel's warps did, whatever GPU they run on.
struct PathProfile {
  std::vector<InstructionCount> instructions;  ///< by index in the kernel
  std::map<std::uint32_t, BranchCount> branches;
  std::vector<LoopTrips> loops;
  std::vector<PathGroup> groups;  ///< most frequent first; rare ones are left out
  double left_out_warps = 0;      ///< warps whose group is not in the list
  double warp_instructions = 0;
  double thread_instructions = 0;  ///< lanes whose guard held
  std::uint64_t executed_blocks = 0;
  std::uint64_t blocks = 0;                 ///< of the grid
  std::uint64_t executed_instructions = 0;  ///< warp instructions that were really executed
  double relative_error = 0;                ///< 95 % bound on warp_instructions; 0 if all ran
  /// Where the budget ended it: counts are those of a block's beginning and stand for nothing yet.
  std::optional<Diagnostic> cut;
  /// Why there are no counts, and none from elsewhere may stand in: the kernel stops itself, waits
  /// for ever, or its blocks must run together and take too long.
  std::optional<Diagnostic> stopped;
  /// A sample was too long for the budget: one block, of unlike ones, stands for all.
  bool uneven = false;
  /// Blocks of which none came to code behind this branch, which data decide: others may.
  std::uint64_t looked_for_code = 0;
  std::uint32_t unseen_branch = 0;
  /// Share of the grid that nobody asked what its index decides: there are too many blocks.
  double unasked = 0;
  std::vector<AccessFinding> findings;
  /// Instructions whose unknown condition was assumed, and calls of functions outside the kernel,
  /// which are taken to return at once.
  std::vector<std::uint32_t> assumed;
  std::vector<std::uint32_t> halved;     ///< branches on unknown data, half of the lanes each way
  std::vector<std::uint32_t> scattered;  ///< accesses whose unknown addresses were drawn

  [[nodiscard]] bool complete() const { return executed_blocks == blocks; }
  /// Share of executed branches whose lanes all went the same way; 1 without branches.
  [[nodiscard]] double branch_efficiency() const;
};

}  // namespace forewarp::execution
