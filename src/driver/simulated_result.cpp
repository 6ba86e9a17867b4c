// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "driver/simulated_result.h"

namespace forewarp {

void fill_simulated(const Kernel& kernel, const SimulatedTime* time, Result& result) {
  if (time == nullptr) return;
  for (const SimulatedIssue& issue : time->timeline) {
    const Instruction& instruction = kernel.instructions[issue.instruction];
    result.timeline.push_back({issue.cycle, issue.scheduler, issue.block, issue.warp,
                               instruction.address, std::string(kernel.text_of(instruction))});
  }
  for (const ClockedWarp& warp : time->clocked) {
    result.clocks.push_back({warp.block, warp.warp, warp.used, warp.read});
  }
  if (!time->warning.empty()) result.findings.push_back({"policy", time->warning});
}

}  // namespace forewarp
