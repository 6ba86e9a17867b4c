// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "execution/access/renumbering.h"

#include <algorithm>
#include <map>

namespace forewarp::execution {
namespace {

std::uint64_t instructions_of(const std::vector<TraceStep>& steps) {
  std::uint64_t count = 0;
  for (const TraceStep& step : steps) {
    count += step.is_loop() ? step.trips * instructions_of(step.body) : step.last - step.first;
  }
  return count;
}

}  // namespace

void shorten(std::vector<WarpTrace>& traces, const Renumbering& numbers) {
  for (WarpTrace& trace : traces) {
    const std::uint64_t before = instructions_of(trace.steps);
    trace.steps = shortened(trace.steps, numbers);
    std::erase_if(trace.events,
                  [&](const AsyncEvent& event) { return !numbers.keeps(event.instruction); });
    for (AsyncEvent& event : trace.events) event.instruction = numbers.next(event.instruction);
    const std::uint64_t gone = std::min(before - instructions_of(trace.steps), trace.recorded);
    trace.instructions -= gone;
    trace.recorded -= gone;
  }
}

void shorten(PathProfile& paths, const Renumbering& numbers) {
  for (std::uint32_t i = 0; i < paths.instructions.size(); ++i) {
    if (numbers.keeps(i)) continue;
    paths.warp_instructions -= paths.instructions[i].warps;
    paths.thread_instructions -= paths.instructions[i].lanes;
  }
  paths.instructions = numbers.kept(paths.instructions);
  std::map<std::uint32_t, BranchCount> branches;
  for (const auto& [index, branch] : paths.branches) branches[numbers.next(index)] = branch;
  paths.branches = std::move(branches);
  paths.unseen_branch = numbers.next(paths.unseen_branch);
  std::erase_if(paths.findings,
                [&](const AccessFinding& found) { return !numbers.keeps(found.instruction); });
  for (AccessFinding& found : paths.findings) found.instruction = numbers.next(found.instruction);
  numbers.renumber(paths.assumed);
  numbers.renumber(paths.halved);
  numbers.renumber(paths.unmet);
  numbers.renumber(paths.scattered);
}

}  // namespace forewarp::execution
