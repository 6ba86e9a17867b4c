// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "binding/path_cycles.h"

#include <algorithm>
#include <utility>

namespace forewarp::binding {
namespace {

using InstructionCycles = std::map<std::uint32_t, double>;  ///< by instruction

bool holds(const PathLoop& loop, std::uint32_t address) {
  return address >= loop.begin && address < loop.end;
}

/// Whether some loop contains `from` but not `to`.
bool leaves_loop(const Kernel& kernel, const std::vector<PathLoop>& loops, std::uint32_t from,
                 std::uint32_t to) {
  return std::any_of(loops.begin(), loops.end(), [&](const PathLoop& loop) {
    return holds(loop, kernel.instructions[from].address) &&
           !holds(loop, kernel.instructions[to].address);
  });
}

/// Where the last scheduled pass begins before the loop is left: at the previous issue of the same
/// instruction, or at the loop's first event.
std::size_t begin_of_pass(const Kernel& kernel, const std::vector<PathLoop>& loops,
                          const LatencyPath& path, std::size_t last) {
  const auto instruction = [&](std::size_t k) { return path.events[path.critical[k]].instruction; };
  const std::uint32_t outside = instruction(last + 1);
  std::size_t first = last;
  while (first > 0 && leaves_loop(kernel, loops, instruction(first - 1), outside)) {
    --first;
    if (instruction(first) == instruction(last)) break;
  }
  return first;
}

}  // namespace

std::map<std::uint32_t, double> path_cycles(const Kernel& kernel, const LatencyPath& path,
                                            const std::vector<PathLoop>& loops) {
  const auto event = [&](std::size_t k) -> const IssueEvent& {
    return path.events[path.critical[k]];
  };
  std::vector<InstructionCycles> steps;
  for (std::size_t k = 0; k < path.critical.size(); ++k) {
    const bool last = k + 1 == path.critical.size();
    const std::uint32_t instruction = event(k).instruction;
    double gap = (last ? path.cycles : event(k + 1).cycle) - event(k).cycle;
    InstructionCycles step;
    const bool leaves = !last && leaves_loop(kernel, loops, instruction, event(k + 1).instruction);
    if (leaves) {
      const std::size_t first = begin_of_pass(kernel, loops, path, k);
      const double pass = event(k).cycle - event(first).cycle;
      const double skipped = pass > 0 && gap > pass ? gap / pass : 0;
      for (std::size_t j = first; j < k && skipped > 0; ++j) {
        for (const auto& [of, cycles] : steps[j]) step[of] += skipped * cycles;
      }
      if (skipped > 0) gap = 0;
    }
    step[instruction] += gap;
    steps.push_back(std::move(step));
  }
  std::map<std::uint32_t, double> all;
  for (const InstructionCycles& step : steps) {
    for (const auto& [of, cycles] : step) all[of] += cycles;
  }
  return all;
}

}  // namespace forewarp::binding
