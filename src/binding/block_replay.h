// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "binding/bound_instruction.h"
#include "binding/demand.h"
#include "binding/path.h"

namespace forewarp::binding {

/// Cycles for which one execution occupies a resource.
struct ResourceUse {
  std::uint16_t resource = 0;
  double cycles = 0;  ///< of one unit: of the scheduler's own, where each has one
};

/// Where a load is served: each execution has one of the latencies, in these shares.
struct LoadPlaces {
  double share_none = 0;              ///< no active lane: nothing to wait for
  double share_l1 = 0, share_l2 = 0;  ///< the rest comes from device memory
  double l1 = 0, l2 = 0, memory = 0;  ///< cycles
  [[nodiscard]] bool varies() const { return share_none > 0 || share_l1 > 0 || share_l2 > 0; }
  [[nodiscard]] double mean() const {
    return share_l1 * l1 + share_l2 * l2 + (1 - share_none - share_l1 - share_l2) * memory;
  }
};

/// What the replay needs of an instruction, besides its timing.
struct ReplayInstruction {
  std::vector<ResourceUse> uses;  ///< in the order in which the instruction passes them
  bool memory = false;            ///< it passes the queue of the memory interface
  LoadPlaces places;
};

/// The SM for a replay.
struct ReplayMachine {
  std::uint32_t schedulers = 1;
  std::span<const ResourceInfo> resources;
  std::size_t issue = 0, interface = 0;  ///< resources: warp schedulers, memory interface
  double memory_queue = 0;               ///< memory instructions that may wait, per SM
  double unit_queue = 0;   ///< instructions of variable latency that may wait, per pipe
  double warp_launch = 0;  ///< cycles between the starts of two warps
};

struct BlockReplay {
  double cycles = 0;    ///< from the start of its first warp to the end of its last
  double replayed = 1;  ///< share of the instructions that was replayed
};

/// One block alone on an SM. Its warps issue in order and wait for values, for each other at
/// barriers, and for units that other warps occupy. `warps` are divided over `paths` by their
/// shares. Advances from issue to issue, not from cycle to cycle. If there are more than
/// `most_issues`, two replays with fewer iterations of the outermost loops are extrapolated
/// linearly; if other loops make it long, the time is scaled.
[[nodiscard]] BlockReplay replay_block(const BoundTiming& timing,
                                       std::span<const ReplayInstruction> instructions,
                                       const ReplayMachine& machine,
                                       const std::vector<WarpPath>& paths, std::uint32_t warps,
                                       std::uint64_t most_issues = 1'000'000);

}  // namespace forewarp::binding
