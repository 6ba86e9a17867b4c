// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "base/expected.h"
#include "base/quantities.h"
#include "binding/bound_instruction.h"
#include "execution/grid/path_profile.h"
#include "execution/lowering/program.h"
#include "execution/storage/execution_input.h"
#include "hardware/gpu.h"
#include "model/ordered_time.h"

namespace forewarp::timing {

/// A launch to be followed block by block.
struct OrderedLaunch {
  const Program& program;
  const ExecutionInput& input;
  std::uint64_t resident_blocks = 0;  ///< of the whole GPU
  Megahertz clock;
  std::uint64_t most_instructions = 0;  ///< warp instructions to follow
  /// What the launch executes, as far as it is known, by instruction; empty: unknown.
  std::span<const InstructionCount> counts;
  bool all_ran = false;  ///< these are of all its blocks, none of which is represented by another
  double hottest = 0;    ///< share of its writes of shared words that go to one word; 0: not known
};

/// Executes the launch once more in this GPU's time: who takes a ticket, a lock or an item, and
/// what a poll sees, is decided by it. A warp's own steps follow `timing`; loads cost what their
/// first or later touch of a line costs; words that blocks share are in L2, half of them in its far
/// part if it has one. A launch that is cut goes on at the pace of what was seen; one whose blocks
/// wait for ever has no time but `record.deadlock`. Fails if a block faults.
Expected<OrderedTime> ordered_time(const OrderedLaunch& launch, const Gpu& gpu,
                                   const BoundTiming& timing);

}  // namespace forewarp::timing
