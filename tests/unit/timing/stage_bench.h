// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "binding/path.h"
#include "timing/stages/dispatch.h"
#include "timing/units/sm_state.h"

namespace forewarp::tests {

/// An SM's units with blocks on them, for one stage to work on. Every warp executes the whole
/// kernel.
class StageBench {
 public:
  SmMachine machine;
  TimedKernel kernel;
  std::uint32_t warps = 1, resident = 1;
  std::uint64_t blocks = 1;

  TimedInstruction& add() {
    TimedInstruction& one = kernel.instructions.emplace_back();
    one.spacing = one.spacing_taken = cycle;
    return one;
  }
  std::uint8_t add_pipe(Pipe pipe) {
    machine.pipes.push_back(pipe);
    return static_cast<std::uint8_t>(machine.pipes.size() - 1);
  }

  /// The units, and the first block from 0 on.
  SmState& start() {
    WarpPath path;
    path.steps.emplace_back();
    path.steps.back().last = static_cast<std::uint32_t>(kernel.instructions.size());
    stream_.emplace(path, 1, 1);
    plan_.assign(warps, &*stream_);
    supply_.emplace(std::vector<const BlockPlan*>{&plan_}, blocks);
    sm_.emplace(machine, kernel, *supply_, &device_, resident, 0, nullptr);
    start_block(*sm_, 0);
    return *sm_;
  }

 private:
  std::optional<Stream> stream_;
  BlockPlan plan_;
  std::optional<BlockSupply> supply_;
  DevicePath device_;
  std::optional<SmState> sm_;
};

}  // namespace forewarp::tests
