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

/// Cycles that one execution takes of a resource.
struct ResourceUse {
  std::uint16_t resource = 0;
  double cycles = 0;  ///< of the resource's own unit: the scheduler's where it has one each
};

/// Where a load's value comes from; one execution has one of the latencies, in these shares.
struct LoadPlaces {
  double share_none = 0;              ///< no lane asks: there is nothing to wait for
  double share_l1 = 0, share_l2 = 0;  ///< the rest comes from device memory
  double l1 = 0, l2 = 0, memory = 0;  ///< cycles
  [[nodiscard]] bool varies() const { return share_none > 0 || share_l1 > 0 || share_l2 > 0; }
  [[nodiscard]] double mean() const {
    return share_l1 * l1 + share_l2 * l2 + (1 - share_none - share_l1 - share_l2) * memory;
  }
};

/// What the replay knows of one instruction beside its timing.
struct ReplayInstruction {
  std::vector<ResourceUse> uses;  ///< in the order in which the instruction meets them
  bool memory = false;            ///< it goes through the queue of the memory unit
  LoadPlaces places;
};

/// The SM as the replay sees it.
struct ReplayMachine {
  std::uint32_t schedulers = 1;
  std::span<const ResourceInfo> resources;
  std::size_t issue = 0, interface = 0;  ///< resources: warp schedulers, memory interface
  double memory_queue = 0;               ///< memory instructions that wait, of the whole SM
  double unit_queue = 0;                 ///< instructions of variable latency that wait per pipe
  double warp_launch = 0;                ///< cycles between the starts of two warps
};

struct BlockReplay {
  double cycles = 0;    ///< from the start of its first warp to the end of its last
  double replayed = 1;  ///< share of the instructions that was followed
};

/// One block alone on an SM: its warps issue in order, wait for values, for each other at barriers
/// and for units that another of them holds. `warps` are divided over `paths` by their shares.
/// Goes from issue to issue, not from cycle to cycle. Where there are more than `most_issues`, the
/// outermost loops are gone through less often, twice, and the time goes on along the line through
/// both; it is scaled where other loops are what makes it long.
[[nodiscard]] BlockReplay replay_block(const BoundTiming& timing,
                                       std::span<const ReplayInstruction> instructions,
                                       const ReplayMachine& machine,
                                       const std::vector<WarpPath>& paths, std::uint32_t warps,
                                       std::uint64_t most_issues = 1'000'000);

}  // namespace forewarp::binding
